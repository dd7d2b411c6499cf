import { alertIdParamsSchema } from '#backend/contract/alert-query.ts';
import { outgoingIdParamsSchema } from '#backend/contract/outgoing.ts';
import {
  type SenderApiKind,
  type SilencingTry,
  alertSilenceSchema,
  silencingChangeSchema,
  silencingSchema,
  silencingTrySchema,
  silencingVersionQuerySchema,
} from '#backend/contract/silence.ts';
import { authorOf } from '#backend/identity/audit/audit-log.ts';
import { canSee } from '#backend/alerts/alert/alert.ts';
import { findAccess } from '#backend/alerts/alert/alert-store.ts';
import { SourceEntity } from '#backend/intake/sources/source-entity.ts';
import { judgeError } from '#backend/outgoing/destinations/judge-answer.ts';
import type { Post } from '#backend/outgoing/destinations/post.ts';
import { administratorOf } from '#backend/outgoing/rules/rule-routes.ts';
import { type Endpoint, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { changedMeanwhile, notFound } from '#backend/platform/endpoint/errors.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { SENDER_KINDS } from './kinds/all-senders.ts';
import { SenderError, type SenderTarget } from './kinds/sender-kind.ts';
import { SilenceEntity, SilencingEntity } from './silence-entities.ts';
import {
  type SilencingDeps,
  endSilence,
  listSilences,
  noSuchSilence,
  presentSettings,
  presentSilences,
  retrySilence,
  saveSilencing,
  targetOfWritten,
} from './silencing-commands.ts';

/** Dependencies of the endpoints of silences. */
export interface SilenceRoutesDeps extends SilencingDeps {
  post: Pick<Post, 'send'>;
}

/** Silencing at the senders of alerts: for administrators, and what became of an alert for whoever sees it. */
export function silenceRoutes(deps: SilenceRoutesDeps): Endpoint[] {
  const { database } = deps;
  const { reads } = database;
  const find = async (id: string) => {
    if (!(await reads.getRepository(SourceEntity).existsBy({ id }))) throw notFound('There is no source with this id.');
    return (await reads.getRepository(SilencingEntity).findOneBy({ id })) ?? undefined;
  };
  const present = async (id: string) => {
    const stored = await find(id);
    return { settings: stored ? presentSettings(stored) : null, silences: await listSilences(database, id) };
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/sources/:id/silencing',
      tag: 'sources',
      summary: 'How what is accepted is silenced at the sender of a source, and the silences that are not over.',
      access: ['admin'],
      params: outgoingIdParamsSchema,
      responses: { 200: silencingSchema },
      handle: async ({ params }) => ok(await present(params.id)),
    }),
    endpoint({
      method: 'PUT',
      path: '/api/sources/:id/silencing',
      tag: 'sources',
      summary:
        'Sets up silencing at the sender of a source, or switches it off, which ends all silences of it. Switched on, it silences what is accepted already, too.',
      access: ['admin'],
      proof: 'always',
      params: outgoingIdParamsSchema,
      query: silencingVersionQuerySchema,
      body: silencingChangeSchema,
      errors: [409],
      responses: { 200: silencingSchema },
      handle: async ({ actor, ip, params, query, body }) => {
        const isDone = await saveSilencing(deps, administratorOf(actor, ip), params.id, body, query.ifVersion);
        const silencing = await present(params.id);
        if (!isDone) throw changedMeanwhile('silencing', jsonText(JSON.stringify(silencing)));
        return ok(silencing);
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/sources/:id/silencing/try',
      tag: 'sources',
      summary: 'Asks the API of a sender for its status, as it is written, saved or not. Nothing is silenced.',
      access: ['admin'],
      proof: 'always',
      params: outgoingIdParamsSchema,
      body: silencingChangeSchema,
      responses: { 200: silencingTrySchema },
      handle: async ({ params, body }) =>
        ok(await trySender(deps, body.kind, targetOfWritten(deps, await find(params.id), { ...body, isOn: true }))),
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/:id/silence',
      tag: 'alerts',
      summary: 'Whether the sender of an alert keeps quiet about it, for whom and until when.',
      access: 'member',
      params: alertIdParamsSchema,
      responses: { 200: alertSilenceSchema },
      handle: async ({ actor, params }) => {
        const alert = (await findAccess(reads, [params.id])).get(params.id);
        if (!alert || !canSee(actor, alert)) throw notFound('There is no alert with this id.');
        const rows = await reads.getRepository(SilenceEntity).findBy({ alertId: params.id });
        return ok({ silence: (await presentSilences(database, rows))[0] ?? null });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/silences/:id/end',
      tag: 'sources',
      summary: 'Ends a silence now. It is not made again before somebody accepts the alert again.',
      access: ['admin'],
      params: outgoingIdParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await endSilence(deps, administratorOf(actor, ip), params.id);
        return noContent();
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/silences/:id/retry',
      tag: 'sources',
      summary: 'Asks the sender again at once, after an attempt that failed.',
      access: 'member',
      params: outgoingIdParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        const silence = await reads.getRepository(SilenceEntity).findOneBy({ id: params.id });
        const alert = silence && (await findAccess(reads, [silence.alertId])).get(silence.alertId);
        const isSeen = alert ? canSee(actor, alert) : actor.role === 'admin';
        if (!silence || !isSeen) throw noSuchSilence();
        await retrySilence(deps, authorOf(actor, ip), params.id);
        return noContent();
      },
    }),
  ];
}

async function trySender(
  { post }: SilenceRoutesDeps,
  kind: SenderApiKind,
  target: SenderTarget,
): Promise<SilencingTry> {
  try {
    const api = SENDER_KINDS[kind].createApi(post, target, AbortSignal.timeout(10_000));
    return { isReached: true, message: await api.tryOut() };
  } catch (error) {
    const said = error instanceof SenderError ? error.message : judgeError(error).answer;
    const message = `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
    return { isReached: false, message: message.endsWith('.') ? message : `${message}.` };
  }
}
