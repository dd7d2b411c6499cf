import * as z from 'zod/mini';
import { destinationKindSchema, outgoingEventSchema } from './outgoing.ts';
import { ticketSchema } from './ticket.ts';

/**
 * What became of a message. `waiting`: it is sent as soon as the destination takes it. `replaced`: a newer message of the same
 * alert says more. `not-delivered`: the receiver refused it, it was tried for 24 hours, or its destination may not be sent
 * alerts of this customer any more.
 */
export const outgoingStateSchema = z.enum(['waiting', 'sent', 'replaced', 'not-delivered']);
export type OutgoingState = z.infer<typeof outgoingStateSchema>;

/** One attempt: when, how long it took, and what came of it. */
export const outgoingAttemptSchema = z.object({
  at: z.iso.datetime(),
  durationMs: z.int().check(z.nonnegative()),
  /** In words: "200", "429: try again in 24 s", "no answer within 10 s". */
  answer: z.string(),
});
export type OutgoingAttempt = z.infer<typeof outgoingAttemptSchema>;

/** Who was notified of an alert, by what, when, and with what answer. The last ten attempts are in it. */
export const outgoingReceiptSchema = z.object({
  id: z.string(),
  alertId: z.string(),
  alertTitle: z.string(),
  destinationId: z.string(),
  destinationName: z.string(),
  kind: destinationKindSchema,
  /** It went to a member's own channel, whose messages nobody sends again. */
  isOwn: z.optional(z.literal(true)),
  event: outgoingEventSchema,
  /** The message is about so many alerts; absent for one. */
  alerts: z.optional(z.int().check(z.minimum(2))),
  state: outgoingStateSchema,
  createdAt: z.iso.datetime(),
  finishedAt: z.nullable(z.iso.datetime()),
  /** When the next attempt is made, while it is waiting. */
  nextAt: z.nullable(z.iso.datetime()),
  attemptCount: z.int().check(z.nonnegative()),
  attempts: z.array(outgoingAttemptSchema),
});
export type OutgoingReceipt = z.infer<typeof outgoingReceiptSchema>;

/** Answer of `GET /api/alerts/{id}/receipts`: the newest 200 at most, of these the oldest first, with the tickets of the alert. */
export const receiptListSchema = z.object({
  receipts: z.array(outgoingReceiptSchema),
  /** There are older ones, which are left out. */
  hasOlder: z.optional(z.literal(true)),
  /** Absent where there is none. */
  tickets: z.optional(z.array(ticketSchema)),
  /** Why there are none: no rule is on, none of them is about this alert, or a maintenance window kept it quiet. */
  emptyReason: z.optional(z.enum(['no-rules', 'no-match', 'kept-quiet'])),
  /** The name of that window. */
  keptQuietBy: z.optional(z.string()),
});
export type ReceiptList = z.infer<typeof receiptListSchema>;

/** Query of `GET /api/outgoing/messages`: of one destination, in one state; the newest first, 100 at most. */
export const outgoingMessagesQuerySchema = z.object({
  destinationId: z.optional(z.uuid()),
  state: z.optional(outgoingStateSchema),
  before: z.optional(z.uuid()),
});

/** Answer of `GET /api/outgoing/messages`. */
export const outgoingMessageListSchema = z.array(outgoingReceiptSchema);

/** Body of `POST /api/outgoing/messages/send-again`: what was not delivered to a destination, of open alerts alone or of all. */
export const sendAgainSchema = z.object({ destinationId: z.uuid(), onlyOpen: z._default(z.boolean(), true) });

/** Answer of sending again: how many messages wait now. */
export const sendAgainResultSchema = z.object({ messages: z.int().check(z.nonnegative()) });
