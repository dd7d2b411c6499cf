import { versionQuerySchema } from '#backend/contract/alert-change.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { SourceStatsKeeper } from './source-stats.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';
import { authorOf } from '#backend/identity/audit/audit-log.ts';
import { MAX_MAPPING_BYTES } from '#backend/contract/mapping.ts';
import { sortByName } from '#backend/contract/name.ts';
import {
  type Source,
  newSigningSecretSchema,
  newSourceSchema,
  rotationSchema,
  secretIdParamsSchema,
  sourceChangeSchema,
  sourceIdParamsSchema,
  sourceListSchema,
  sourceSchema,
  sourceWithSecretsSchema,
} from '#backend/contract/source.ts';
import { sourceNameListSchema } from '#backend/contract/sender.ts';
import { type SourceHealth, sourcesInTroubleSchema } from '#backend/contract/source-standing.ts';
import { type Actor, type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { changedMeanwhile, notFound } from '#backend/platform/endpoint/errors.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { presentSource } from './present-source.ts';
import {
  type Administrator,
  addSigningSecret,
  changeSource,
  createSource,
  deleteSource,
  endSecret,
  rotateSecret,
} from './source-commands.ts';
import type { KnownSource, SourceRegistry } from './source-registry.ts';

/** The administrator who asks. */
export const administratorOf = (actor: Actor, ip: string): Administrator => ({
  author: authorOf(actor, ip),
  displayName: actor.displayName,
});

/** 404 for a source that is not there. */
export const noSuchSource = () => notFound('There is no source with this id.');

/** Sources and their secrets: for administrators. Members see their names. */
export function sourceRoutes(context: {
  database: Database;
  sources: SourceRegistry;
  sourceStats: SourceStatsKeeper;
  sealing: Sealing;
  events: EventBus;
  config: { mailIn: { domain: string } | undefined };
}): Endpoint[] {
  const { sources, sourceStats } = context;

  const present = async (known: readonly KnownSource[]): Promise<Source[]> => {
    const stats = await sourceStats.read(known.map(({ id }) => id));
    const now = Date.now();
    return known.flatMap((source) => {
      const own = stats.get(source.id);
      return own ? [presentSource(source, own, context.config.mailIn?.domain, now)] : [];
    });
  };
  const find = async (id: string): Promise<Source> => {
    const source = await sources.load(id);
    const [presented] = source ? await present([source]) : [];
    if (!presented) throw noSuchSource();
    return presented;
  };
  const sorted = () => sortByName([...sources.all()], ({ name }) => name);

  return [
    endpoint({
      method: 'GET',
      path: '/api/sources',
      tag: 'sources',
      summary: 'Lists what sends alerts, by name, with its health and its use in the last 24 hours.',
      access: ['admin'],
      responses: { 200: sourceListSchema },
      handle: async () => ok(await present(sorted())),
    }),
    endpoint({
      method: 'GET',
      path: '/api/source-health',
      tag: 'sources',
      summary: 'Lists the ids of sources that refuse what is posted to them, and of those that are silent.',
      access: ['admin'],
      responses: { 200: sourcesInTroubleSchema },
      handle: async () => {
        const presented = await present(sorted());
        const idsOf = (state: SourceHealth['state']): string[] =>
          presented.filter(({ health }) => health.state === state).map(({ id }) => id);
        return ok({ refusing: idsOf('refusing'), silent: idsOf('silent') });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/source-names',
      tag: 'sources',
      summary: 'Lists the names of sources, for filters and cards.',
      access: 'member',
      responses: { 200: sourceNameListSchema },
      handle: async () =>
        ok(
          sorted().map(({ id, name, recognisedAs, settings: { adapter } }) => ({
            id,
            name,
            sender: adapter === 'auto' ? recognisedAs : adapter,
          })),
        ),
    }),
    endpoint({
      method: 'POST',
      path: '/api/sources',
      tag: 'sources',
      summary: 'Makes a source with a key and an address token, which are shown this once.',
      access: ['admin'],
      proof: 'always',
      body: newSourceSchema,
      maxBodyBytes: MAX_MAPPING_BYTES,
      errors: [409],
      responses: { 201: sourceWithSecretsSchema },
      handle: async ({ actor, ip, body }) => {
        const { source, plain } = await createSource(context, administratorOf(actor, ip), body);
        return created({ source: await find(source.id), plain });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/sources/:id',
      tag: 'sources',
      summary: 'One source.',
      access: ['admin'],
      params: sourceIdParamsSchema,
      responses: { 200: sourceSchema },
      handle: async ({ params }) => ok(await find(params.id)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/sources/:id',
      tag: 'sources',
      summary: 'Changes a source: its name, whether it is paused, and settings, of which absent ones stay.',
      access: ['admin'],
      // Whether a key is enough, or a signature has to be right.
      proof: ({ body }) => body.settings?.auth !== undefined,
      params: sourceIdParamsSchema,
      query: versionQuerySchema,
      body: sourceChangeSchema,
      maxBodyBytes: MAX_MAPPING_BYTES,
      errors: [409],
      responses: { 200: sourceSchema },
      handle: async ({ actor, ip, params, query, body }) => {
        const isDone = await changeSource(context, administratorOf(actor, ip), params.id, body, query.ifVersion);
        const source = await find(params.id);
        if (!isDone) throw changedMeanwhile('source', jsonText(JSON.stringify(source)));
        return ok(source);
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/sources/:id',
      tag: 'sources',
      summary: 'Deletes a source: its secrets end at once, its delivery log is deleted, its alerts stay.',
      access: ['admin'],
      proof: 'always',
      params: sourceIdParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        if (!(await deleteSource(context, authorOf(actor, ip), params.id))) throw noSuchSource();
        return noContent();
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/sources/:id/rotate',
      tag: 'sources',
      summary:
        'Makes a new key or address token, which is shown this once, or takes over a key that senders have; the old one works for 24 hours more.',
      access: ['admin'],
      proof: 'always',
      params: sourceIdParamsSchema,
      body: rotationSchema,
      errors: [409],
      responses: { 201: sourceWithSecretsSchema },
      handle: async ({ actor, ip, params, body }) => {
        const ownKey = body.kind === 'key' ? body.ownKey : undefined;
        const plain = await rotateSecret(context, administratorOf(actor, ip), params.id, body.kind, ownKey);
        return created({ source: await find(params.id), plain: { [body.kind]: plain } });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/sources/:id/signing-secrets',
      tag: 'sources',
      summary: 'Keeps, encrypted, a secret with which the sender signs; the one before is accepted for 24 hours more.',
      access: ['admin'],
      proof: 'always',
      params: sourceIdParamsSchema,
      body: newSigningSecretSchema,
      errors: [409],
      responses: { 201: sourceSchema },
      handle: async ({ actor, ip, params, body }) => {
        await addSigningSecret(context, administratorOf(actor, ip), params.id, body.secret);
        return created(await find(params.id));
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/sources/:id/secrets/:secretId',
      tag: 'sources',
      summary: 'Ends an older key or token now, or deletes a signing secret. A current key is rotated first.',
      access: ['admin'],
      proof: 'always',
      params: secretIdParamsSchema,
      errors: [409],
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await endSecret(context, administratorOf(actor, ip), params.id, params.secretId);
        return noContent();
      },
    }),
  ];
}
