import * as z from 'zod/mini';

/** A customer, derived from alerts. */
export const customerSchema = z.object({ id: z.string(), name: z.string(), lastSeenAt: z.iso.datetime() });
export type Customer = z.infer<typeof customerSchema>;

/** A customer that the member does not want to be notified of. */
export const customerMuteSchema = z.object({ customerId: z.string() });
export type CustomerMute = z.infer<typeof customerMuteSchema>;

/** Body of `POST /api/customer-mutes`, path parameter of `DELETE /api/customer-mutes/{customerId}`. */
export const customerMuteInputSchema = z.object({ customerId: z.uuid() });

/** Body of `POST /api/alert-types/mutes`, path parameter of `DELETE /api/alert-types/mutes/{alertType}`. */
export const alertTypeMuteInputSchema = z.object({
  alertType: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
});

/** Answer of `GET /api/alert-types` and of `GET /api/alert-types/mutes`: names, sorted. */
export const alertTypeListSchema = z.array(z.string());

/**
 * A source that the member does not want to be notified of. Body of `POST /api/source-mutes`, path parameter of
 * `DELETE /api/source-mutes/{sourceId}`.
 */
export const sourceMuteSchema = z.object({ sourceId: z.uuid() });
export type SourceMute = z.infer<typeof sourceMuteSchema>;

/** Answer of `GET /api/customer-mutes/names`: the names of the muted customers. */
export const mutedNameListSchema = z.array(z.string());

/** Body of `POST /api/customer-mutes/bulk` and its like for alert types and sources: all muted, or none. */
export const bulkMuteSchema = z.object({ muted: z.boolean() });

/** Longest time that a mute with an end lasts, in minutes: 366 days. */
export const MAX_MUTE_MINUTES = 366 * 24 * 60;

/** Most mutes with an end that `GET /api/mute-ends` lists. */
export const MAX_MUTE_ENDS = 1_000;

/** A customer or an alert type (by its name) or a source (by its id) that can be muted or be another exception, as one text. */
export const exceptionKey = (kind: 'customer' | 'alert_type' | 'source', id: string): string => `${kind} ${id}`;

/** When a mute ends: at a time, or after so many minutes by the server's clock; neither: never. */
const muteEnd = {
  until: z.optional(z.iso.datetime()),
  minutes: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_MUTE_MINUTES))),
};

const hasOneEnd = ({ until, minutes }: { until?: unknown; minutes?: unknown }) =>
  until === undefined || minutes === undefined;
const ONE_END = { path: ['until'], message: 'Name either until or minutes' };

/** Bodies of `POST /api/customer-mutes`, `POST /api/alert-types/mutes` and `POST /api/source-mutes`. */
export const customerMuteBodySchema = z.extend(customerMuteInputSchema, muteEnd).check(z.refine(hasOneEnd, ONE_END));
export const alertTypeMuteBodySchema = z.extend(alertTypeMuteInputSchema, muteEnd).check(z.refine(hasOneEnd, ONE_END));
export const sourceMuteBodySchema = z.extend(sourceMuteSchema, muteEnd).check(z.refine(hasOneEnd, ONE_END));

/** A mute of the member's that will end: of a customer or a source by its id, of an alert type by its name. */
export const muteEndSchema = z.object({
  kind: z.enum(['customer', 'alert_type', 'source']),
  id: z.string(),
  name: z.string(),
  until: z.iso.datetime(),
});
export type MuteEnd = z.infer<typeof muteEndSchema>;

/** Answer of `GET /api/mute-ends`: the next to end first. */
export const muteEndListSchema = z.array(muteEndSchema);
