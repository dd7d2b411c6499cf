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
