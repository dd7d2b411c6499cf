import * as z from 'zod/mini';
import { workStatusSchema } from './alert.ts';
import { ownerConditionSchema } from './assignment.ts';

/**
 * Query of every call that changes one alert, and of the one that changes a source: the version that the change was decided
 * on. When there is another by now, nothing is changed, and the error (409) has the alert or source as it is.
 */
export const versionQuerySchema = z.object({ ifVersion: z.optional(z.coerce.number().check(z.int(), z.minimum(1))) });

/** Query of `POST /api/alerts/{id}/accept`: `status` is the one that the alert is to have, `accepted` by default. */
export const acceptQuerySchema = z.extend(versionQuerySchema, { status: z.optional(workStatusSchema) });

/**
 * Query of `DELETE /api/webhooks/{id}` and `POST /api/alerts/{id}/unaccept`: `ifOwner` refuses when the alert has another owner
 * than when it was decided on.
 */
export const ownerQuerySchema = z.extend(versionQuerySchema, { ifOwner: z.optional(ownerConditionSchema) });

/**
 * A status. `restoresCompletion` undoes that a completed alert was reopened: with `completed` it is completed at the time at
 * which it was before, where it has been the same owner’s since, and was not reported again.
 */
export const statusChangeSchema = z.object({
  status: workStatusSchema,
  restoresCompletion: z.optional(z.literal(true)),
});
