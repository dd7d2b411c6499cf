import type { Target } from './destination-entity.ts';
import type { LiveState } from './deliver-live.ts';
import { type Verdict, judgeAnswer } from './judge-answer.ts';
import { type RemoteTicket, type RenderedMessage, type RenderedRequest, objectOf } from './kinds/kind.ts';
import { type TicketModule, commentOf, markerOf, testMarkerOf, ticketOf } from './kinds/ticket.ts';
import { MAKES_TICKET } from './kinds/ticket-module.ts';
import type { HttpAnswer } from './post.ts';

/** What is known of a problem's ticket when something of it is sent. */
export interface TicketMessageState extends LiveState {
  /** When an attempt may have made it, whose answer nobody knows, in milliseconds since the epoch; null where none may. */
  triedAt: number | null;
  /** Somebody has it sent again: it says what the alert is by now. */
  isSentAgain: boolean;
}

interface TicketDeps {
  kind: TicketModule;
  target: Target;
  message: RenderedMessage;
  send: (request: RenderedRequest) => Promise<HttpAnswer>;
}

/** And how long its search may not know what was made, in milliseconds. */
type MakingDeps = TicketDeps & { settleMs: number };

/** Clocks differ by so much at most, in milliseconds. */
const CLOCKS_MS = 5 * 60_000;

/** Pages in which a ticket is looked for, at most. */
const MAX_PAGES = 5;

/** Why a ticket is not made yet: it may be there. */
export const SETTLING =
  'An attempt before this one may have made the ticket, and the search there may not know it yet.';

/** Why an answer says nothing: it is not JSON, or only the beginning of it was read. */
export const UNREADABLE = 'The answer cannot be read. Check the address.';

/** What an answer means where it is no verdict yet: what it says. */
type Said = { body: string } | { verdict: Verdict };

/**
 * Makes the ticket of a problem, once, and brings what happened later to it: as a comment, by closing it, or by opening it again.
 * Before a ticket is created or changed again, the ticket system is searched for the first attempt.
 */
export async function deliverTicket(deps: MakingDeps, state: TicketMessageState): Promise<Verdict> {
  const { event, remote } = state;
  if (event === 'update') return { outcome: 'sent', answer: 'tickets are not changed by this' };
  if (remote !== null) return follow(deps, state, remote);
  const found = await find(deps, state);
  if (found && 'verdict' in found) return found.verdict;
  if (found) {
    const ticket = { ...found.ticket, state: 'open' as const };
    // An attempt before this one made it, of this message or of one that was given up.
    if (state.isRepeat && MAKES_TICKET.has(event) && !isOver(deps, state))
      return { outcome: 'sent', answer: created(ticket), ticket };
    const verdict = await follow(deps, state, found.ticket.remote);
    return verdict.remote === null ? verdict : { ...verdict, ticket: { ...ticket, ...verdict.ticket } };
  }
  if (!MAKES_TICKET.has(event)) return { outcome: 'sent', answer: 'There is no ticket of this alert.' };
  return makeFor(deps, state);
}

/** Makes a ticket to try the destination, and closes it. */
export async function tryTicket(deps: TicketDeps): Promise<Verdict> {
  return makeClosed(deps, 'This was a test. It is closed again.', testMarkerOf(deps.message.id));
}

/**
 * The ticket is to be closed: the message says that the alert is completed, or it is sent again and the alert is completed by now.
 * Of an alert that was completed before its first message was made, the message of that closes the ticket and says by whom.
 */
const isOver = ({ message }: TicketDeps, { event, isSentAgain }: TicketMessageState): boolean =>
  message.payload.data.alert.status === 'completed' && (event === 'completed' || isSentAgain);

/** What a ticket is closed with by something else than the message that says who completed the alert. */
const OVER = 'The alert is completed.';

/** Makes the ticket of a problem, as the problem is. */
const makeFor = (deps: TicketDeps, state: TicketMessageState): Promise<Verdict> =>
  isOver(deps, state) ? makeClosed(deps, OVER) : make(deps);

/** Makes a ticket and closes it. One that cannot be closed is kept as it is, so that the next attempt closes it. */
async function makeClosed(deps: TicketDeps, why: string, marker?: string): Promise<Verdict> {
  const made = await make(deps, marker);
  if (made.outcome !== 'sent' || !made.ticket) return made;
  const closed = await move(deps, made.ticket.remote, 'closed', why);
  if (closed.outcome === 'sent') {
    return { outcome: 'sent', answer: `${made.answer}, and closed it`, ticket: { ...made.ticket, state: 'closed' } };
  }
  return { ...closed, answer: `${made.answer}, but it could not be closed. ${closed.answer}`, ticket: made.ticket };
}

const created = ({ key }: Pick<RemoteTicket, 'key'>): string => `Created ${key}`;

async function make(deps: TicketDeps, marker?: string): Promise<Verdict> {
  const { kind, target, message } = deps;
  const said = await ask(deps, kind.ticket.create(target, ticketOf(kind, target, message.payload, marker)));
  if ('verdict' in said) return said.verdict;
  const made = kind.ticket.created(target, said.body);
  // The ticket exists: the next attempt finds it by its marker.
  if (!made) return { outcome: 'retry', answer: 'The answer does not say which ticket was made.' };
  return { outcome: 'sent', answer: created(made), ticket: { ...made, state: 'open' } };
}

/** The ticket that is there although nobody has recorded it; undefined where there is none. */
async function find(
  deps: MakingDeps,
  { event, mayBeThere, triedAt }: TicketMessageState,
): Promise<{ ticket: RemoteTicket } | { verdict: Verdict } | undefined> {
  const { kind, target, message } = deps;
  const { alert } = message.payload.data;
  // The first news of an alert has no ticket yet; whatever comes later may, where its row was deleted by its age or lost.
  if (event === 'new' && !mayBeThere && alert.occurrences <= 1) return undefined;
  const marker = markerOf(alert.id);
  const since = Date.parse(alert.receivedAt) - CLOCKS_MS;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const said = await ask(deps, kind.ticket.find(target, marker, since, page));
    if ('verdict' in said) return said;
    // A page of something else, or one that is too long, does not say that there is none.
    if (objectOf(said.body) === undefined) return { verdict: { outcome: 'retry', answer: UNREADABLE } };
    const ticket = kind.ticket.found(target, said.body, marker);
    if (ticket) return { ticket };
    if (kind.ticket.hasMore?.(said.body, since) !== true) break;
  }
  const waitMs = triedAt === null ? 0 : triedAt + deps.settleMs - message.now;
  if (waitMs <= 0) return undefined;
  return { verdict: { outcome: 'retry', answer: SETTLING, waitMs } };
}

/** Brings what happened to the ticket that is there. */
async function follow(deps: MakingDeps, state: TicketMessageState, remote: string): Promise<Verdict> {
  const { kind, target, message } = deps;
  const { event } = state;
  const { payload } = message;
  if (event === 'completed' && !isOver(deps, state)) {
    return { outcome: 'sent', answer: 'The alert is open again: its ticket stays as it is.' };
  }
  if (event !== 'new' && event !== 'completed') return comment(deps, state, remote, commentOf(kind, payload));
  const looked = await askOf(deps, state, remote, kind.ticket.look(target, remote));
  if ('verdict' in looked) return looked.verdict;
  const isClosing = isOver(deps, state);
  const wasClosed = kind.ticket.stateOf(target, looked.body) === 'closed';
  if (isClosing && wasClosed) {
    return { outcome: 'sent', answer: 'The ticket was closed already.', ...asTicket(remote, 'closed') };
  }
  const to = isClosing ? 'closed' : 'open';
  const text = event === 'new' && isClosing ? OVER : commentOf(kind, payload, wasClosed);
  const commented = await comment(deps, state, remote, text);
  if (commented.outcome !== 'sent') return commented;
  if (to === 'open' && !wasClosed) return { ...commented, ...asTicket(remote, 'open') };
  const moved = await moveBy(deps, remote, { to, looked: looked.body, text });
  if (moved.outcome !== 'sent') return moved;
  return { outcome: 'sent', answer: to === 'open' ? 'Opened again' : 'Closed', ...asTicket(remote, to) };
}

/** How a ticket is by now, of which key and address are known. */
const asTicket = (remote: string, state: 'open' | 'closed') => ({ ticket: { remote, state } });

/** Writes a comment, unless an attempt before this one did. */
async function comment(deps: MakingDeps, state: TicketMessageState, remote: string, text: string): Promise<Verdict> {
  const { kind, target, message } = deps;
  if (state.isRepeat) {
    const since = Date.parse(message.payload.timestamp) - CLOCKS_MS;
    const answer = await deps.send(kind.ticket.comments(target, remote, since));
    const { body } = answer;
    const status = kind.statusOf?.(answer.status, body) ?? answer.status;
    if (status === 429 || status >= 500) return judgeAnswer(kind, answer, message.now);
    // Where comments may not be read, one may be there twice.
    const isThere =
      status === 200 && kind.ticket.commentsOf(body).some((one) => one.at >= since && one.text.trim() === text.trim());
    if (isThere) return { outcome: 'sent', answer: 'is there already' };
  }
  const said = await askOf(deps, state, remote, kind.ticket.comment(target, remote, text));
  return 'verdict' in said ? said.verdict : { outcome: 'sent', answer: 'Commented' };
}

async function move(deps: TicketDeps, remote: string, to: 'open' | 'closed', text: string): Promise<Verdict> {
  const { kind, target } = deps;
  const looked = await ask(deps, kind.ticket.look(target, remote));
  return 'verdict' in looked ? looked.verdict : moveBy(deps, remote, { to, looked: looked.body, text });
}

async function moveBy(
  deps: TicketDeps,
  remote: string,
  wanted: { to: 'open' | 'closed'; looked: string; text: string },
): Promise<Verdict> {
  const request = deps.kind.ticket.move(deps.target, remote, wanted);
  if ('fault' in request) return { outcome: 'refused', answer: request.fault };
  const said = await ask(deps, request);
  return 'verdict' in said ? said.verdict : { outcome: 'sent', answer: 'sent' };
}

async function ask({ kind, message, send }: TicketDeps, request: RenderedRequest): Promise<Said> {
  const answer = await send(request);
  const verdict = judgeAnswer(kind, answer, message.now);
  return verdict.outcome === 'sent' ? { body: answer.body } : { verdict };
}

/** Asks something of a ticket that is there. Where it is gone, what makes a ticket makes another one, once. */
async function askOf(
  deps: MakingDeps,
  state: TicketMessageState,
  remote: string,
  request: RenderedRequest,
): Promise<Said> {
  const answer = await deps.send(request);
  if (!isGone(answer.status)) {
    const verdict = judgeAnswer(deps.kind, answer, deps.message.now);
    return verdict.outcome === 'sent' ? { body: answer.body } : { verdict };
  }
  if (!MAKES_TICKET.has(state.event)) {
    return { verdict: { outcome: 'sent', answer: 'The ticket is gone there.', remote: null } };
  }
  const found = await find(deps, state);
  if (found && 'verdict' in found) return found;
  // An attempt before this one made the other one. A search may still know the one that is gone.
  if (found && found.ticket.remote !== remote) {
    return { verdict: { outcome: 'sent', answer: created(found.ticket), ticket: { ...found.ticket, state: 'open' } } };
  }
  return { verdict: await makeFor(deps, state) };
}

/** It was deleted, or moved where the token may not see it (301 of GitHub). */
export const isGone = (status: number): boolean => status === 404 || status === 410 || status === 301;
