import type { EntityTarget, ObjectLiteral } from 'typeorm';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { OccurrenceEntity } from '#backend/alerts/maintenance/window-entities.ts';
import { RuleEntity } from '#backend/alerts/rules/rule-entities.ts';
import { configurationPlanSchema } from '#backend/contract/configuration.ts';
import { sourceListSchema } from '#backend/contract/source.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { type MysqlProxy, startMysqlProxy } from '#tests/support/mysql-proxy.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

const isMysql = process.env['TEST_DIALECT'] === 'mysql';

let proxy: MysqlProxy;
let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = isMysql
    ? await startTestServer({}, { isDatabasePatient: true }, async (url) => (proxy = await startMysqlProxy(url)).url)
    : await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(async () => {
  await server.destroy();
  await proxy?.stop();
});

/** A run whose plan is made, to be sent. */
const prepare = async (configuration: object): Promise<() => Promise<Response>> => {
  const planned = await must(admin.send('POST', '/api/configuration/plan', configuration));
  const { changes: expected } = configurationPlanSchema.parse(await planned.json());
  return () => admin.send('POST', '/api/configuration', { configuration, expected });
};
const run = async (configuration: object): Promise<Response> => (await prepare(configuration))();
const apply = (configuration: object): Promise<Response> => must(run(configuration));
const listed = async (): Promise<string[]> =>
  sourceListSchema
    .parse(await (await admin.get('/api/sources')).json())
    .map(({ name, pausedAt }) => `${name}${pausedAt === null ? '' : ', paused'}`);

const MANY = 20;
const many = (of: (index: number) => object): object[] => Array.from({ length: MANY }, (_, index) => of(index));

test('rules and windows are read a few times after a run, however much it changes', async () => {
  const read: EntityTarget<ObjectLiteral>[] = [];
  const { reads } = server.database;
  const getRepository = reads.getRepository.bind(reads);
  vi.spyOn(reads, 'getRepository').mockImplementation((entity) => {
    read.push(entity);
    return getRepository(entity);
  });
  await apply({
    sources: many((index) => ({ name: `Source ${index}` })),
    rules: many((index) => ({ name: `Rule ${index}`, search: 'type:x', actions: { severity: 'low' } })),
    maintenanceWindows: many((index) => ({
      name: `Window ${index}`,
      search: 'type:x',
      startsAt: new Date(Date.now() + 3_600_000).toISOString(),
      minutes: 30,
      timeZone: 'Europe/Berlin',
    })),
  });
  vi.restoreAllMocks();
  // Each change would have its own reading; the server that leads reads the windows by itself, too.
  for (const entity of [RuleEntity, OccurrenceEntity])
    expect(read.filter((one) => one === entity).length).toBeLessThan(MANY);
});

// The embedded database answers before the first news leave.
test.runIf(isMysql)(
  'a page that reads the sources again with each news of them has all of a run in the end',
  async () => {
    const page = await listenLive(admin);
    onTestFinished(() => page.socket.terminate());
    const lists: Promise<string[]>[] = [];
    page.socket.on('message', (frame) => {
      if (String(frame as Buffer).includes('"source_changed"')) lists.push(listed());
    });
    const names = Array.from({ length: 9 }, (_, index) => `Site ${index}`);
    await apply({ sources: [] });
    lists.length = 0;
    const send = await prepare({ sources: names.map((name) => ({ name })) });
    // Each answer of the database takes so long that the first news leave before the sources are read.
    proxy.delay(20);
    await must(send());
    proxy.delay(0);
    await expect.poll(() => lists.length).toBeGreaterThan(0);
    await expect.poll(() => lists.at(-1)).toEqual(names);
  },
);

test.runIf(isMysql)('sources are known as they are stored where the answer of the commit is lost', async () => {
  await apply({ sources: [{ name: 'A' }] });
  const lost = proxy.loseCommitOf('INSERT INTO `sources`');
  const wanted = { sources: [{ name: 'A', isPaused: true }, { name: 'B' }] };
  expect((await run(wanted)).status).toBe(503);
  await lost;
  await expect.poll(listed).toEqual(['A, paused', 'B']);
  const again = proxy.loseCommitOf('INSERT INTO `sources`');
  expect((await admin.send('POST', '/api/sources', { name: 'C' })).status).toBe(503);
  await again;
  await expect.poll(listed).toEqual(['A, paused', 'B', 'C']);
});
