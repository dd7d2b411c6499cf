import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { SourceSecretEntity } from '#backend/intake/sources/source-entity.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { DEFAULT_POLICY, plainEvent } from '#tests/support/incoming-events.ts';
import { type MysqlProxy, startMysqlProxy } from '#tests/support/mysql-proxy.ts';
import { createSourceWorld } from '#tests/support/source-world.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { createAlertWriter } from '#backend/intake/write/alert-writer.ts';
import type { IncomingDelivery, IncomingEvent } from '#backend/intake/write/incoming-delivery.ts';
import { createBatchWriter } from '#backend/intake/write/write-batch.ts';

const isMysql = process.env['TEST_DIALECT'] === 'mysql';

let proxy: MysqlProxy | undefined;
let server: TestServer;
let newSource: () => Promise<IncomingDelivery['source']>;
beforeAll(async () => {
  server = await startTestServer(
    {},
    { isDatabasePatient: true },
    async (url) => (proxy = await startMysqlProxy(url)).url,
  );
  const world = createSourceWorld(server, await server.signedIn({ role: 'admin' }));
  newSource = async () => {
    const { source } = await world.newSource();
    const where = { sourceId: source.id, kind: 'key' } as const;
    const secret = await server.database.reads.getRepository(SourceSecretEntity).findOneByOrFail(where);
    return { id: source.id, name: source.name, secretId: secret.id };
  };
});
afterAll(async () => {
  await expectTrueCounts(server.database);
  await server.destroy();
  await proxy?.stop();
});

type Problem = Partial<Pick<IncomingEvent, 'state' | 'severity'>> & { number: number };

const eventOf = ({ number, ...report }: Problem): IncomingEvent => ({
  ...plainEvent({
    payload: jsonText(`{"number":${number}}`),
    extraData: jsonText('{}'),
    customer: 'Nordwind',
    alertType: 'Disk',
    url: '/webhook',
  }),
  title: `Disk ${number}`,
  severity: 'warning',
  state: 'firing',
  dedupKey: `disk-${number}`,
  ...report,
});

/** A writer as a server of its own has it. */
function newWriter(source: IncomingDelivery['source']) {
  const writer = createAlertWriter({
    writeBatch: createBatchWriter(server.database),
    dialect: server.database.dialect,
    logger: createLogger('silent'),
  });
  return (problems: Problem[]) =>
    writer.write({ source, policy: DEFAULT_POLICY, receivedAt: Date.now(), events: problems.map(eventOf) });
}

const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);
const firing = (count: number): Problem[] => upTo(count).map((number) => ({ number }));

/** A source's alerts as they are stored, in the order of their problems. */
async function storedOf(sourceId: string) {
  const rows: Record<string, unknown>[] = await server.database.reads.query(
    'SELECT title, status, severity, state, occurrences, url, payload, extra_data AS extraData, received_at AS receivedAt, ' +
      'resolved_at AS resolvedAt, (SELECT SUM(occurrences) FROM alert_history h WHERE h.alert_id = a.id ' +
      "AND h.action = 'repeated') AS repeats FROM alerts a WHERE source_id = ? ORDER BY id",
    [sourceId],
  );
  return rows
    .map(({ occurrences, repeats, receivedAt, resolvedAt, ...row }) =>
      Object.assign(row, {
        number: Number(/\d+/.exec(String(row['title']))?.[0]),
        counted: [Number(occurrences), Number(repeats)],
        isNow: Date.now() - Number(receivedAt) < 60_000,
        isResolved: resolvedAt !== null,
      }),
    )
    .toSorted((one, other) => one.number - other.number);
}

test('each of many problems in one delivery is changed for itself', async () => {
  const source = await newSource();
  const write = newWriter(source);
  await write(firing(300));
  // Twice, so that later repeats are counted in entries that are there.
  await write(firing(300));
  const later = upTo(300).map((number): Problem => ({
    number,
    state: number % 3 === 0 ? 'resolved' : 'firing',
    severity: number % 3 === 1 ? 'critical' : 'warning',
  }));
  await write([...later, ...later]);
  expect(await storedOf(source.id)).toEqual(
    upTo(300).map((number) => ({
      number,
      title: `Disk ${number}`,
      status: number % 3 === 0 ? 'completed' : 'pending',
      severity: number % 3 === 1 ? 'critical' : 'warning',
      state: number % 3 === 0 ? 'resolved' : 'firing',
      isResolved: number % 3 === 0,
      counted: number % 3 === 0 ? [2, 1] : [4, 3],
      url: '/webhook',
      payload: `{"number":${number}}`,
      extraData: '{}',
      isNow: true,
    })),
  );
  // What was resolved fires again: the rows of these problems name other alerts from now on.
  await write(firing(300));
  const open = (await storedOf(source.id)).filter(({ isResolved }) => !isResolved);
  expect(open.map(({ number }) => number)).toEqual(upTo(300));
  const again = await write(firing(300));
  expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(['repeated']));
});

test('servers that name the same problems at once, in any order, lose no repeat', async () => {
  const source = await newSource();
  const writers = [newWriter(source), newWriter(source), newWriter(source)];
  await writers[0]?.(firing(60));
  await Promise.all(
    upTo(12).map((round) => writers[round % 3]?.(round % 2 === 0 ? firing(60) : firing(60).toReversed())),
  );
  const stored = await storedOf(source.id);
  expect(stored.map(({ counted }) => counted)).toEqual(upTo(60).map(() => [13, 12]));
});

test.runIf(isMysql)('2,000 repeats in one delivery take few round trips to the database', async () => {
  const source = await newSource();
  const write = newWriter(source);
  await write(firing(2_000));
  await write(firing(2_000));
  const before = proxy?.roundTrips() ?? 0;
  await write(firing(2_000));
  // Among them what else the server asks meanwhile; one for each problem would be thousands.
  expect((proxy?.roundTrips() ?? 0) - before).toBeLessThan(1_000);
  expect((await storedOf(source.id)).every(({ counted }) => String(counted) === '3,2')).toBe(true);
});
