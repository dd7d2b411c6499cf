import { EntitySchema } from 'typeorm';
import { OUTGOING_HOURS, type OutgoingEvent, type OutgoingPayload } from '#backend/contract/outgoing.ts';
import type { TicketState } from '#backend/contract/ticket.ts';
import type { OutgoingAttempt, OutgoingState } from '#backend/contract/outgoing-receipt.ts';
import { newId } from '#backend/platform/database/ids.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';

/** What a message is about. An `update` changes a live message to what its alert is by then, and is gone once it is sent. */
export type MessageEvent = OutgoingEvent | 'update';

/** A message is tried for so long after it was made or sent again, in milliseconds. */
export const GIVE_UP_MS = OUTGOING_HOURS * 60 * 60 * 1000;

/** When somebody had a message sent again: it has another day from then on. Undefined where nobody did. */
export const sentAgainAt = ({
  createdAt,
  giveUpAt,
}: Pick<StoredMessage, 'createdAt' | 'giveUpAt'>): number | undefined =>
  giveUpAt === createdAt + GIVE_UP_MS ? undefined : giveUpAt - GIVE_UP_MS;

/**
 * Keys of all that ladders send begin with this. It is dropped when somebody takes its alert, so it takes the place of what other
 * ladders send alone.
 */
export const LADDERS_KEY = 'ladder';

/** Keys of the messages that a ladder makes begin with this and the id of its run. */
export const LADDER_KEY = 'ladder:';

/** Keys of the messages of ladders about several alerts begin with this. What is sent of the alert that they show says less. */
export const GROUP_KEY = 'ladder-group:';

/** Key of the message that says that an alert was completed. @param completedAt in milliseconds since the epoch */
export const completionKey = (completedAt: number): string => `completed:${completedAt}`;

/** What is to be sent to one destination of one alert, or was. Its id is the `webhook-id` of every attempt. */
export interface StoredMessage {
  /** In the order in which messages of an alert are sent. */
  id: string;
  destinationId: string;
  alertId: string;
  event: MessageEvent;
  /** Names what happened, so that the feed may be read twice: no two messages of an alert and a destination have the same. */
  eventKey: string;
  state: OutgoingState;
  /** An {@link OutgoingPayload} as JSON: the same in every attempt, whatever the alert has become since. */
  content: string;
  attempts: number;
  /** When it is tried next. */
  nextAt: number;
  /** Until then a server that has claimed it may be sending it. 0 when nobody is. */
  claimedUntil: number;
  /** The last {@link OutgoingAttempt}s as JSON. */
  attemptLog: string;
  createdAt: number;
  /** From then on it is not tried any more. */
  giveUpAt: number;
  finishedAt: number | null;
}

export const MessageEntity = new EntitySchema<StoredMessage>({
  name: 'OutgoingMessage',
  tableName: 'outgoing_messages',
  columns: {
    id: primary(idColumn('id')),
    destinationId: idColumn('destination_id'),
    alertId: idColumn('alert_id'),
    event: textColumn('event', 16),
    eventKey: textColumn('event_key', 64),
    state: textColumn('state', 16),
    content: longTextColumn('content'),
    attempts: { type: 'int', name: 'attempts' },
    nextAt: timeColumn('next_at'),
    claimedUntil: timeColumn('claimed_until'),
    attemptLog: longTextColumn('attempt_log'),
    createdAt: timeColumn('created_at'),
    giveUpAt: timeColumn('give_up_at'),
    finishedAt: nullable(timeColumn('finished_at')),
  },
});

/** The message of a problem in a chat, which is changed in place, or its ticket. */
export interface StoredLiveMessage {
  destinationId: string;
  alertId: string;
  /** What the service calls it. */
  remote: string;
  /** When it was posted or changed last. */
  updatedAt: number;
  /** Of a ticket: how people call it, and where it is. Null of messages in chats. */
  ticketKey: string | null;
  url: string | null;
  /** Of a ticket: how it is, as we left it or as its system said since. Null of messages in chats. */
  state: TicketState | null;
  /** Of a ticket: when its system is asked how it is; null where it is not. */
  askAt: number | null;
  /** Counts what was recorded of a ticket: an answer that was asked for before says nothing. */
  revision: number | null;
}

/** Longest name of a ticket, in characters. */
export const MAX_TICKET_KEY = 100;

export const LiveMessageEntity = new EntitySchema<StoredLiveMessage>({
  name: 'OutgoingLiveMessage',
  tableName: 'outgoing_live',
  columns: {
    destinationId: primary(idColumn('destination_id')),
    alertId: primary(idColumn('alert_id')),
    remote: textColumn('remote', 255),
    updatedAt: timeColumn('updated_at'),
    ticketKey: nullable(textColumn('ticket_key', MAX_TICKET_KEY)),
    url: nullable(longTextColumn('url')),
    state: nullable(textColumn('state', 8)),
    askAt: nullable(timeColumn('ask_at')),
    revision: { type: 'int', name: 'revision', nullable: true },
  },
});

/** Attempts that are kept of each message. */
const MAX_LOGGED = 10;

export const readAttempts = ({ attemptLog }: Pick<StoredMessage, 'attemptLog'>): OutgoingAttempt[] =>
  JSON.parse(attemptLog) as OutgoingAttempt[];

export const readContent = ({ content }: Pick<StoredMessage, 'content'>): OutgoingPayload =>
  JSON.parse(content) as OutgoingPayload;

/** The log with one more attempt. */
export const withAttempt = (message: Pick<StoredMessage, 'attemptLog'>, attempt: OutgoingAttempt): string =>
  JSON.stringify([...readAttempts(message), attempt].slice(-MAX_LOGGED));

/** A message, whether it says all that those before it say, and the rules that send it. */
export type NewMessage = StoredMessage & { replaces: boolean; ruleIds: readonly string[] };

/** A message that is sent as soon as its destination takes it. */
export const newMessage = (
  alertId: string,
  { id: destinationId, isForPeople }: { id: string; isForPeople: boolean },
  { event, key }: { event: MessageEvent; key: string },
  content: string,
): NewMessage => {
  const now = Date.now();
  return {
    id: newId(),
    destinationId,
    alertId,
    event,
    eventKey: key,
    state: 'waiting',
    content,
    attempts: 0,
    nextAt: now,
    claimedUntil: 0,
    attemptLog: '[]',
    createdAt: now,
    giveUpAt: now + GIVE_UP_MS,
    finishedAt: null,
    replaces: isForPeople && event !== 'note',
    ruleIds: [],
  };
};
