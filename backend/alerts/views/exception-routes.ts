import {
  exceptionKeySchema,
  newExceptionSchema,
  notificationExceptionListSchema,
} from '#backend/contract/notification-exception.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type Endpoint, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { notFound } from '#backend/platform/endpoint/errors.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { muteOne, unmuteOne } from '#backend/alerts/mutes/mute-all.ts';
import { muteEndOf } from '#backend/alerts/mutes/mute-ends.ts';
import { findExceptions } from './exceptions.ts';
import { chooseViewNotice } from './view-commands.ts';
import type { ViewNotices } from './view-notices.ts';

const PATH = '/api/notification-exceptions';

/** What a member is notified of otherwise than of the rest (docs/decisions/0094-notifications-by-worth.md). */
export function exceptionRoutes({ database }: { database: Database }, notices: ViewNotices): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: PATH,
      tag: 'notifications',
      summary:
        'Lists the views, sources, customers and alert types of which the member is notified otherwise than of the rest.',
      access: 'member',
      responses: { 200: notificationExceptionListSchema },
      responseHeaders: ['X-Total-Count'],
      handle: async ({ actor }) => {
        const { exceptions, total } = await findExceptions(database.reads, actor, Date.now());
        return ok(exceptions, { headers: { 'X-Total-Count': String(total) } });
      },
    }),
    endpoint({
      method: 'PUT',
      path: PATH,
      tag: 'notifications',
      summary: 'Sets how much the member is notified of a view, a source, a customer or an alert type.',
      access: 'member',
      body: newExceptionSchema,
      responses: { 204: 'no content' },
      errors: [404, 409],
      handle: async ({ actor, body: { kind, id, level, until, timeZone } }) => {
        if (kind === 'view') {
          await chooseViewNotice({ database }, actor, id, { notify: level, timeZone });
          await notices.reload();
          return noContent();
        }
        const end = muteEndOf({ until });
        const isKnown = await muteOne(onBehalfOf(database, actor), { kind, userId: actor.id, one: id, end, level });
        if (!isKnown) throw notFound('There is no such customer, alert type or source.');
        return noContent();
      },
    }),
    endpoint({
      method: 'DELETE',
      path: PATH,
      tag: 'notifications',
      summary: 'Lets the member be notified of a view, a source, a customer or an alert type as of the rest.',
      access: 'member',
      query: exceptionKeySchema,
      responses: { 204: 'no content' },
      errors: [404],
      handle: async ({ actor, query: { kind, id } }) => {
        if (kind === 'view') {
          await chooseViewNotice({ database }, actor, id, { notify: 'settings' });
          await notices.reload();
          return noContent();
        }
        await unmuteOne(onBehalfOf(database, actor), kind, actor.id, id, false);
        return noContent();
      },
    }),
  ];
}
