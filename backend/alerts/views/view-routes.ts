import type { Database } from '#backend/platform/database/database.ts';
import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import {
  newViewSchema,
  viewChangeSchema,
  viewIdParamsSchema,
  viewListAnswerSchema,
  viewNotifyChangeSchema,
  viewOrderSchema,
  viewSchema,
  viewsQuerySchema,
} from '#backend/contract/view.ts';
import { type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { changeView, chooseViewNotice, createView, deleteView, orderViews } from './view-commands.ts';
import { type ViewCounts, createViewCounts } from './view-counts.ts';
import { exceptionRoutes } from './exception-routes.ts';
import { type ViewNotices, openViewNotices } from './view-notices.ts';
import { findViewNotices, findViews, presentView } from './view.ts';

/** Views at work. */
interface Views {
  endpoints: Endpoint[];
  choicesFor: ViewNotices['choicesFor'];
  eventsBefore: ViewNotices['eventsBefore'];
  stop(): Promise<void>;
}

/**
 * Puts views together: their calls, live counts and notifications.
 *
 * @param onlineMembers ids of the members with a connected page, to this server or another one; asked later
 * @param alertsPerStretch how many alerts are counted in one step; default: as in production
 */
export async function openViews(
  context: { database: Database; search: SearchIndex; events: EventBus; logger: Logger },
  onlineMembers: () => ReadonlySet<string>,
  alertsPerStretch?: number,
): Promise<Views> {
  const notices = await openViewNotices(context);
  const counts = createViewCounts(context, onlineMembers, alertsPerStretch);
  return {
    endpoints: [...viewRoutes(context, counts, notices), ...exceptionRoutes(context, notices)],
    choicesFor: notices.choicesFor,
    eventsBefore: notices.eventsBefore,
    async stop() {
      await counts.stop();
      await notices.stop();
    },
  };
}

/** Filters that are saved under a name, one's own and those of everybody. */
function viewRoutes(
  context: { database: Database; events: EventBus },
  counts: ViewCounts,
  notices: ViewNotices,
): Endpoint[] {
  const { reads } = context.database;
  return [
    endpoint({
      method: 'GET',
      path: '/api/views',
      tag: 'views',
      summary: 'Lists the member’s views and the shared ones, with the number of alerts in each.',
      access: 'member',
      query: viewsQuerySchema,
      responses: { 200: viewListAnswerSchema },
      handle: async ({ actor, query: { timeZone = 'UTC' } }) => {
        const [views, chosen] = [await findViews(reads, actor), await findViewNotices(reads, actor.id)];
        return ok(
          views.map((view) =>
            presentView(view, chosen.get(view.id) ?? 'settings', counts.countOf(view, actor, timeZone)),
          ),
        );
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/views',
      tag: 'views',
      summary: 'Saves a view: the member’s own or, by an administrator, everybody’s.',
      access: 'member',
      body: newViewSchema,
      responses: { 201: viewSchema },
      errors: [403, 409],
      handle: async ({ actor, ip, body }) => {
        const view = await createView(context, { actor, ip }, body);
        if (body.notify !== 'settings') await notices.reload();
        return created(presentView(view, body.notify, null));
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/views/order',
      tag: 'views',
      summary: 'Puts the member’s views, or the shared ones, in an order; the last call wins.',
      access: 'member',
      body: viewOrderSchema,
      responses: { 204: 'no content' },
      errors: [403],
      handle: async ({ actor, body }) => {
        await orderViews(context, actor, body);
        return noContent();
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/views/:id',
      tag: 'views',
      summary: 'Changes a view that nobody changed meanwhile.',
      access: 'member',
      params: viewIdParamsSchema,
      body: viewChangeSchema,
      responses: { 200: viewSchema },
      errors: [403, 404, 409],
      handle: async ({ actor, ip, params, body }) => {
        const view = await changeView(context, { actor, ip }, params.id, body);
        const chosen = await findViewNotices(reads, actor.id);
        return ok(presentView(view, chosen.get(view.id) ?? 'settings', null));
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/views/:id/notify',
      tag: 'views',
      summary: 'Sets how the member, and nobody else, is notified of the alerts in a view.',
      access: 'member',
      params: viewIdParamsSchema,
      body: viewNotifyChangeSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, params, body }) => {
        await chooseViewNotice(context, actor, params.id, body);
        await notices.reload();
        return noContent();
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/views/:id',
      tag: 'views',
      summary: 'Deletes a view; its alerts stay where they are.',
      access: 'member',
      params: viewIdParamsSchema,
      responses: { 204: 'no content' },
      errors: [403],
      handle: async ({ actor, ip, params }) => {
        await deleteView(context, { actor, ip }, params.id);
        return noContent();
      },
    }),
  ];
}
