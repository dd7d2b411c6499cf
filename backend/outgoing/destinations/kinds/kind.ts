import type { KindField } from '#backend/contract/destination-kinds.ts';
import type { OutgoingPayload } from '#backend/contract/outgoing.ts';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import type { Mail } from '#backend/platform/mail/mail-transport.ts';
import type { TicketField, TicketState } from '#backend/contract/ticket.ts';
import type { InputError } from '#backend/platform/endpoint/errors.ts';
import type { DestinationSettings, Target } from '#backend/outgoing/destinations/destination-entity.ts';
import type { HttpMethod } from '#backend/outgoing/destinations/post.ts';

/** One message, as a kind renders it. */
export interface RenderedMessage {
  /** Of the message, the same in every attempt. */
  id: string;
  payload: OutgoingPayload;
  /** When the attempt is made, in milliseconds since the epoch. */
  now: number;
}

/** A request that is made. `keepBytes`: how much of its answer is read, where that is more than usual. */
export interface RenderedRequest {
  via: 'http';
  method?: HttpMethod;
  url: string;
  headers: Record<string, string>;
  body: string;
  keepBytes?: number;
}

/** A request that is made, or a mail that is sent. */
export type Rendered = RenderedRequest | { via: 'mail'; mail: Mail };

/** How fast a service takes requests: one in so many milliseconds, of which so many may come at once after a rest. */
export interface Pace {
  everyMs: number;
  burst: number;
}

/** A message that was posted before, and whether for this very message. */
export interface FoundMessage {
  remote: string;
  isOwn: boolean;
}

/**
 * A chat in which the message of a problem is changed in place. `remote` names the message there: what {@link postedAs} read,
 * of at most 255 characters.
 */
export interface LiveKind {
  /** Changes of messages have a limit of their own. */
  updatePace: Pace;
  /** The request that posts the message of a problem, or changes the one that is there. */
  card(target: Target, message: RenderedMessage, remote: string | null): RenderedRequest;
  /** What the answer to a posted message calls it; undefined where the answer does not say it. */
  postedAs(body: string): string | undefined;
  /** The message is gone, or too old to be changed. Asked of what changes it, and of what follows below it. */
  isGone(status: number, body: string): boolean;
  /** Asks for the message, where a refused change does not say whether it is gone: {@link isGone} reads the answer. */
  look?(target: Target, remote: string, status: number): RenderedRequest | undefined;
  /** Whose a message is, where it belongs to the bot that posted it, and no answer says that another one cannot change it. */
  botOf?(token: string): string;
  /** It looks as it is to look already. */
  isUnchanged?(status: number, body: string): boolean;
  /** The request of a note, or of what must be noticed, below the message. Where there is none it is a message of its own. */
  reply?(target: Target, message: RenderedMessage, remote: string): RenderedRequest;
  /**
   * Looks for what an attempt may have posted before its server was killed: the message of the problem, or, where that is
   * known, the reply with this message's id. `isOwn`: it was posted for this message. Services that know repeats by themselves
   * have none.
   */
  find?(
    target: Target,
    message: RenderedMessage,
    remote: string | null,
  ): { request: RenderedRequest; read: (body: string) => FoundMessage | undefined };
}

/** A ticket as its system names it. */
export interface RemoteTicket {
  /** For requests, of at most 255 characters: it names the ticket wherever the destination leads by then. */
  remote: string;
  /** As people call it. */
  key: string;
  url: string | null;
}

/** A ticket as it is to be made. */
export interface NewTicket {
  summary: string;
  description: string;
  /** The other fields, those that are not empty. */
  fields: Partial<Record<TicketField, string>>;
  /** By which it is found again. */
  marker: string;
}

/** A comment that is there. */
export interface RemoteComment {
  text: string;
  /** When it was written, in milliseconds since the epoch. */
  at: number;
}

/** How one ticket system is asked and answered. It is pure, as {@link KindModule} is. */
export interface TicketKind {
  /** Longest summary and description that it takes, in characters. */
  limits: { summary: number; description: number; comment: number };
  /** The severity in its words. */
  priorities: Record<AlertSeverity, string>;
  /** Takes from a text of somebody else what it would read as marks, mentions or commands. */
  escape(text: string): string;
  /** How the marker stands below the description. */
  markLine(marker: string): string;
  /** What was made is found after so long at most, in milliseconds. */
  settleMs: number;
  create(target: Target, ticket: NewTicket): RenderedRequest;
  /** Undefined where the answer does not say what was made. */
  created(target: Target, body: string): RemoteTicket | undefined;
  /** Asks for the ticket with a marker. @param since before it was made, in milliseconds since the epoch @param page from 1 */
  find(target: Target, marker: string, since: number, page: number): RenderedRequest;
  /** Whether what was found may go on on another page. Absent where a search finds the ticket alone. */
  hasMore?(body: string, since: number): boolean;
  found(target: Target, body: string, marker: string): RemoteTicket | undefined;
  comment(target: Target, remote: string, text: string): RenderedRequest;
  /** Asks for the last comments. @param since of interest, in milliseconds since the epoch */
  comments(target: Target, remote: string, since: number): RenderedRequest;
  commentsOf(body: string): RemoteComment[];
  /** Asks how a ticket is, and for what it takes to close or open it. */
  look(target: Target, remote: string): RenderedRequest;
  stateOf(target: Target, body: string): 'open' | 'closed';
  /** Closes a ticket, or opens it again; what is wrong where that cannot be done. @param looked the answer to {@link look} */
  move(
    target: Target,
    remote: string,
    move: { to: 'open' | 'closed'; looked: string; text: string },
  ): RenderedRequest | { fault: string };
  /** Tickets that one request asks for. */
  askedAtOnce: number;
  /** Where a ticket is, as the destination's `room` says it, where one request asks for tickets of one place alone. */
  placeOf?(remote: string): string;
  ask(target: Target, remotes: readonly string[]): RenderedRequest;
  /** How tickets are; those that the answer does not name are missing. */
  answered(target: Target, body: string, remotes: readonly string[]): Map<string, TicketState>;
}

/**
 * What one kind of destination does. It is pure: from a message to the request that is made for it. Sending, retries, order and receipts
 * are the same for all.
 */
export interface KindModule {
  /** What people call it. */
  label: string;
  /** What the service calls fields, where that is another name than the usual one. */
  fieldNames?: Partial<Record<KindField, string>>;
  /** What is wrong with a field that was written, as a sentence; undefined when nothing is. */
  faultOf?(field: KindField, value: string): string | undefined;
  /** What is wrong with fields together, each at its path. */
  faultsOf?(settings: DestinationSettings): InputError[];
  /** Its buttons carry a proof by a secret that is made with the destination. */
  hasActionSecret?: true;
  /**
   * People read it: of an alert's messages that wait, the newest says all that those before it say, so these are not sent.
   * Notes are always sent. A program counts, so it is sent everything.
   */
  isForPeople: boolean;
  /** The pause between two messages that the service asks for, in milliseconds; 0 for none. */
  pauseMs: number;
  render(target: Target, message: RenderedMessage): Rendered;
  /** What an answer of the service means and what can be done, where that is known. */
  explain?(status: number, body: string): string | undefined;
  /** The room that took the place of the target's by this answer: the message is sent there at once. */
  movedTo?(status: number, body: string): string | undefined;
  /** The status that an answer stands for, where the service says it in the body alone. */
  statusOf?(status: number, body: string): number;
  /** One message for each problem, changed in place; undefined where every event is a message. */
  live?: LiveKind;
  /** It is a ticket system: one ticket for each problem. */
  ticket?: TicketKind;
}

/** A colour of each severity for services that show one, as a number of 24 bits. */
export const COLORS: Record<AlertSeverity, number> = {
  critical: 0xcd_42_46,
  high: 0xcd_42_46,
  warning: 0xc8_76_19,
  low: 0x2d_72_d2,
  info: 0x2d_72_d2,
  none: 0x5f_6b_7c,
};

export const json = (url: string, value: unknown, headers: Record<string, string> = {}): RenderedRequest => ({
  via: 'http',
  url,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

/** A body as HTML forms send it (https://url.spec.whatwg.org/#application/x-www-form-urlencoded). */
export const form = (
  url: string,
  values: Record<string, string>,
  headers: Record<string, string>,
): RenderedRequest => ({
  via: 'http',
  url,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(values).toString(),
});

/** What is sent, as people read it in a preview. */
export function readableBody(rendered: Rendered): string {
  if (rendered.via === 'mail') return rendered.mail.text;
  const { method = 'POST', url, headers, body } = rendered;
  if (body === '') return `${method} ${url}`;
  const type = new Headers(headers).get('content-type') ?? '';
  if (type.startsWith('application/json')) return JSON.stringify(JSON.parse(body), null, 2);
  if (!type.startsWith('application/x-www-form-urlencoded')) return body;
  return [...new URLSearchParams(body)].map(([name, value]) => `${name}: ${value}`).join('\n');
}

/** Whether a message may make a sound. News of what somebody has already in hand wakes nobody. */
export const isLoud = ({ type }: OutgoingPayload): boolean => type === 'alert.new' || type === 'alert.escalated';

/** A text that takes so many bytes of UTF-8 at most. */
export function cutBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  return `${bytes
    .subarray(0, most - 4)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')}…`;
}

/** The value in JSON, or undefined where a body is no JSON object. */
export function objectOf(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The characters that HTML has escaped in texts and attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** An address below the server's own, whose path it keeps. */
export const below = (base: string | null, path: string): string =>
  new URL(path, (base ?? '').replace(/\/*$/, '/')).href;

/** Names that chat services notify everybody by are no names any more. */
export const withoutMentions = (text: string): string =>
  text.replaceAll(/@(?=(?:all|channel|here|everyone|room)\b)/gi, '@\u200B');

/** Addresses, which lead nowhere with marks in them. */
const ADDRESS = /(https?:\/\/[\w.~:/?#@!$&'+,;=%-]+)/;

/** Escapes what is no address of a text. */
export const outsideAddresses = (text: string, escape: (part: string) => string): string =>
  text
    .split(ADDRESS)
    .map((part, index) => (index % 2 === 1 ? part : escape(part)))
    .join('');
