import { z } from 'zod';

/**
 * Query of a list of names (customers, alert types, mutes): `limit` rows (1–500; 10,000 at most without) after the cursor
 * `before`, which is taken from the previous answer's `Link: <…>; rel="next"` header.
 */
export const nameListQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(500).optional(),
  before: z.string().min(1).max(200).optional(),
});

/** The same of a list in order of customers' ids: the cursor is one. */
export const customerIdListQuerySchema = nameListQuerySchema.extend({ before: z.uuid().optional() });

/** The same as of names, with a text `q` that the name contains, whatever its case. */
export const nameSearchQuerySchema = nameListQuerySchema.extend({ q: z.string().trim().max(200).optional() });
export type NameSearchQuery = z.infer<typeof nameSearchQuerySchema>;
