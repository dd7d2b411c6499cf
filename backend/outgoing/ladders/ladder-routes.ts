import { alertIdParamsSchema } from '#backend/contract/alert-query.ts';
import {
  ladderDraftSchema,
  ladderPreviewSchema,
  ladderRunListSchema,
  ladderRunParamsSchema,
  ladderSkipSchema,
} from '#backend/contract/ladder.ts';
import { canSee } from '#backend/alerts/alert/alert.ts';
import { findAccess } from '#backend/alerts/alert/alert-store.ts';
import type { ResolveDeps } from '#backend/outgoing/people/resolve-recipients.ts';
import { administratorOf } from '#backend/outgoing/rules/rule-routes.ts';
import { type Actor, type Endpoint, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { notFound } from '#backend/platform/endpoint/errors.ts';
import { skipToNext, stopRun } from './ladder-commands.ts';
import { findRuns, previewLadder } from './present-run.ts';

/** What happens next to an alert that nobody has, for whoever sees it, and what a ladder would do. */
export function ladderRoutes(deps: ResolveDeps): Endpoint[] {
  const { database } = deps;
  const requireSeen = async (actor: Actor, id: string): Promise<void> => {
    const alert = (await findAccess(database.reads, [id])).get(id);
    if (!alert || !canSee(actor, alert)) throw notFound('There is no alert with this id.');
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/alerts/:id/ladders',
      tag: 'alerts',
      summary:
        'Lists what was done until somebody takes an alert, and what will be: each step with its time and people.',
      access: 'member',
      params: alertIdParamsSchema,
      responses: { 200: ladderRunListSchema },
      handle: async ({ actor, params }) => {
        await requireSeen(actor, params.id);
        return ok(await findRuns(deps, params.id));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/:id/ladders/:runId/skip',
      tag: 'alerts',
      summary: 'Takes the next step of a ladder at once; those after it keep their distance.',
      access: ['admin'],
      params: ladderRunParamsSchema,
      body: ladderSkipSchema,
      errors: [409],
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params: { id, runId }, body }) => {
        await skipToNext(database, administratorOf(actor, ip), { alertId: id, runId }, body.position);
        return noContent();
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/:id/ladders/:runId/stop',
      tag: 'alerts',
      summary: 'Ends a ladder of an alert: nobody is notified by it any more, though nobody has taken the alert.',
      access: ['admin'],
      params: ladderRunParamsSchema,
      errors: [409],
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params: { id, runId } }) => {
        await stopRun(database, administratorOf(actor, ip), { alertId: id, runId });
        return noContent();
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/outgoing/ladder-preview',
      tag: 'outgoing',
      summary: 'Says what a ladder would do from now or another moment on, with real names. Nobody is notified.',
      access: ['admin'],
      body: ladderDraftSchema,
      responses: { 200: ladderPreviewSchema },
      handle: async ({ body: { ladder, at } }) =>
        ok(await previewLadder(deps, ladder, at === undefined ? Date.now() : Date.parse(at))),
    }),
  ];
}
