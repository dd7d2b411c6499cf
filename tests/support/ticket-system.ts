import type { ReceivedRequest, ServiceRules } from './outgoing-receiver.ts';

/**
 * What the doubles of ticket systems share. Each of them validates requests by the public description that it names, and none was
 * ever compared with the real system.
 */

export type Request = Omit<ReceivedRequest, 'status' | 'at'>;
export type Answer = Exclude<ReturnType<ServiceRules>, undefined>;

/** A ticket as a double keeps it. */
export interface KeptTicket {
  /** As the alert's row names it. */
  id: string;
  /** As people call it. */
  key: string;
  summary: string;
  description: string;
  state: 'open' | 'closed';
  comments: { text: string; at: string }[];
  /** What the ticket was made with. */
  made: Record<string, unknown>;
  createdAt: string;
}

/** A double of a ticket system. */
export interface TicketDouble {
  rules: ServiceRules;
  tickets: KeptTicket[];
  /** Somebody closes or opens a ticket there. */
  move(index: number, state: 'open' | 'closed'): void;
  /** Somebody deletes a ticket there. */
  remove(index: number): void;
  /** What a search knows comes so much later than what is there, in milliseconds; 0 where the real one is at once. */
  searchDelayMs: number;
}

export const answer = (status: number, body: unknown, headers?: Record<string, string>): Answer => ({
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...(headers && { headers }),
});

/** The body of a request that says it is JSON; undefined for any other. */
export function jsonOf({ headers, body }: Request): unknown {
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return undefined;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

/** Tickets in the order in which they were made. */
export function keepTickets(nameOf: (number: number) => { id: string; key: string }) {
  const tickets: KeptTicket[] = [];
  const world = {
    tickets,
    searchDelayMs: 0,
    move(index: number, state: 'open' | 'closed') {
      const ticket = tickets[index];
      if (ticket) ticket.state = state;
    },
    remove: (index: number) => void tickets.splice(index, 1),
  };
  let made = 0;
  return {
    world,
    byId: (id: string | undefined) => tickets.find((one) => one.id === id),
    make(summary: string, description: string, fields: Record<string, unknown>): KeptTicket {
      made += 1;
      const ticket: KeptTicket = {
        ...nameOf(made),
        summary,
        description,
        state: 'open',
        comments: [],
        made: fields,
        createdAt: new Date().toISOString(),
      };
      tickets.push(ticket);
      return ticket;
    },
    /** Tickets that a search may know by now. */
    known: () => tickets.filter(({ createdAt }) => Date.parse(createdAt) <= Date.now() - world.searchDelayMs),
    comment: (ticket: KeptTicket, text: string) => ticket.comments.push({ text, at: new Date().toISOString() }),
  };
}

/** A limit of so many requests in a time. @returns in how many seconds the next one is taken; 0 where it is taken now */
export function createLimit(most: number, inMs: number) {
  const taken: number[] = [];
  return (): number => {
    const now = Date.now();
    while (taken.length > 0 && (taken[0] ?? 0) <= now - inMs) taken.shift();
    if (taken.length >= most) return Math.ceil(((taken[0] ?? now) + inMs - now) / 1000);
    taken.push(now);
    return 0;
  };
}

/** Where a request leads. */
export const partsOf = (request: Request): { path: string; query: URLSearchParams } => {
  const { pathname, searchParams } = new URL(request.path, 'http://x');
  return { path: decodeURI(pathname), query: searchParams };
};
