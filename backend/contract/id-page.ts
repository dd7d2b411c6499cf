import * as z from 'zod/mini';

/** Most rows that one answer of a list other than of alerts holds when the caller names no `limit`. */
export const MAX_PAGE_ROWS = 2_000;

/**
 * Query of a list in order of ids, newest first: `limit` rows (1–500) after the row with the id `before`, which is taken
 * from the previous answer's `Link: <…>; rel="next"` header.
 */
export const idPageQuerySchema = z.object({
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500))),
  before: z.optional(z.uuid()),
});
export type IdPageQuery = z.infer<typeof idPageQuerySchema>;
