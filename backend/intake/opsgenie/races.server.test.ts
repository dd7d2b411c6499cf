import { afterAll, beforeAll, expect, test } from 'vitest';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { type Data, newOpsgenieClient } from '#tests/support/opsgenie-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
let second: TestServer | undefined;
/** Asks both servers by turns, where the database has room for two. */
let client: Awaited<ReturnType<typeof newOpsgenieClient>>;
beforeAll(async () => {
  server = await startTestServer({}, { isOneOfSeveral: true });
  admin = await server.signedIn({ role: 'admin' });
  const urls = [server.url];
  client = await newOpsgenieClient(admin, urls);
  // It reads the sources as it starts.
  if (server.config.databaseUrl !== undefined) second = await server.startSecond();
  if (second) urls.push(second.url);
});
afterAll(async () => {
  await second?.stop();
  await server.destroy();
});

const BY_ALIAS = 'identifierType=alias';
const rounds = () => Array.from({ length: 10 }, () => crypto.randomUUID());

const alertsOf = (sourceId: string) => server.database.reads.getRepository(AlertEntity).findBy({ sourceId });

test('the same alert created twice at once is one, which happened twice', async () => {
  const { call, get, source } = client;
  const aliases = rounds();
  await Promise.all(
    aliases.flatMap((alias) => [1, 2, 3].map(() => call('POST', '/v2/alerts', { message: 'Disk', alias }))),
  );
  expect(await alertsOf(source.id)).toHaveLength(aliases.length);
  for (const alias of aliases) expect(await get(alias)).toMatchObject({ count: 3 });
  await expectTrueCounts(server.database);
});

test('a create without an alias that comes again by its key is answered with the first alert, also at once', async () => {
  const { call, get, statusOf } = client;
  for (const message of rounds()) {
    const headers = { 'Idempotency-Key': message };
    const create = () => call('POST', '/v2/alerts', { message }, headers);
    const answers = [...(await Promise.all([create(), create()])), await create()];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    const statuses = [];
    for (const answer of answers) statuses.push(await statusOf(answer));
    expect(new Set(statuses.map(({ alertId }) => alertId)).size).toBe(1);
    expect(await get(String(statuses[0]?.['alias']))).toMatchObject({ count: 1, message });
    expect((await call('POST', '/v2/alerts', { message: 'Other' }, headers)).status).toBe(409);
  }
});

test('tags added at once are all there', async () => {
  const { call, get } = client;
  const aliases = rounds();
  const [disk = ''] = rounds();
  await call('POST', '/v2/alerts', { message: 'Disk', alias: disk });
  const path = `/v2/alerts/${disk}/tags?${BY_ALIAS}`;
  await Promise.all(aliases.map((tag) => call('POST', path, { tags: [tag] })));
  expect(((await get(disk))['tags'] as string[]).toSorted()).toEqual(aliases.toSorted());
});

test('a close and a member who accepts leave a resolved alert of the member’s, or a completed one of nobody', async () => {
  const { call, get, done } = client;
  const aliases = rounds();
  for (const alias of aliases) {
    const { alertId } = await done('POST', '/v2/alerts', { message: 'Disk', alias });
    const [accepted] = await Promise.all([
      admin.send('POST', `/api/alerts/${String(alertId)}/accept`),
      call('POST', `/v2/alerts/${alias}/close?${BY_ALIAS}`),
    ]);
    expect(await get(alias)).toMatchObject({ status: 'closed', acknowledged: accepted.status === 200 });
    const stored = await (await admin.get(`/api/alerts/${String(alertId)}`)).json();
    expect(stored).toMatchObject({ state: 'resolved', status: accepted.status === 200 ? 'accepted' : 'completed' });
  }
  await expectTrueCounts(server.database);
});

test('of a snooze by the source and a member who accepts, the member has the alert', async () => {
  const { call, get, done } = client;
  const aliases = rounds();
  const endTime = new Date(Date.now() + 3_600_000).toISOString();
  for (const alias of aliases) {
    const { alertId } = await done('POST', '/v2/alerts', { message: 'Disk', alias });
    const [accepted] = await Promise.all([
      admin.send('POST', `/api/alerts/${String(alertId)}/accept`),
      call('POST', `/v2/alerts/${alias}/snooze?${BY_ALIAS}`, { endTime }),
    ]);
    expect(accepted.status).toBe(200);
    expect(await get(alias)).toMatchObject({ acknowledged: true });
  }
  await expectTrueCounts(server.database);
});

test('a source that is deleted meanwhile changes nothing more', async () => {
  const { call, done, source } = await newOpsgenieClient(admin, [server.url]);
  const aliases = rounds();
  const ids: Data[] = [];
  for (const alias of aliases) ids.push(await done('POST', '/v2/alerts', { message: 'Disk', alias }));
  const [, ...answers] = await Promise.all([
    admin.send('DELETE', `/api/sources/${source.id}`),
    ...ids.map(({ alertId }) => call('DELETE', `/v2/alerts/${String(alertId)}`)),
  ]);
  const done202 = answers.filter(({ status }) => status === 202).length;
  for (const { status } of answers) expect([202, 401]).toContain(status);
  expect(await alertsOf(source.id)).toHaveLength(aliases.length - done202);
  expect((await call('GET', '/v2/alerts')).status).toBe(401);
});
