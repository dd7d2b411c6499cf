import type { NewDestination, OutgoingPayload } from '#backend/contract/outgoing.ts';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import type { Mail } from '#backend/platform/mail/mail-transport.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';

/** One message, as a kind renders it. */
export interface RenderedMessage {
  /** Of the message, the same in every attempt. */
  id: string;
  payload: OutgoingPayload;
  /** When the attempt is made, in milliseconds since the epoch. */
  now: number;
}

/** A request that is made, or a mail that is sent. */
export type Rendered =
  | { via: 'http'; url: string; headers: Record<string, string>; body: string }
  | { via: 'mail'; mail: Mail };

/** Fields of a destination that not every kind has. */
export type KindField = Extract<keyof NewDestination, 'url' | 'topic' | 'token' | 'recipients'>;

/**
 * One kind of destination. It is pure: from a message to the request that is made for it. Sending, retries, order and receipts
 * are the same for all.
 */
export interface KindModule {
  /** What people call it. */
  label: string;
  /** Fields that it has, each with whether it must be there. Others are refused. */
  fields: Partial<Record<KindField, 'required' | 'optional'>>;
  /** The address lets everybody write who has it: it is kept and masked as a secret. */
  isAddressSecret: boolean;
  /** Messages are signed with a secret that is made with the destination. */
  isSigned: boolean;
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

export const json = (url: string, value: unknown, headers: Record<string, string> = {}): Rendered => ({
  via: 'http',
  url,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

/** An address below the server's own, whose path it keeps. */
export const below = (base: string | null, path: string): string =>
  new URL(path, (base ?? '').replace(/\/*$/, '/')).href;

/** Names that chat services notify everybody by are no names any more. */
export const withoutMentions = (text: string): string =>
  text.replaceAll(/@(?=(?:all|channel|here|everyone)\b)/gi, '@\u200B');
