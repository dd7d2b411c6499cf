import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '#backend/platform/database/ids.ts';
import type { LoggedRequest } from './delivery-row.ts';
import { createDeliveryLog } from './delivery-log.ts';
import { limitDeliveries } from './prune-deliveries.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.destroy());

const SOURCE = '01000000-0000-7000-8000-000000000009';
const MIB = 1024 * 1024;

/** A usual request: its headers are those of the one before. The body of a new alert is the alert's, so that many are one row. */
const request = (outcome: 'new' | 'repeated', number: number, alertId = newId()): LoggedRequest => ({
  id: newId(),
  source: { id: SOURCE, keepBodiesUpTo: 262_144 },
  receivedAt: Date.now(),
  outcome,
  way: 'key',
  summary: `Disk of node-${number} is nearly full`,
  results: [{ outcome, alertId, title: `Disk of node-${number} is nearly full`, occurrences: 1 }],
  target: '/webhook',
  rawHeaders: ['Content-Type', 'application/json', 'User-Agent', 'a monitor'],
  body: '{"title":"Disk"}',
  bodyOfAlert: outcome === 'new' ? alertId : null,
  secrets: [],
  status: 202,
  size: 16,
  durationMs: 1.234,
  remoteAddress: '192.0.2.10',
  sender: null,
  recognisedBy: null,
  replayOf: null,
  isUnverified: false,
  maskedKey: null,
  method: 'POST',
});

/** Bytes of the log's tables and indexes in the file. */
async function bytesOnDisk(): Promise<number> {
  const [row]: { bytes: number }[] = await server.database.reads.query(
    "SELECT SUM(pgsize) AS bytes FROM dbstat WHERE name LIKE '%deliver%'",
  );
  return row?.bytes ?? 0;
}

async function counted(): Promise<number> {
  const [row]: { bytes: number }[] = await server.database.reads.query(
    "SELECT SUM(amount) AS bytes FROM delivery_totals WHERE kind = 'bytes'",
  );
  return Number(row?.bytes ?? 0);
}

test.each(['new', 'repeated'] as const)(
  '%s: the log takes of the disk what it counts, and no more than it may',
  async (outcome) => {
    const log = createDeliveryLog({
      database: server.database,
      events: { publish: () => undefined, subscribe: () => () => undefined },
      logger: { warn: () => undefined } as never,
      observe: () => expect.unreachable('All of it is written.'),
    });
    const before = await bytesOnDisk();
    for (let number = 0; number < 6_000; number += 1) log.add(request(outcome, number));
    await log.flush();
    expect(((await bytesOnDisk()) - before) / (await counted())).toBeLessThan(1.15);

    await limitDeliveries({ database: server.database, maxBytes: MIB }, new AbortController().signal);
    expect(await counted()).toBeLessThanOrEqual(MIB);
    expect(await bytesOnDisk()).toBeLessThan(1.3 * MIB);
  },
);
