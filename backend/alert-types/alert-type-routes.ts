import { alertTypeListSchema, alertTypeMuteInputSchema, bulkMuteSchema } from '#backend/contract/mute.ts';
import { byName } from '#backend/contract/name-order.ts';
import type { Database } from '#backend/database/database.ts';
import { insertIfAbsent } from '#backend/database/insert-if-absent.ts';
import { type Actor, type Endpoint, created, endpoint, noContent, ok } from '#backend/endpoint/endpoint.ts';
import { notFound } from '#backend/endpoint/errors.ts';
import type { EventBus } from '#backend/live/event-bus.ts';
import { onBehalfOf } from '#backend/sessions/on-behalf-of.ts';
import { AlertTypeEntity } from './alert-type-entity.ts';
import { AlertTypeMuteEntity } from './alert-type-mute-entity.ts';
import { muteAllAlertTypes } from './mute-all-alert-types.ts';

/** The types that alerts have named, and which of them the member has muted (spec.md section 7): lists of names. */
export function alertTypeRoutes({ database, events }: { database: Database; events: EventBus }): Endpoint[] {
  const types = database.reads.getRepository(AlertTypeEntity);
  const mutes = database.reads.getRepository(AlertTypeMuteEntity);
  const mutesOf = async (userId: string) => {
    const own = await mutes.findBy({ userId });
    return own.map(({ alertType }) => alertType).sort(byName);
  };
  /** The member's other windows follow. */
  const tellChanged = (userId: string) => events.publish({ type: 'notification_settings_changed', userId });
  const unmute = async (actor: Actor, alertType: string) => {
    await onBehalfOf(database, actor).transaction((tx) =>
      tx.getRepository(AlertTypeMuteEntity).delete({ userId: actor.id, alertType }),
    );
    tellChanged(actor.id);
    return noContent();
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/alert-types',
      tag: 'alert types',
      summary: 'Lists every type that alerts have named, by name.',
      who: 'member',
      responses: { 200: alertTypeListSchema },
      handle: async () => ok((await types.find()).map(({ name }) => name).sort(byName)),
    }),
    endpoint({
      method: 'GET',
      path: '/api/alert-types/mutes',
      tag: 'alert types',
      summary: 'Lists the types that the member does not want to be notified of.',
      who: 'member',
      responses: { 200: alertTypeListSchema },
      handle: async ({ actor }) => ok(await mutesOf(actor.id)),
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
        if (!(await types.existsBy({ name: alertType }))) throw notFound('No alert has had this type so far.');
        await insertIfAbsent(onBehalfOf(database, actor), AlertTypeMuteEntity, { userId: actor.id, alertType });
        tellChanged(actor.id);
        return created({ alertType });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/alert-types/mutes/bulk',
      tag: 'alert types',
      summary: 'Mutes every type for the member, or none any more, and lists the mutes that are left.',
      who: 'member',
      body: bulkMuteSchema,
      responses: { 200: alertTypeListSchema },
      handle: async ({ actor, body: { muted } }) => {
        await muteAllAlertTypes(onBehalfOf(database, actor), actor.id, muted);
        tellChanged(actor.id);
        return ok(await mutesOf(actor.id));
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
