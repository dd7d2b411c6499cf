import {
  alertIdParamsSchema,
  alertListQuerySchema,
  alertListSchema,
  alertSchema,
  statusChangeSchema,
} from '#backend/contract/alert.ts';
import { alertMoveSchema, folderIdParamsSchema } from '#backend/contract/folder.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { type Endpoint, type Reply, endpoint, noContent, ok, okJson } from '#backend/endpoint/endpoint.ts';
import { notFound } from '#backend/endpoint/errors.ts';
import { findFolder } from '#backend/folders/folder-store.ts';
import { jsonArray } from '#backend/endpoint/json-text.ts';
import {
  type AlertCommandNeeds,
  acceptAlert,
  changeAlertStatus,
  deleteAlert,
  moveAlert,
  unacceptAlert,
} from './alert-commands.ts';
import { canSee, seesEverything } from './alert-policy.ts';
import { type AlertPage, findAlert, findAlertPage, findFiledAlerts, findHistory } from './alert-store.ts';
import { presentAlert } from './present-alert.ts';
import { presentHistoryEntry } from './present-history-entry.ts';

/** The calls on alerts and their lists (spec.md section 7). */
export function alertRoutes(needs: AlertCommandNeeds): Endpoint[] {
  const { reads } = needs.database;
  return [
    endpoint({
      method: 'GET',
      path: '/api/alerts/inbox',
      tag: 'alerts',
      summary: 'Lists the alerts that wait for somebody to accept them.',
      who: 'member',
      query: alertListQuerySchema,
      responses: { 200: alertListSchema },
      responseHeaders: ['X-Total-Count', 'Link'],
      handle: async ({ query }) =>
        answerPage('/api/alerts/inbox', await findAlertPage(reads, { list: 'inbox' }, query), query.limit, null),
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/mine',
      tag: 'alerts',
      summary: 'Lists the member’s own alerts that are in no folder.',
      who: 'member',
      query: alertListQuerySchema,
      responses: { 200: alertListSchema },
      responseHeaders: ['X-Total-Count', 'Link'],
      handle: async ({ actor, query }) => {
        const page = await findAlertPage(reads, { list: 'mine', ownerId: actor.id }, query);
        return answerPage('/api/alerts/mine', page, query.limit, actor.displayName);
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/folder/:id',
      tag: 'alerts',
      summary: 'Lists the alerts in one of the member’s folders.',
      who: 'member',
      params: folderIdParamsSchema,
      query: alertListQuerySchema,
      responses: { 200: alertListSchema },
      responseHeaders: ['X-Total-Count', 'Link'],
      handle: async ({ actor, params, query }) => {
        if (!(await findFolder(reads, actor.id, params.id))) throw notFound('Folder not found');
        const page = await findAlertPage(reads, { list: 'folder', ownerId: actor.id, folderId: params.id }, query);
        return answerPage(`/api/alerts/folder/${params.id}`, page, query.limit, actor.displayName);
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/all-folders',
      tag: 'alerts',
      summary: 'Lists the member’s alerts that are in any folder.',
      who: 'member',
      responses: { 200: alertListSchema },
      handle: async ({ actor }) => {
        const alerts = await findFiledAlerts(reads, actor.id);
        return okJson(jsonArray(alerts.map((alert) => presentAlert(alert, actor.displayName))));
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/:id/history',
      tag: 'alerts',
      summary: 'Tells what has happened to an alert, newest first.',
      who: 'member',
      params: alertIdParamsSchema,
      responses: { 200: historySchema },
      handle: async ({ actor, params }) => {
        const alert = await findAlert(reads, params.id);
        const entries = await findHistory(reads, params.id);
        const isReadable = alert ? canSee(actor, alert) : seesEverything(actor) && entries.length > 0;
        if (!isReadable) throw notFound('This alert does not exist any more.');
        return ok(entries.map(presentHistoryEntry));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/:id/accept',
      tag: 'alerts',
      summary: 'Takes an alert from the inbox into the member’s own queue; of several at once one wins.',
      who: 'member',
      params: alertIdParamsSchema,
      responses: { 200: alertSchema },
      refusals: [409],
      handle: async ({ actor, params }) => okJson(await acceptAlert(needs, actor, params.id)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/:id/unaccept',
      tag: 'alerts',
      summary: 'Returns an alert to the inbox.',
      who: 'member',
      params: alertIdParamsSchema,
      responses: { 200: alertSchema },
      refusals: [409],
      handle: async ({ actor, params }) => okJson(await unacceptAlert(needs, actor, params.id)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/webhooks/:id/status',
      tag: 'alerts',
      summary: 'Sets the status of an alert of the member’s own.',
      who: 'member',
      params: alertIdParamsSchema,
      body: statusChangeSchema,
      responses: { 200: alertSchema },
      refusals: [409],
      handle: async ({ actor, params, body }) => okJson(await changeAlertStatus(needs, actor, params.id, body.status)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/webhooks/:id/move',
      tag: 'alerts',
      summary: 'Files an alert in a folder of the member’s own, or takes it out.',
      who: 'member',
      params: alertIdParamsSchema,
      body: alertMoveSchema,
      responses: { 200: alertSchema },
      refusals: [409],
      handle: async ({ actor, params, body }) => okJson(await moveAlert(needs, actor, params.id, body.folderId)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/webhooks/:id',
      tag: 'alerts',
      summary: 'Deletes an alert; its history stays.',
      who: 'member',
      params: alertIdParamsSchema,
      responses: { 204: 'no content' },
      refusals: [409],
      handle: async ({ actor, params }) => {
        await deleteAlert(needs, actor, params.id);
        return noContent();
      },
    }),
  ];
}

/** A page as contract.md section 2 has it: the rows, their number in the whole list, and the way to the next ones. */
function answerPage(path: string, page: AlertPage, limit: number | undefined, ownerName: string | null): Reply<200> {
  const next = new URLSearchParams({ ...(limit && { limit: String(limit) }), ...(page.next && { before: page.next }) });
  return okJson(jsonArray(page.alerts.map((alert) => presentAlert(alert, ownerName))), {
    'X-Total-Count': String(page.total),
    ...(page.next && { Link: `<${path}?${next}>; rel="next"` }),
  });
}
