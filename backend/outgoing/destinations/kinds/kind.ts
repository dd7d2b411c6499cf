import type { NewDestination, OutgoingPayload } from '#backend/contract/outgoing.ts';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import type { Mail } from '#backend/platform/mail/mail-transport.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
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
  /** The message is gone, or too old to be changed. */
  isGone(status: number, body: string): boolean;
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

/** Fields of a destination that not every kind has. */
export type KindField = Extract<
  keyof NewDestination,
  'url' | 'topic' | 'room' | 'account' | 'token' | 'appToken' | 'requestSecret' | 'recipients'
>;

/**
 * One kind of destination. It is pure: from a message to the request that is made for it. Sending, retries, order and receipts
 * are the same for all.
 */
export interface KindModule {
  /** What people call it. */
  label: string;
  /** Fields that it has, each with whether it must be there. Others are refused. */
  fields: Partial<Record<KindField, 'required' | 'optional'>>;
  /** What the service calls fields, where that is another name than the usual one. */
  fieldNames?: Partial<Record<KindField, string>>;
  /** What is wrong with a field that was written, as a sentence; undefined when nothing is. */
  faultOf?(field: KindField, value: string): string | undefined;
  /** The address lets everybody write who has it: it is kept and masked as a secret. */
  isAddressSecret: boolean;
  /** Messages are signed with a secret that is made with the destination. */
  isSigned: boolean;
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
  if (rendered.headers['Content-Type'] === 'application/json') {
    return JSON.stringify(JSON.parse(rendered.body), null, 2);
  }
  return [...new URLSearchParams(rendered.body)].map(([name, value]) => `${name}: ${value}`).join('\n');
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
