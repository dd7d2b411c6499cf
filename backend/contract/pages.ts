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

/**
 * Query of a list of names (customers, alert types, mutes): `limit` rows (1–500; 10,000 at most without) after the cursor
 * `before`, which is taken from the previous answer's `Link: <…>; rel="next"` header.
 */
export const nameListQuerySchema = z.object({
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500))),
  before: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
});

/** The same of a list in the order of ids: the cursor is one. */
export const idListQuerySchema = z.extend(nameListQuerySchema, { before: z.optional(z.uuid()) });

/** The same as of names, with a text `q` that the name contains, whatever its case. */
export const nameSearchQuerySchema = z.extend(nameListQuerySchema, {
  q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
});
export type NameSearchQuery = z.infer<typeof nameSearchQuerySchema>;
