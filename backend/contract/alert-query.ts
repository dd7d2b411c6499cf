import * as z from 'zod/mini';
import {
  MAX_QUERY_LENGTH,
  MAX_SEARCH_LENGTH,
  alertSeveritySchema,
  alertSortSchema,
  alertStatusSchema,
  alertUrgencySchema,
} from './alert.ts';
import { isTimeZone } from './search-times.ts';

// Apart from alert.ts, of which the web app's first screen needs all.

/** Halves of a list: what somebody still has to do, and what is completed. */
export const alertCompletionSchema = z.enum(['open', 'completed']);
export type AlertCompletion = z.infer<typeof alertCompletionSchema>;

/** Most rows of one answer when the caller names no `limit`. */
export const MAX_LIST_ROWS = 10_000;

/** Most sources that a list can be narrowed to at once. */
export const MAX_FILTER_SOURCES = 50;

const severitiesSchema = z
  .array(alertSeveritySchema)
  .check(z.minLength(1), z.maxLength(alertSeveritySchema.options.length));
const sourceIdsSchema = z.array(z.uuid()).check(z.minLength(1), z.maxLength(MAX_FILTER_SOURCES));

/**
 * What a list is narrowed to: alerts of one customer, of one type, of one status, open or completed ones, of any of these
 * severities, from any of these sources. A parameter with several values is repeated.
 */
export const alertFilterSchema = z.object({
  customer: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  alertType: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  status: z.optional(alertStatusSchema),
  completion: z.optional(alertCompletionSchema),
  severity: z.optional(
    z.union([
      severitiesSchema,
      z.pipe(
        alertSeveritySchema,
        z.transform((one) => [one]),
      ),
    ]),
  ),
  source: z.optional(
    z.union([
      sourceIdsSchema,
      z.pipe(
        z.uuid(),
        z.transform((one) => [one]),
      ),
    ]),
  ),
});
export type AlertFilter = z.infer<typeof alertFilterSchema>;
/** Orders of a list by which it is sorted, and the last completion first: of what is completed in a member's queue or in one of their folders. */
const alertListSortSchema = z.enum([...alertSortSchema.options, 'completed']);
export type AlertListSort = z.infer<typeof alertListSortSchema>;

/**
 * A search: words and quoted phrases that are all to be found, and `customer:`, `type:`, `source:`, `status:`, `severity:`,
 * `label:`, `owner:`, `folder:`, `is:`, `from:` and `to:`. Days and times of day in it are those of `timeZone` (IANA), else of UTC.
 */
export const searchSchema = {
  search: z.optional(z.string().check(z.trim(), z.maxLength(MAX_QUERY_LENGTH))),
  timeZone: z.optional(
    z.string().check(z.maxLength(64), z.refine(isTimeZone, 'It is not the name of a time zone, such as Europe/Berlin')),
  ),
};

/**
 * A cursor is the last row's id, in the orders by status and by severity with its status or group in front, in that of
 * completion with its time (0 where that is not known). Callers take it as it comes.
 */
const CURSOR = /^(?:[a-z-]{1,24}~|\d{1,16}~)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** True when a cursor was made by a list in this order. */
function isOfOrder(before: string, sort: AlertListSort): boolean {
  const [group = '', id] = before.split('~');
  if (sort === 'completed') return id !== undefined && /^\d+$/.test(group);
  if (sort === 'status') return id !== undefined && alertStatusSchema.safeParse(group).success;
  if (sort === 'severity') return id !== undefined && alertUrgencySchema.safeParse(group).success;
  return id === undefined;
}

/**
 * Query of an alert list: a filter, a `sort`, a text `q` to find in title, customer, url and payload
 * whatever its case, a `search` with words and keys, and `limit` rows (1–500) after the cursor `before`, which is taken from the previous answer's
 * `Link: <…>; rel="next"` header and belongs to the same sort.
 */
export const alertListQuerySchema = z
  .extend(alertFilterSchema, {
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500))),
    before: z.optional(z.string().check(z.regex(CURSOR, 'Take it from the Link header of the answer before'))),
    sort: z._default(alertListSortSchema, 'newest'),
    q: z.optional(z.string().check(z.trim(), z.maxLength(MAX_SEARCH_LENGTH))),
    ...searchSchema,
  })
  .check(
    z.refine(({ before, sort }) => before === undefined || isOfOrder(before, sort), {
      path: ['before'],
      message: 'It belongs to a list in another order',
    }),
    z.refine(({ completion, sort }) => sort !== 'completed' || completion === 'completed', {
      path: ['sort'],
      message: 'It is an order of completed alerts: say completion=completed',
    }),
  );
export type AlertListQuery = z.infer<typeof alertListQuerySchema>;

/** Most customers and most types that `GET /api/alerts/facets` names. Sources it names all, as many as there can be. */
export const MAX_FACET_NAMES = 500;

const facetSearch = {
  q: z.optional(z.string().check(z.trim(), z.maxLength(MAX_SEARCH_LENGTH))),
  completion: z.optional(alertCompletionSchema),
};

/**
 * Query of `GET /api/alerts/facets`: which list; `folderId` with `list=folder` only; names that contain `q`. With `completion`
 * the numbers are those of open or of completed alerts; what is named is all of the list.
 */
export const alertFacetsQuerySchema = z.discriminatedUnion('list', [
  z.object({ list: z.enum(['inbox', 'mine', 'all-folders', 'all', 'snoozed']), ...facetSearch }),
  z.object({ list: z.literal('folder'), folderId: z.uuid(), ...facetSearch }),
]);
export type AlertFacetsQuery = z.infer<typeof alertFacetsQuerySchema>;

/** Path parameter of every call on one alert. */
export const alertIdParamsSchema = z.object({ id: z.uuid() });
