import { alertSchema } from '#backend/contract/alert.ts';
import { alertIdParamsSchema } from '#backend/contract/alert-query.ts';
import { versionQuerySchema } from '#backend/contract/alert-change.ts';
import {
  assignSchema,
  colleaguesSchema,
  handOverCountsSchema,
  handOverOfSchema,
  handOverSchema,
} from '#backend/contract/assignment.ts';
import { bulkResultSchema } from '#backend/contract/bulk.ts';
import { userIdParamsSchema } from '#backend/contract/user.ts';
import { type Endpoint, endpoint, ok, okJson } from '#backend/platform/endpoint/endpoint.ts';
import { type CommandDeps, changeOneAlert } from './alert-commands.ts';
import { countOpenAlerts, findColleagues, handOver, handOverAll } from './hand-over.ts';

/** What assigning works with. */
type AssignmentContext = CommandDeps & {
  /** Ids of the members of whom a page is connected. */
  onlineMembers: () => ReadonlySet<string>;
};

/** Giving alerts to a colleague, one of them or a whole queue. */
export function assignmentRoutes(context: AssignmentContext): Endpoint[] {
  const { reads } = context.database;
  return [
    endpoint({
      method: 'GET',
      path: '/api/people',
      tag: 'alerts',
      summary: 'Names the members to whom alerts can be given, who has fewest open alerts first.',
      access: 'member',
      responses: { 200: colleaguesSchema },
      handle: async () => ok(await findColleagues(reads, context.onlineMembers())),
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/:id/assign',
      tag: 'alerts',
      summary: 'Gives an alert to a member: from the inbox, of the caller’s own or, for administrators, anybody’s.',
      access: 'member',
      params: alertIdParamsSchema,
      query: versionQuerySchema,
      body: assignSchema,
      responses: { 200: alertSchema },
      errors: [409],
      handle: async ({ actor, ip, params, query, body }) =>
        okJson(await changeOneAlert(context, { actor, ip }, params.id, { action: 'assign', ...body }, query.ifVersion)),
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/hand-over',
      tag: 'alerts',
      summary: 'Counts the caller’s open alerts by folder, status and severity.',
      access: 'member',
      responses: { 200: handOverCountsSchema },
      handle: async ({ actor }) => ok(await countOpenAlerts(reads, actor.id)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/hand-over',
      tag: 'alerts',
      summary: 'Gives the caller’s open alerts to a member, a batch at a time; who is notified once.',
      access: 'member',
      body: handOverSchema,
      responses: { 200: bulkResultSchema },
      errors: [409],
      handle: async ({ actor, ip, body }) => ok(await handOver(context, { actor, ip }, body)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/users/:id/hand-over',
      tag: 'members',
      summary: 'Gives all open alerts of a member to another, a batch at a time; both are notified once.',
      access: ['admin'],
      params: userIdParamsSchema,
      body: handOverOfSchema,
      responses: { 200: bulkResultSchema },
      errors: [409],
      handle: async ({ actor, ip, params, body }) => ok(await handOverAll(context, { actor, ip }, params.id, body)),
    }),
  ];
}
