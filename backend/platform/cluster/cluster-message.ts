import { z } from 'zod';
import type { DomainEvent } from '#backend/platform/live/event-bus.ts';
import { decodeEvent, encodeEvent } from './event-schema.ts';

/** Sessions of which pages listen, with their members' ids. */
export type Listening = readonly (readonly [sessionId: string, userId: string])[];

/** What one server sends the others. */
export interface ClusterMessage {
  /** Id of the server: another one after each start. */
  server: string;
  /**
   * Number of the last message with events, this one included when it has some; 0 before the first. Counts messages that
   * were lost before they could be sent, too, so that others notice.
   */
  seq: number;
  /** In order. Empty in a heartbeat. */
  events: readonly DomainEvent[];
  /**
   * How the events are grouped: each row of the feed whole, by its number, with how many of the events it has; 0 for events that
   * are in none. Absent from a server of an earlier release.
   */
  rows?: readonly (readonly [number: number, events: number])[] | undefined;
  /** The server's number among the feed's writers. */
  writer?: number | undefined;
  /** Every session that listens to it; asked for by `asks`. */
  listening?: Listening | undefined;
  /** Other servers are to send what listens to them. */
  asks?: boolean | undefined;
  /** Redis does not bring it what others send: they write it into the database, too. */
  isCutOff?: boolean | undefined;
  /** It stops. */
  leaves?: boolean | undefined;
  /** When it was made, by its server's clock alone: how long it takes to come back. In milliseconds. */
  at?: number | undefined;
}

/** Events that came together. */
export interface ReceivedGroup {
  /** Of the row of the feed that they are; 0 when they are in none. */
  number: number;
  events: readonly DomainEvent[];
}

/** A message that came, with whether it has events that this version does not understand. */
export interface ReceivedMessage extends ClusterMessage {
  hasUnknown: boolean;
  /** Its events as they are grouped; a row of which one is not understood is left out. */
  groups: readonly ReceivedGroup[];
}

const headerSchema = z.object({
  server: z.string().min(1).max(64),
  seq: z.int().nonnegative(),
  events: z.array(z.unknown()),
  rows: z.array(z.tuple([z.int().nonnegative(), z.int().nonnegative()])).optional(),
  writer: z.int().optional(),
  listening: z.array(z.tuple([z.string(), z.string()])).optional(),
  asks: z.boolean().optional(),
  isCutOff: z.boolean().optional(),
  leaves: z.boolean().optional(),
  at: z.number().optional(),
});

/** The beginning of every message of a server. */
export const beginningOf = (server: string): string => `{"server":${JSON.stringify(server)},`;

/** One line of JSON, then the texts of its alerts one after the other. */
export function encodeMessage({ server, events, ...message }: ClusterMessage): string {
  const encoded = events.map(encodeEvent);
  const header = JSON.stringify({ ...message, events: encoded.map((one) => one.header) });
  return [beginningOf(server), header.slice(1), '\n', ...encoded.map(({ text }) => text)].join('');
}

/** Reads a message; undefined for what is none of this version. */
export function decodeMessage(message: string): ReceivedMessage | undefined {
  const end = message.indexOf('\n');
  if (end < 0) return undefined;
  const parsed = headerSchema.safeParse(parseJson(message.slice(0, end)));
  if (!parsed.success) return undefined;
  let at = end + 1;
  const textOf = (length: number) => message.slice(at, (at += length));
  const decoded = parsed.data.events.map((event) => decodeEvent(event, textOf));
  const events = decoded.filter((event) => event !== undefined);
  const { rows = decoded.map(() => [0, 1] as const) } = parsed.data;
  let first = 0;
  const groups = rows.flatMap(([number, count]): ReceivedGroup[] => {
    const group = decoded.slice(first, (first += count));
    const understood = group.filter((event) => event !== undefined);
    return understood.length === count ? [{ number, events: understood }] : [];
  });
  return { ...parsed.data, events, groups, hasUnknown: events.length < decoded.length };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
