import * as z from 'zod/mini';
import { MAX_SEARCH_LENGTH, alertSeveritySchema } from './alert.ts';
import { alertFilterSchema, searchSchema } from './alert-query.ts';

/** What the list is narrowed to, but for its severity. */
const narrowing = {
  ...z.omit(alertFilterSchema, { severity: true }).shape,
  q: z.optional(z.string().check(z.trim(), z.maxLength(MAX_SEARCH_LENGTH))),
  ...searchSchema,
};

/** Query of `GET /api/alerts/severities`: which list, and what it is narrowed to; `folderId` with `list=folder` only. */
export const severityCountsQuerySchema = z.discriminatedUnion('list', [
  z.object({ list: z.enum(['inbox', 'mine', 'all-folders', 'all', 'snoozed']), ...narrowing }),
  z.object({ list: z.literal('folder'), folderId: z.uuid(), ...narrowing }),
]);
export type SeverityCountsQuery = z.infer<typeof severityCountsQuerySchema>;

/**
 * Answer of `GET /api/alerts/severities`: how many alerts of the list have each severity, highest first; those of which it
 * has none are missing. With `isAtLeast` there may be more: counting stopped early.
 */
export const severityCountsSchema = z.array(
  z.object({
    severity: alertSeveritySchema,
    alerts: z.int().check(z.positive()),
    isAtLeast: z.optional(z.literal(true)),
  }),
);
export type SeverityCounts = z.infer<typeof severityCountsSchema>;
