import { parseSearch } from '#backend/contract/search.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Feed } from '#backend/platform/feed/feed.ts';
import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import { alertFacetsSchema, alertListSchema } from '#backend/contract/alert.ts';
import { type AlertListQuery, alertFacetsQuerySchema, alertListQuerySchema } from '#backend/contract/alert-query.ts';
import { alertStatsSchema, snoozedCountsSchema } from '#backend/contract/alert-totals.ts';
import { folderIdParamsSchema } from '#backend/contract/folder.ts';
import { queueProgressQuerySchema, queueProgressSchema } from '#backend/contract/alert-totals.ts';
import { severityCountsQuerySchema, severityCountsSchema } from '#backend/contract/severity-counts.ts';
import { type Actor, type Endpoint, type Reply, endpoint, ok, okJson } from '#backend/platform/endpoint/endpoint.ts';
import { malformed, notFound } from '#backend/platform/endpoint/errors.ts';
import { type JsonText, jsonArrayOf, jsonText } from '#backend/platform/endpoint/json-text.ts';
import { findFolder } from '#backend/alerts/alert/folder.ts';
import { countSnoozed, findStats } from '#backend/alerts/alert/alert-counts.ts';
import type { AlertList } from '#backend/contract/alert-place.ts';
import { type AlertPage, findAlertPage } from './alert-pages.ts';
import { type PresentableAlert, SEES_EVERYTHING, presentAlert } from '#backend/alerts/alert/alert.ts';
import { loadAlerts } from './alert-rows.ts';
import { findFacets } from './facets.ts';
import { findProgress } from './queue-progress.ts';
import { countSeverities } from './severity-counts.ts';
import { listNamed, narrowList } from './narrow-list.ts';
import { findNoteHits } from './note-hits.ts';

/** What every list has: it is read page by page. */
const LIST = {
  method: 'GET',
  isList: true,
  tag: 'alerts',
  query: alertListQuerySchema,
  responses: { 200: alertListSchema },
  responseHeaders: ['X-Total-Count', 'X-Total-Count-Relation', 'Link', 'X-Place'],
} as const;

/** The lists of alerts, and the numbers and names over them. */
export function alertListRoutes(context: {
  database: Database;
  search: SearchIndex;
  feed: Pick<Feed, 'place'>;
}): Endpoint[] {
  const { reads } = context.database;
  const readPage = async (actor: Actor, list: AlertList, query: AlertListQuery): Promise<ReadPage> => {
    const { limit, before, sort, ...narrowing } = query;
    if (sort === 'completed' && list.list !== 'mine' && list.list !== 'folder') throw orderOfOwn();
    // Before anything is read: what changes meanwhile is among the changes since.
    const place = context.feed.place();
    const narrowed = await narrowList(context.database, actor, list, narrowing);
    return { page: await findAlertPage(context, narrowed, { limit, before, sort }), query, place };
  };
  return [
    endpoint({
      ...LIST,
      path: '/api/alerts/inbox',
      summary: 'Lists the alerts that wait for somebody to accept them.',
      access: 'member',
      handle: async ({ actor, query }) =>
        answerPage(context.database, 'inbox', await readPage(actor, { list: 'inbox' }, query)),
    }),
    endpoint({
      ...LIST,
      path: '/api/alerts/mine',
      summary: 'Lists the member’s own alerts that are in no folder.',
      access: 'member',
      handle: async ({ actor, query }) => {
        const read = await readPage(actor, { list: 'mine', ownerId: actor.id }, query);
        return answerPage(context.database, 'mine', read, namesOf(actor));
      },
    }),
    endpoint({
      ...LIST,
      path: '/api/alerts/snoozed',
      summary: 'Lists what is snoozed of the inbox, and of the member’s own alerts in folders or not.',
      access: 'member',
      handle: async ({ actor, query }) => {
        const read = await readPage(actor, { list: 'snoozed', ownerId: actor.id }, query);
        return answerPage(context.database, 'snoozed', read, namesOf(actor));
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/snoozed/counts',
      tag: 'alerts',
      summary: 'Counts what is snoozed of the inbox, and of the member’s own alerts.',
      access: 'member',
      responses: { 200: snoozedCountsSchema },
      handle: async ({ actor }) => ok(await countSnoozed(reads, actor.id)),
    }),
    endpoint({
      ...LIST,
      path: '/api/alerts/folder/:id',
      summary: 'Lists the alerts in one of the member’s folders.',
      access: 'member',
      params: folderIdParamsSchema,
      handle: async ({ actor, params, query }) => {
        if (!(await findFolder(reads, actor.id, params.id))) throw notFound('Folder not found');
        const read = await readPage(actor, { list: 'folder', ownerId: actor.id, folderIds: [params.id] }, query);
        return answerPage(context.database, `folder/${params.id}`, read, namesOf(actor));
      },
    }),
    endpoint({
      ...LIST,
      path: '/api/alerts/all',
      summary: 'Lists every alert in the system.',
      access: SEES_EVERYTHING,
      handle: async ({ actor, query }) => {
        const read = await readPage(actor, { list: 'all' }, query);
        const owners = read.page.alerts.flatMap(({ ownerId }) => ownerId ?? []);
        return answerPage(context.database, 'all', read, await findDisplayNames(reads, owners));
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/stats',
      tag: 'alerts',
      summary: 'Counts every alert in the system, by status.',
      access: SEES_EVERYTHING,
      responses: { 200: alertStatsSchema },
      handle: async () => ok(await findStats(reads)),
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/progress',
      tag: 'alerts',
      summary: 'Counts what is open and what is completed of My Alerts or of one of the member’s folders.',
      access: 'member',
      query: queueProgressQuerySchema,
      responses: { 200: queueProgressSchema },
      errors: [404],
      handle: async ({ actor, query }) => {
        if (query.list === 'folder' && !(await findFolder(reads, actor.id, query.folderId))) {
          throw notFound('Folder not found');
        }
        const ownerId = actor.id;
        const place =
          query.list === 'mine'
            ? ({ list: 'mine', ownerId } as const)
            : ({ list: 'folder', ownerId, folderIds: [query.folderId] } as const);
        return ok(await findProgress(context.database, place, Date.parse(query.since)));
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/facets',
      tag: 'alerts',
      summary: 'Names what a list can be filtered by: its customers, types, severities and sources.',
      access: 'member',
      query: alertFacetsQuerySchema,
      responses: { 200: alertFacetsSchema },
      errors: [403, 404],
      handle: async ({ actor, query }) => {
        const list = listNamed(actor, query);
        if (query.list === 'folder' && !(await findFolder(reads, actor.id, query.folderId))) {
          throw notFound('Folder not found');
        }
        return ok(await findFacets(context.database, list, query));
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/severities',
      // A search looks through as much as the list does, for each severity.
      isList: true,
      tag: 'alerts',
      summary: 'Counts the alerts of a list by their severity, narrowed as the list is by everything else.',
      access: 'member',
      query: severityCountsQuerySchema,
      responses: { 200: severityCountsSchema },
      errors: [403, 404],
      handle: async ({ actor, query }) => {
        const { list, q, search, timeZone, customer, alertType, status, completion, source } = query;
        const named = listNamed(actor, query);
        if (list === 'folder' && !(await findFolder(reads, actor.id, query.folderId))) {
          throw notFound('Folder not found');
        }
        const narrowing = { q, search, timeZone, customer, alertType, status, completion, source };
        return ok(await countSeverities(context, await narrowList(context.database, actor, named, narrowing)));
      },
    }),
    endpoint({
      ...LIST,
      path: '/api/alerts/all-folders',
      summary: 'Lists the member’s alerts that are in any folder.',
      access: 'member',
      handle: async ({ actor, query }) => {
        const read = await readPage(actor, { list: 'filed', ownerId: actor.id }, query);
        return answerPage(context.database, 'all-folders', read, namesOf(actor));
      },
    }),
  ];
}

const orderOfOwn = () => {
  const message = 'Only My Alerts and folders are sorted by completion';
  return malformed(`sort: ${message}.`, [{ path: 'sort', message }]);
};

const namesOf = ({ id, displayName }: Actor): ReadonlyMap<string, string> => new Map([[id, displayName]]);

const idsOf = ({ alerts }: AlertPage): string[] => alerts.map(({ id }) => id);

/** What is looked for in texts. */
const textsOf = ({ q, search = '', timeZone = 'UTC' }: AlertListQuery): string[] => [
  ...(q ? [q] : []),
  ...parseSearch(search, { now: Date.now(), timeZone }).texts,
];

/** A page as it was read. */
interface ReadPage {
  page: AlertPage;
  query: AlertListQuery;
  /** The place in the feed at which it was read. */
  place: string;
}

/** A page: the rows, their number in the whole list, the way to the next ones, and the place at which it was read. */
async function answerPage(
  database: Database,
  list: string,
  { page, query, place }: ReadPage,
  ownerNames: ReadonlyMap<string, string> = new Map(),
): Promise<Reply<200>> {
  const asked = Object.entries({ ...query, before: page.next }).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)]),
  );
  const hits = await findNoteHits(database, idsOf(page), textsOf(query));
  const present = (alert: PresentableAlert): JsonText => {
    const json = presentAlert(alert, ownerNames.get(alert.ownerId ?? '') ?? null);
    const hit = hits.get(alert.id);
    return hit === undefined ? json : jsonText(`${json.slice(0, -1)},"noteHit":${JSON.stringify(hit)}}`);
  };
  return okJson(await jsonArrayOf(loadAlerts(database.reads, page.alerts), present), {
    'X-Total-Count': String(page.total),
    'X-Place': place,
    ...(!page.isTotalExact && { 'X-Total-Count-Relation': 'at-least' }),
    ...(page.next && { Link: `</api/alerts/${list}?${new URLSearchParams(asked)}>; rel="next"` }),
  });
}
