import * as z from 'zod/mini';

/** Longest filter that is taken, in characters; the audit trail keeps the beginning. */
export const MAX_FILTER = 4_000;

/**
 * Body of `POST /api/exports`, with which a page says that it hands out a file: `what`, the `filter` as the address of the
 * list that was read, in which `format`, and how many `rows`.
 */
export const pageExportSchema = z.object({
  what: z.enum(['alerts', 'audit', 'insight']),
  filter: z.string().check(z.maxLength(MAX_FILTER)),
  format: z.enum(['csv', 'json']),
  rows: z.int().check(z.nonnegative()),
});
export type PageExport = z.infer<typeof pageExportSchema>;
