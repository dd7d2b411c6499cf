import { z } from 'zod';

/** Where an alert stands (spec.md section 4). `pending` has no owner and is what the inbox shows. */
export const alertStatusSchema = z.enum(['pending', 'accepted', 'in-progress', 'completed']);
export type AlertStatus = z.infer<typeof alertStatusSchema>;

/** The statuses that an owner may set from any other (spec.md section 4). */
export const workStatusSchema = z.enum(['accepted', 'in-progress', 'completed']);
export type WorkStatus = z.infer<typeof workStatusSchema>;

/**
 * One alert on the wire (contract.md section 3).
 *
 * `payload` is the posted JSON object, its text put into answers exactly as received; `extraData` is what came with
 * it outside the body. `customer` and `alertType` are derived and `null` when the body names none. `timestamp` is the
 * moment of receipt, ISO 8601 UTC with milliseconds. `url` is a link from the body, else the request's path and query.
 */
export const alertSchema = z.object({
  id: z.string(),
  payload: z.record(z.string(), z.unknown()),
  extraData: z.record(z.string(), z.unknown()),
  customer: z.string().nullable(),
  alertType: z.string().nullable(),
  timestamp: z.iso.datetime(),
  status: alertStatusSchema,
  ownerId: z.string().optional(),
  ownerName: z.string().optional(),
  url: z.string(),
  folderId: z.string().optional(),
});
export type Alert = z.infer<typeof alertSchema>;

/** A page of an alert list, newest first (contract.md section 2). */
export const alertListSchema = z.array(alertSchema);

/** Most rows that one answer holds when the caller names no `limit` (contract.md section 2). */
export const MAX_LIST_ROWS = 10_000;

/**
 * Query of an alert list: `limit` rows (1–500) older than the cursor `before`, which is taken from the previous
 * answer's `Link: <…>; rel="next"` header.
 */
export const alertListQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(500).optional(),
  before: z.uuid().optional(),
});
export type AlertListQuery = z.infer<typeof alertListQuerySchema>;

/** Path parameter of every call on one alert. */
export const alertIdParamsSchema = z.object({ id: z.uuid() });

/** Body of `PATCH /api/webhooks/{id}/status`. */
export const statusChangeSchema = z.object({ status: workStatusSchema });
