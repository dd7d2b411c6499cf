import type { FindOptionsWhere } from 'typeorm';
import { expect } from 'vitest';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { DeliveryChunkEntity, rowsOfChunk } from '#backend/intake/delivery-log/delivery-chunk.ts';
import {
  type DeliveryRow,
  DeliveryRowEntity,
  type LoggedDelivery,
  newestFirst,
  readRows,
} from '#backend/intake/delivery-log/delivery-entity.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';
import { waitFor } from './wait-for.ts';

/** Rows of the log, newest first, also those in chunks, which are new alerts of one source. */
export async function storedDeliveries(
  reads: TestServer['database']['reads'],
  where: FindOptionsWhere<DeliveryRow> = {},
): Promise<DeliveryRow[]> {
  const { sourceId, outcome = 'new' } = where;
  const chunks = await reads.getRepository(DeliveryChunkEntity).findBy({ ...(sourceId && { sourceId }) });
  const chunked = outcome === 'new' ? chunks.flatMap(rowsOfChunk) : [];
  return newestFirst([...(await reads.getRepository(DeliveryRowEntity).findBy(where)), ...chunked]);
}

/** What tests of sources do on a server. */
export type SourceWorld = ReturnType<typeof createSourceWorld>;

/** Makes and changes sources as this administrator, and posts to them as their senders. */
export function createSourceWorld(server: TestServer, admin: TestClient) {
  const { reads } = server.database;
  const logged = async (where: FindOptionsWhere<DeliveryRow>) => readRows(reads, await storedDeliveries(reads, where));
  return {
    admin,
    /** A new source with its secrets. */
    async newSource() {
      const made = await admin.send('POST', '/api/sources', { name: crypto.randomUUID() });
      const { source, plain } = sourceWithSecretsSchema.parse(await made.json());
      return { source, key: plain.key ?? '', token: plain.token ?? '' };
    },
    change: async (id: string, settings: unknown) =>
      expect((await admin.send('PATCH', `/api/sources/${id}`, { settings })).status).toBe(200),
    /** Posts `{"a":1}` as JSON, unless `init` says otherwise. */
    send: (path: string, init: RequestInit = {}) =>
      fetch(server.url + path, {
        method: 'POST',
        body: '{"a":1}',
        ...init,
        headers: { 'Content-Type': 'application/json', ...init.headers },
      }),
    /** Rows of the log, newest first. */
    logged,
    /** The log's newest row of a source, once it is like this. */
    expectNewest: (sourceId: string, expected: Partial<LoggedDelivery>) =>
      waitFor(async () => {
        const [row] = await logged({ sourceId });
        expect(row).toMatchObject(expected);
        return row as LoggedDelivery;
      }),
    countAlerts: () => reads.getRepository(AlertEntity).count(),
    /** The alert that an answer names. */
    async alertOf(response: Response) {
      const { id } = webhookReceiptSchema.parse(await response.json());
      return reads.getRepository(AlertEntity).findOneByOrFail({ id });
    },
  };
}
