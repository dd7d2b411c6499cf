import { alertIdParamsSchema, alertListQuerySchema, statusChangeSchema } from '#backend/contract/alert.ts';
import { alertMoveSchema, folderIdParamsSchema } from '#backend/contract/folder.ts';
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
      who: 'member',
      query: alertListQuerySchema,
      handle: async ({ query }) =>
        answerPage('/api/alerts/inbox', await findAlertPage(reads, { list: 'inbox' }, query), query.limit, null),
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/mine',
      who: 'member',
      query: alertListQuerySchema,
      handle: async ({ actor, query }) => {
        const page = await findAlertPage(reads, { list: 'mine', ownerId: actor.id }, query);
        return answerPage('/api/alerts/mine', page, query.limit, actor.displayName);
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/folder/:id',
      who: 'member',
      params: folderIdParamsSchema,
      query: alertListQuerySchema,
      handle: async ({ actor, params, query }) => {
        if (!(await findFolder(reads, actor.id, params.id))) throw notFound('Folder not found');
        const page = await findAlertPage(reads, { list: 'folder', ownerId: actor.id, folderId: params.id }, query);
        return answerPage(`/api/alerts/folder/${params.id}`, page, query.limit, actor.displayName);
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/all-folders',
      who: 'member',
      handle: async ({ actor }) => {
        const alerts = await findFiledAlerts(reads, actor.id);
        return okJson(jsonArray(alerts.map((alert) => presentAlert(alert, actor.displayName))));
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/:id/history',
      who: 'member',
      params: alertIdParamsSchema,
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
      who: 'member',
      params: alertIdParamsSchema,
      handle: async ({ actor, params }) => okJson(await acceptAlert(needs, actor, params.id)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/:id/unaccept',
      who: 'member',
      params: alertIdParamsSchema,
      handle: async ({ actor, params }) => okJson(await unacceptAlert(needs, actor, params.id)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/webhooks/:id/status',
      who: 'member',
      params: alertIdParamsSchema,
      body: statusChangeSchema,
      handle: async ({ actor, params, body }) => okJson(await changeAlertStatus(needs, actor, params.id, body.status)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/webhooks/:id/move',
      who: 'member',
      params: alertIdParamsSchema,
      body: alertMoveSchema,
      handle: async ({ actor, params, body }) => okJson(await moveAlert(needs, actor, params.id, body.folderId)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/webhooks/:id',
      who: 'member',
      params: alertIdParamsSchema,
      handle: async ({ actor, params }) => {
        await deleteAlert(needs, actor, params.id);
        return noContent();
      },
    }),
  ];
}

/** A page as contract.md section 2 has it: the rows, their number in the whole list, and the way to the next ones. */
function answerPage(path: string, page: AlertPage, limit: number | undefined, ownerName: string | null): Reply {
  const next = new URLSearchParams({ ...(limit && { limit: String(limit) }), ...(page.next && { before: page.next }) });
  return okJson(jsonArray(page.alerts.map((alert) => presentAlert(alert, ownerName))), {
    'X-Total-Count': String(page.total),
    ...(page.next && { Link: `<${path}?${next}>; rel="next"` }),
  });
}
