import { alertListRoutes } from '#backend/alerts/lists/alert-list-routes.ts';
import type { Feed } from '#backend/platform/feed/feed.ts';
import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import type { EntityManager } from 'typeorm';
import { findUser } from '#backend/identity/users/user.ts';
import { alertDetailsSchema, alertSchema, snoozeSchema } from '#backend/contract/alert.ts';
import { COMPLETED_UNTAKEN, isCompletedUntaken } from '#backend/contract/alert-place.ts';
import { alertIdParamsSchema } from '#backend/contract/alert-query.ts';
import {
  acceptQuerySchema,
  ownerQuerySchema,
  statusChangeSchema,
  versionQuerySchema,
} from '#backend/contract/alert-change.ts';
import { bulkChangeSchema, bulkResultSchema } from '#backend/contract/bulk.ts';
import { alertMoveSchema } from '#backend/contract/folder.ts';
import { idPageQuerySchema } from '#backend/contract/pages.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { readIdPage } from '#backend/platform/database/id-pages.ts';
import { type Actor, type Endpoint, endpoint, noContent, ok, okJson } from '#backend/platform/endpoint/endpoint.ts';
import { notFound } from '#backend/platform/endpoint/errors.ts';
import { type JsonText, jsonText } from '#backend/platform/endpoint/json-text.ts';
import { type CommandDeps, changeOneAlert } from './alert-commands.ts';
import {
  type PresentableAlert,
  type StoredAlert,
  canSee,
  presentAlert,
  seesEverything,
} from '#backend/alerts/alert/alert.ts';
import { changeManyAlerts } from './bulk-commands.ts';
import { findAlert } from '#backend/alerts/alert/alert-store.ts';
import { firstEntryOf } from '#backend/alerts/alert/write-history.ts';
import { HistoryEntity, presentHistoryEntry } from '#backend/alerts/alert/history.ts';

/** The calls on alerts, with those on their lists. */
export function alertRoutes(context: CommandDeps & { search: SearchIndex; feed: Pick<Feed, 'place'> }): Endpoint[] {
  const { reads } = context.database;
  return [
    ...alertListRoutes(context),
    endpoint({
      method: 'GET',
      path: '/api/alerts/:id',
      tag: 'alerts',
      summary: 'Reads one alert, with the earlier alert of the same problem.',
      access: 'member',
      params: alertIdParamsSchema,
      responses: { 200: alertDetailsSchema },
      handle: async ({ actor, params }) => okJson(await readAlert(reads, actor, params.id)),
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/:id/history',
      tag: 'alerts',
      summary: 'Lists what has happened to an alert, newest first; folders are named to their owner only.',
      access: 'member',
      isList: true,
      params: alertIdParamsSchema,
      query: idPageQuerySchema,
      responses: { 200: historySchema },
      responseHeaders: ['Link'],
      handle: async ({ actor, params, query }) => {
        const alert = await findAlert(reads, params.id);
        const path = `/api/alerts/${params.id}/history`;
        const { rows, headers } = await readIdPage(reads, HistoryEntity, { alertId: params.id }, query, path);
        const isReadable = alert ? canSee(actor, alert) : seesEverything(actor) && rows.length > 0;
        if (!isReadable) throw notFound('This alert no longer exists.');
        const entries = alert && rows.length === 0 && query.before === undefined ? firstEntryOf(alert) : rows;
        return ok(
          entries.map((entry) => presentHistoryEntry(entry, actor.id)),
          { headers },
        );
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/:id/accept',
      tag: 'alerts',
      summary:
        'Takes an alert from the inbox into the member’s own queue, with a status if one is named; of several at once one wins.',
      access: 'member',
      params: alertIdParamsSchema,
      query: acceptQuerySchema,
      responses: { 200: alertSchema },
      errors: [409],
      handle: async ({ actor, ip, params, query: { ifVersion, status } }) =>
        okJson(await changeOneAlert(context, { actor, ip }, params.id, { action: 'accept', status }, ifVersion)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/bulk',
      tag: 'alerts',
      summary:
        'Changes many alerts, a batch at a time: accepts, returns, files, snoozes, assigns or deletes them, or sets their status.',
      access: 'member',
      body: bulkChangeSchema,
      responses: { 200: bulkResultSchema },
      errors: [403, 404, 409],
      handle: async ({ actor, ip, body }) => ok(await changeManyAlerts(context, { actor, ip }, body)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/:id/unaccept',
      tag: 'alerts',
      summary: 'Returns an alert to the inbox.',
      access: 'member',
      params: alertIdParamsSchema,
      query: ownerQuerySchema,
      responses: { 200: alertSchema },
      errors: [409],
      handle: async ({ actor, ip, params, query: { ifOwner, ifVersion } }) =>
        okJson(await changeOneAlert(context, { actor, ip }, params.id, { action: 'unaccept', ifOwner }, ifVersion)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/:id/snooze',
      tag: 'alerts',
      summary:
        'Takes an alert out of its lists until a time or its next firing: of the inbox for all, else for its owner.',
      access: 'member',
      params: alertIdParamsSchema,
      query: versionQuerySchema,
      body: snoozeSchema,
      responses: { 200: alertSchema },
      errors: [409],
      handle: async ({ actor, ip, params, query, body }) =>
        okJson(await changeOneAlert(context, { actor, ip }, params.id, { action: 'snooze', ...body }, query.ifVersion)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/:id/wake',
      tag: 'alerts',
      summary: 'Ends a snooze.',
      access: 'member',
      params: alertIdParamsSchema,
      query: versionQuerySchema,
      responses: { 200: alertSchema },
      errors: [409],
      handle: async ({ actor, ip, params, query }) =>
        okJson(await changeOneAlert(context, { actor, ip }, params.id, { action: 'wake' }, query.ifVersion)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/webhooks/:id/status',
      tag: 'alerts',
      summary: 'Sets the status of an alert of the member’s own.',
      access: 'member',
      params: alertIdParamsSchema,
      query: versionQuerySchema,
      body: statusChangeSchema,
      responses: { 200: alertSchema },
      errors: [409],
      handle: async ({ actor, ip, params, query, body }) =>
        okJson(await changeOneAlert(context, { actor, ip }, params.id, { action: 'status', ...body }, query.ifVersion)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/webhooks/:id/move',
      tag: 'alerts',
      summary: 'Files an alert in a folder of the member’s own, or takes it out.',
      access: 'member',
      params: alertIdParamsSchema,
      query: versionQuerySchema,
      body: alertMoveSchema,
      responses: { 200: alertSchema },
      errors: [409],
      handle: async ({ actor, ip, params, query, body }) =>
        okJson(await changeOneAlert(context, { actor, ip }, params.id, { action: 'move', ...body }, query.ifVersion)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/webhooks/:id',
      tag: 'alerts',
      summary: 'Deletes an alert; its history stays.',
      access: 'member',
      params: alertIdParamsSchema,
      query: ownerQuerySchema,
      responses: { 204: 'no content' },
      errors: [409],
      handle: async ({ actor, ip, params, query: { ifOwner, ifVersion } }) => {
        await changeOneAlert(context, { actor, ip }, params.id, { action: 'delete', ifOwner }, ifVersion);
        return noContent();
      },
    }),
  ];
}

/**
 * One alert, for who may see it in a list.
 *
 * @throws {ProblemError} 404 when there is no such alert, or none that the member may know of.
 */
async function readAlert(reads: EntityManager, actor: Actor, id: string): Promise<JsonText> {
  const alert = await findAlert(reads, id);
  if (!alert || !canSee(actor, alert)) {
    throw notFound(alert && isCompletedUntaken(alert) ? COMPLETED_UNTAKEN : 'This alert no longer exists.');
  }
  const owner = alert.ownerId === null ? null : await findUser(reads, alert.ownerId);
  const previous = alert.previousAlertId === null ? null : await findAlert(reads, alert.previousAlertId);
  return presentAlertDetails(alert, owner?.displayName ?? null, previous && canSee(actor, previous) ? previous : null);
}

/** An alert by itself as it leaves the server, with the earlier alert of the same problem in short. */
function presentAlertDetails(
  alert: PresentableAlert,
  ownerName: string | null,
  previous: StoredAlert | null,
): JsonText {
  const json = presentAlert(alert, ownerName);
  if (!previous) return json;
  const { id, receivedAt, title, state, resolvedAt } = previous;
  const short = {
    id,
    timestamp: new Date(receivedAt).toISOString(),
    title,
    state: state ?? 'event',
    ...(resolvedAt !== null && { resolvedAt: new Date(resolvedAt).toISOString() }),
  };
  return jsonText(`${json.slice(0, -1)},"previousAlert":${JSON.stringify(short)}}`);
}
