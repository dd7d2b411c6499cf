import type { CountedAudit } from '#backend/identity/audit/counted-audit.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { SourceStatsKeeper } from '#backend/intake/sources/source-stats.ts';
import type { DeliveryLog } from '#backend/intake/delivery-log/delivery-log.ts';
import type { AlertWriter } from '#backend/intake/write/alert-writer.ts';
import type { MappingThread } from '#backend/intake/reading/mapping-thread.ts';
import type { ReadingThread } from '#backend/intake/reading/reading-thread.ts';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import {
  type ReplayResult,
  deliveryCountsQuerySchema,
  deliveryCountsSchema,
  deliveryIdParamsSchema,
  deliveryListQuerySchema,
  deliveryListSchema,
  deliverySchema,
  deliverySummarySchema,
  dryRunResultSchema,
  dryRunSchema,
  mappingPreviewRequestSchema,
  mappingPreviewSchema,
  type ReplayOne,
  replayOneSchema,
  replayResultSchema,
  replaySchema,
  unknownKeysSchema,
} from '#backend/contract/delivery.ts';
import type { AuditAction } from '#backend/contract/audit-entry.ts';
import { MAX_MAPPING_BYTES } from '#backend/contract/mapping.ts';
import { sourceIdParamsSchema } from '#backend/contract/source.ts';
import { type Actor, type Endpoint, created, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { notFound } from '#backend/platform/endpoint/errors.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { type LoggedDelivery, readRows } from '#backend/intake/delivery-log/delivery-entity.ts';
import {
  countDeliveries,
  listDeliveries,
  listUnknownKeys,
  noOutcomes,
  presentSummary,
} from '#backend/intake/delivery-log/delivery-list.ts';
import { findDeliveries } from '#backend/intake/delivery-log/stored-deliveries.ts';
import type { TicketReports } from './deliver.ts';
import { dryRun, dryRunLogged, presentDelivery } from './dry-run.ts';
import { previewMapping } from './mapping-preview.ts';
import { deliverOwn, headersOf, targetOf, whyNotReplayed } from './own-deliveries.ts';
import type { KnownSource, SourceRegistry } from '#backend/intake/sources/source-registry.ts';
import { noSuchSource } from '#backend/intake/sources/source-routes.ts';
import { testRequestOf } from './test-request.ts';

/** Largest body of a dry run: a pasted request of 1 MiB, and its headers. */
const MAX_DRY_RUN_BYTES = 3 * 1024 * 1024;

/** The delivery log of sources, and what administrators do with it. */
export function deliveryRoutes(deps: {
  countedAudit: CountedAudit;
  database: Database;
  sources: SourceRegistry;
  sourceStats: SourceStatsKeeper;
  deliveryLog: DeliveryLog;
  writer: AlertWriter;
  tickets: TicketReports;
  mappings: MappingThread;
  readings: ReadingThread;
}): Endpoint[] {
  const { countedAudit, database, sources, sourceStats, deliveryLog } = deps;
  const knownSource = async (id: string | null): Promise<KnownSource> => {
    const source = id === null ? undefined : await sources.load(id);
    if (!source) throw noSuchSource();
    return source;
  };
  const find = async (id: string): Promise<LoggedDelivery> => {
    const [row] = await readRows(database.reads, await findDeliveries(database.reads, [id]));
    if (!row) throw notFound('There is no delivery with this id; it may be too old to be kept.');
    return row;
  };
  /** Whether a delivery is a test, or a replay of one. */
  const isOfTest = async ({ way, replayOf }: LoggedDelivery): Promise<boolean> => {
    if (way === 'test' || replayOf === null) return way === 'test';
    const [original] = await readRows(database.reads, await findDeliveries(database.reads, [replayOf]));
    return original !== undefined && isOfTest(original);
  };
  const bodyOf = async ({ body, alertId }: LoggedDelivery): Promise<string | null> =>
    body ??
    (alertId === null
      ? null
      : ((await database.reads.getRepository(AlertEntity).findOneBy({ id: alertId }))?.payload ?? null));

  /** Payloads are personal: who has read them is in the audit trail, of a source once an hour. */
  const auditReading = (actor: Actor, ip: string, source: KnownSource | undefined, detail: 'list' | 'contents') => {
    const entry = { author: authorOf(actor, ip), action: 'deliveries_read', detail } as const;
    const subject = source?.name ?? 'no source';
    return countedAudit.read(actor, `${source?.id ?? ''} ${detail}`, { ...entry, subject });
  };

  const replay = async (
    rows: readonly LoggedDelivery[],
    actor: Actor,
    { notify, unverified }: ReplayOne,
  ): Promise<ReplayResult> => {
    const result: ReplayResult = { outcomes: noOutcomes(), notReplayed: [] };
    for (const row of rows) {
      const text = await bodyOf(row);
      const reason = whyNotReplayed(row, text, unverified);
      if (text === null || reason !== undefined) {
        result.notReplayed.push({ id: row.id, reason: reason ?? 'It has no body.' });
        continue;
      }
      const source = await knownSource(row.sourceId);
      const target = targetOf(row);
      const isTest = await isOfTest(row);
      const sent = { headers: headersOf(row), text, target };
      const request = { source, sessionId: actor.sessionId, ...sent, isQuiet: !notify, isTest };
      result.outcomes[await deliverOwn(deps, request, { way: 'replay', original: row })] += 1;
    }
    return result;
  };

  return [
    endpoint({
      method: 'GET',
      path: '/api/sources/:id/deliveries',
      tag: 'sources',
      summary: 'Lists what came to a source, newest first; `q` is looked for in titles, addresses, ids and bodies.',
      access: ['admin'],
      isList: true,
      params: sourceIdParamsSchema,
      query: deliveryListQuerySchema,
      responses: { 200: deliveryListSchema },
      responseHeaders: ['Link'],
      handle: async ({ actor, ip, params, query }) => {
        const source = await knownSource(params.id);
        const { rows, headers } = await listDeliveries(database, source.id, query);
        await auditReading(actor, ip, source, 'list');
        return ok(rows, { headers });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/sources/:id/delivery-counts',
      tag: 'sources',
      summary: 'Counts deliveries by outcome, and in 96 equal parts of a time.',
      access: ['admin'],
      params: sourceIdParamsSchema,
      query: deliveryCountsQuerySchema,
      responses: { 200: deliveryCountsSchema },
      handle: async ({ params, query }) =>
        ok(await countDeliveries(database, (await knownSource(params.id)).id, query)),
    }),
    endpoint({
      method: 'GET',
      path: '/api/deliveries/:id',
      tag: 'sources',
      summary: 'One delivery: the request with its secrets masked, what became of it, and how it is read now.',
      access: ['admin'],
      params: deliveryIdParamsSchema,
      responses: { 200: deliverySchema },
      handle: async ({ actor, ip, params }) => {
        const row = await find(params.id);
        const source = row.sourceId === null ? undefined : sources.get(row.sourceId);
        await auditReading(actor, ip, source, 'contents');
        return ok(await presentDelivery(deps, row, await bodyOf(row), source));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/sources/:id/replay',
      tag: 'sources',
      summary: 'Reads and writes deliveries again, with the settings as they are now.',
      access: ['admin'],
      params: sourceIdParamsSchema,
      body: replaySchema,
      responses: { 200: replayResultSchema },
      handle: async ({ actor, ip, params, body }) => {
        const source = await knownSource(params.id);
        await audit(deps, actor, ip, 'deliveries_replayed', source.name);
        const rows: LoggedDelivery[] = [];
        for (const id of body.ids.toSorted()) {
          const row = await find(id);
          if (row.sourceId !== source.id) throw notFound('There is no delivery with this id at this source.');
          rows.push(row);
        }
        return ok(await replay(rows, actor, body));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/deliveries/:id/replay',
      tag: 'sources',
      summary: 'Reads and writes one delivery again, with the settings as they are now.',
      access: ['admin'],
      params: deliveryIdParamsSchema,
      body: replayOneSchema,
      responses: { 200: replayResultSchema },
      handle: async ({ actor, ip, params, body }) => {
        const row = await find(params.id);
        await audit(deps, actor, ip, 'deliveries_replayed', (await knownSource(row.sourceId)).name);
        return ok(await replay([row], actor, body));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/sources/:id/test',
      tag: 'sources',
      summary: 'Has a sample of the source’s sender read and written as if it had sent it, marked as a test.',
      access: ['admin'],
      params: sourceIdParamsSchema,
      responses: { 201: deliverySummarySchema },
      handle: async ({ actor, ip, params }) => {
        const source = await knownSource(params.id);
        await audit(deps, actor, ip, 'source_tested', source.name);
        const sample = testRequestOf(source);
        const request = {
          source,
          sessionId: actor.sessionId,
          target: '/webhook',
          isQuiet: false,
          isTest: true,
          ...sample,
        };
        const id = newId();
        await deliverOwn(deps, request, { way: 'test', id, remoteAddress: ip });
        await deliveryLog.flush();
        return created(presentSummary(await find(id)));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/sources/:id/dry-run',
      tag: 'sources',
      summary: 'Reads a stored delivery or a pasted request by other settings; nothing of it is stored.',
      access: ['admin'],
      params: sourceIdParamsSchema,
      body: dryRunSchema,
      maxBodyBytes: MAX_DRY_RUN_BYTES,
      responses: { 200: dryRunResultSchema },
      handle: async ({ actor, ip, params, body }) => {
        const source = await knownSource(params.id);
        const row = body.deliveryId === undefined ? undefined : await find(body.deliveryId);
        if (row && row.sourceId !== source.id) throw notFound('There is no delivery with this id at this source.');
        if (row) await auditReading(actor, ip, source, 'contents');
        if (row) return ok(await dryRunLogged(deps, source, row, await bodyOf(row), body));
        return ok(await dryRun(deps, source, body.request?.body ?? null, body.request?.headers ?? {}, body));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/sources/:id/mapping-preview',
      tag: 'sources',
      summary: 'Reads the last deliveries by another mapping, beside the saved one; nothing of it is stored.',
      access: ['admin'],
      params: sourceIdParamsSchema,
      body: mappingPreviewRequestSchema,
      maxBodyBytes: MAX_MAPPING_BYTES,
      responses: { 200: mappingPreviewSchema },
      handle: async ({ actor, ip, params, body }) => {
        const source = await knownSource(params.id);
        await auditReading(actor, ip, source, 'list');
        return ok(await previewMapping(deps, source, body.mapping, bodyOf));
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/unknown-keys',
      tag: 'sources',
      summary: 'Lists the last requests that belong to no source, by key and address.',
      access: ['admin'],
      responses: { 200: unknownKeysSchema },
      handle: async () => {
        const stats = (await sourceStats.read([''])).get('');
        return ok(await listUnknownKeys(database, stats?.hours ?? []));
      },
    }),
  ];
}

/** Notes in the audit trail what an administrator has done with a source. */
const audit = (
  { database }: { database: Database },
  actor: Actor,
  ip: string,
  action: AuditAction,
  subject: string,
): Promise<unknown> => {
  const author = authorOf(actor, ip);
  return onBehalfOf(database, author).transaction((tx) => addAudit(tx, author, action, subject));
};
