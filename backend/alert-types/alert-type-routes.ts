import { alertTypeListSchema, alertTypeMuteInputSchema, bulkMuteSchema } from '#backend/contract/mute.ts';
import { nameListQuerySchema, nameSearchQuerySchema } from '#backend/contract/name-list.ts';
import { sortNames } from '#backend/contract/name-order.ts';
import type { Database } from '#backend/database/database.ts';
import { type Actor, type Endpoint, type Reply, created, endpoint, noContent, ok } from '#backend/endpoint/endpoint.ts';
import { notFound } from '#backend/endpoint/errors.ts';
import type { EventBus } from '#backend/live/event-bus.ts';
import { muteAll, muteOne } from '#backend/names/mute-all.ts';
import {
  type MuteQuery,
  NAME_LIST_HEADERS,
  type NameRow,
  answerNames,
  findMutePage,
  findNamePage,
} from '#backend/names/name-pages.ts';
import { onBehalfOf } from '#backend/sessions/on-behalf-of.ts';
import { AlertTypeMuteEntity } from './alert-type-mute-entity.ts';

/** The types that alerts have named, and the member's mutes of them: both are lists of names. */
export function alertTypeRoutes({ database, events }: { database: Database; events: EventBus }): Endpoint[] {
  const { reads } = database;
  const answerMutes = async (userId: string, query: MuteQuery): Promise<Reply<200>> => {
    const mutes = { table: 'alert_type_mutes', key: 'alert_type', columns: 'alert_type AS name', userId };
    const page = await findMutePage<NameRow>(reads, mutes, query, ({ name }) => name);
    return answerNames('/api/alert-types/mutes', page, query, sortNames(page.rows.map(({ name }) => name)));
  };
  /** The member's other windows follow. */
  const publishChanged = (userId: string) => events.publish({ type: 'notification_settings_changed', userId });
  const unmute = async (actor: Actor, alertType: string) => {
    await onBehalfOf(database, actor).transaction((tx) =>
      tx.getRepository(AlertTypeMuteEntity).delete({ userId: actor.id, alertType }),
    );
    publishChanged(actor.id);
    return noContent();
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/alert-types',
      tag: 'alert types',
      summary: 'Lists the types that alerts have named, by name.',
      who: 'member',
      query: nameSearchQuerySchema,
      responses: { 200: alertTypeListSchema },
      responseHeaders: NAME_LIST_HEADERS,
      handle: async ({ query }) => {
        const page = await findNamePage<NameRow>(reads, 'alert_types', 'name', query);
        const names = page.rows.map(({ name }) => name);
        return answerNames('/api/alert-types', page, query, names);
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/alert-types/mutes',
      tag: 'alert types',
      summary: 'Lists the types that the member does not want to be notified of.',
      who: 'member',
      query: nameListQuerySchema,
      responses: { 200: alertTypeListSchema },
      responseHeaders: NAME_LIST_HEADERS,
      handle: async ({ actor, query }) => answerMutes(actor.id, query),
    }),
    endpoint({
      method: 'POST',
      path: '/api/alert-types/mutes',
      tag: 'alert types',
      summary: 'Mutes a type for the member.',
      who: 'member',
      body: alertTypeMuteInputSchema,
      responses: { 201: alertTypeMuteInputSchema },
      refusals: [404],
      handle: async ({ actor, body: { alertType } }) => {
        if (!(await muteOne(onBehalfOf(database, actor), 'alert_type', actor.id, alertType)))
          throw notFound('No alert has had this type so far.');
        publishChanged(actor.id);
        return created({ alertType });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/alert-types/mutes/bulk',
      tag: 'alert types',
      summary: 'Mutes every type for the member, or none any more, and lists the mutes that are left (10,000 at most).',
      who: 'member',
      body: bulkMuteSchema,
      responses: { 200: alertTypeListSchema },
      handle: async ({ actor, body: { muted } }) => {
        await muteAll(onBehalfOf(database, actor), 'alert_type', actor.id, muted).finally(() =>
          publishChanged(actor.id),
        );
        const { body } = await answerMutes(actor.id, {});
        return ok(body);
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/alert-types/mutes/:alertType',
      tag: 'alert types',
      summary: 'Lets the member be notified of a type again.',
      who: 'member',
      params: alertTypeMuteInputSchema,
      responses: { 204: 'no content' },
      handle: ({ actor, params: { alertType } }) => unmute(actor, alertType),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/alert-types/mutes',
      tag: 'alert types',
      summary: 'Lets the member be notified of a type again, whatever its name: a path cannot end with “.” or “..”.',
      who: 'member',
      query: alertTypeMuteInputSchema,
      responses: { 204: 'no content' },
      handle: ({ actor, query: { alertType } }) => unmute(actor, alertType),
    }),
  ];
}
