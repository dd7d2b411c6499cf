import * as z from 'zod/mini';
import { MAX_QUERY_LENGTH } from './alert.ts';
import { OUTGOING_EVENTS, outgoingEventSchema } from './outgoing.ts';

/** A preview of a rule counts messages of the last seven days by the hour, of so many alerts at most. */
export const PREVIEWED_HOURS = 7 * 24;
export const PREVIEWED_ALERTS = 500;

/** A parameter of a query that is repeated, or stands there once. */
const repeated = <T extends z.ZodMiniType<string>>(one: T, most: number) =>
  z._default(
    z.union([
      z.array(one).check(z.maxLength(most)),
      z.pipe(
        one,
        z.transform((value) => [value]),
      ),
    ]),
    [],
  );

/** Query of `GET /api/outgoing/rule-preview`: a rule as it is written. `events` and `destinationIds` are repeated. */
export const rulePreviewQuerySchema = z.object({
  search: z._default(z.string().check(z.trim(), z.maxLength(MAX_QUERY_LENGTH)), ''),
  events: repeated(outgoingEventSchema, OUTGOING_EVENTS.length),
  destinationIds: repeated(z.uuid(), 20),
});
export type RulePreviewQuery = z.infer<typeof rulePreviewQuerySchema>;

/**
 * What a rule would have sent in the last seven days: the messages of each hour, the oldest first, and of the newest alerts.
 * Alerts are judged as they are now. `isCut`: there are more alerts than the newest 500, which are counted.
 */
export const rulePreviewSchema = z.object({
  hours: z.array(z.int().check(z.nonnegative())),
  newest: z.array(z.object({ id: z.string(), messages: z.int().check(z.nonnegative()) })),
  isCut: z.boolean(),
});
export type RulePreview = z.infer<typeof rulePreviewSchema>;
