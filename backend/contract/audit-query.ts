import * as z from 'zod/mini';
import { auditKindSchema } from './audit-entry.ts';

/**
 * Query of `GET /api/audit`: `limit` entries (1–500, else 100) older than the entry `before`; of one `kind`, with a text `q`
 * in what the action is called, in who did it, in the token, in what it was done to, in its detail or in the address, at `from` or later and before `to`.
 */
export const auditQuerySchema = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 100),
  before: z.optional(z.uuid()),
  kind: z.optional(auditKindSchema),
  q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  from: z.optional(z.iso.datetime()),
  to: z.optional(z.iso.datetime()),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;
