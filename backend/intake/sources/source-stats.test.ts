import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { LOOKED_AT } from '#backend/contract/delivery.ts';
import type { LoggedUse } from '#backend/intake/delivery-log/delivery-entity.ts';
import { createSourceStats } from './source-stats.ts';

const NOW = Date.UTC(2026, 0, 15, 12, 30);
const HOUR_MS = 60 * 60_000;

/** What the database has of one source that was used an hour ago; notes the statements that ask for it. */
function stored() {
  const statements: string[] = [];
  const during = { onQuery: (_sql: string): void => undefined };
  const answers: [part: string, rows: object[]][] = [
    ['MAX(hour)', [{ way: 'key', last: NOW - HOUR_MS - (NOW % HOUR_MS), refused: null }]],
    ['SELECT hour', [{ hour: NOW - HOUR_MS - (NOW % HOUR_MS), outcome: 'new', way: 'key', deliveries: 5 }]],
    ['SELECT id, outcome', [{ id: newId(), outcome: 'new', summary: 'Disk full', receivedAt: NOW - HOUR_MS }]],
    ['delivery_totals', [{ source_id: 'one', kind: 'rows', amount: '5' }]],
  ];
  const query = async (sql: string) => {
    statements.push(sql);
    during.onQuery(sql);
    await setImmediate();
    return answers.find(([part]) => sql.includes(part))?.[1] ?? [];
  };
  return { statements, during, reads: { query } as unknown as Database['reads'] };
}

const use = (outcome: LoggedUse['outcome'], receivedAt = NOW): LoggedUse => ({
  sourceId: 'one',
  receivedAt,
  outcome,
  way: 'token',
  summary: `It was ${outcome}`,
  status: outcome === 'refused' ? 400 : 202,
});

test('what the log knows of a source is read once and then kept: a request sums up nothing', async () => {
  const { statements, reads } = stored();
  const stats = createSourceStats({ reads }, () => NOW);
  const before = (await stats.read(['one'])).get('one');
  expect(before).toMatchObject({
    lastDeliveryAt: NOW - HOUR_MS,
    lastRefusedAt: null,
    refusedToday: 0,
    log: { deliveries: 5, bytes: 0 },
  });
  expect(before?.hours.slice(-2)).toEqual([
    { deliveries: 5, refused: 0 },
    { deliveries: 0, refused: 0 },
  ]);

  statements.length = 0;
  stats.add([use('new', NOW - 2), use('refused', NOW - 1)]);
  const after = (await stats.read(['one'])).get('one');
  expect(statements.filter((sql) => !sql.includes('delivery_totals'))).toEqual([]);
  expect(after).toMatchObject({
    lastDeliveryAt: NOW - 1,
    lastRefusedAt: NOW - 1,
    refusedToday: 1,
    ways: { key: { deliveries: 5 }, token: { deliveries: 2, lastUsedAt: '2026-01-15T12:00:00.000Z' } },
  });
  expect(after?.hours.at(-1)).toEqual({ deliveries: 2, refused: 1 });
  expect(after?.recent.map(({ outcome, summary }) => [outcome, summary])).toEqual([
    ['refused', 'It was refused'],
    ['new', ''],
    ['new', ''],
  ]);
});

test('what is committed while a source is read is not missing later', async () => {
  const { statements, reads, during } = stored();
  const stats = createSourceStats({ reads }, () => NOW);
  during.onQuery = (sql) => {
    if (sql.includes('SELECT id, outcome')) stats.add([use('new')]);
  };
  await stats.read(['one']);
  during.onQuery = () => undefined;
  const again = statements.length;
  await stats.read(['one']);
  expect(statements.slice(again).some((sql) => sql.includes('MAX(hour)'))).toBe(true);
  stats.forget('one');
  const forgotten = statements.length;
  await stats.read(['one']);
  expect(statements.slice(forgotten).some((sql) => sql.includes('MAX(hour)'))).toBe(true);
});

test('what administrators try, or somebody looks at, is no delivery of the sender, and an older one that is logged late is not the last', async () => {
  const { reads } = stored();
  const stats = createSourceStats({ reads }, () => NOW);
  await stats.read(['one']);
  const look = { ...use('handshake'), summary: LOOKED_AT };
  stats.add([{ ...use('new'), way: 'test' }, look, use('refused', NOW - 2 * HOUR_MS)]);
  const after = (await stats.read(['one'])).get('one');
  expect(after?.recent.map(({ outcome }) => outcome)).toEqual(['new', 'refused']);
  expect(after?.lastDeliveryAt).toBe(NOW - HOUR_MS);
});
