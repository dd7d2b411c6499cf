import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import { RUNS_LONG } from '#tests/support/what-runs-where.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let world: SourceWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createSourceWorld(server, await server.signedIn({ role: 'admin' }));
});
afterAll(() => server.destroy());

type Own = Awaited<ReturnType<SourceWorld['newSource']>>;

/** One group of so many alerts, as Alertmanager posts it. @param from number of the first */
const groupOf = (count: number, status: 'firing' | 'resolved', from = 0) =>
  JSON.stringify({
    version: '4',
    groupKey: '{}:{alertname="Down"}',
    status,
    receiver: 'desk',
    groupLabels: { alertname: 'Down' },
    commonLabels: { alertname: 'Down', severity: 'critical' },
    commonAnnotations: {},
    externalURL: 'http://alertmanager.example',
    alerts: Array.from({ length: count }, (_, index) => ({
      status,
      labels: { alertname: 'Down', instance: `web-${from + index}`, severity: 'critical', cluster: 'eu-1' },
      annotations: { summary: `web-${from + index} does not answer`, description: 'x'.repeat(150) },
      startsAt: '2026-03-04T10:15:00.25Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'http://prometheus.example:9090/graph',
      fingerprint: (from + index).toString(16).padStart(16, '0'),
    })),
  });

const post = ({ token }: Own, body: string, headers = {}) =>
  world.send(`/in/${token}`, { body, headers: { 'User-Agent': 'Alertmanager/0.28.1', ...headers } });

const countOf = ({ source }: Own, where = {}) =>
  server.database.reads.getRepository(AlertEntity).count({ where: { sourceId: source.id, ...where } });

/** Alertmanager has sent groups of thousands; five thousand take a few seconds more. */
const COUNT = RUNS_LONG ? 5_000 : 2_300;

test('a group of thousands of alerts is as many cards, and none waits after its end', async () => {
  const own = await world.newSource();
  const firing = groupOf(COUNT, 'firing');
  expect((await post(own, firing)).status).toBe(202);
  expect(await countOf(own, { status: 'pending' })).toBe(COUNT);
  await world.expectNewest(own.source.id, { outcome: 'new', newAlerts: COUNT });
  // Again, as Alertmanager does it every few hours.
  expect((await post(own, firing)).status).toBe(202);
  expect(await countOf(own)).toBe(COUNT);
  expect((await post(own, groupOf(COUNT, 'resolved'))).status).toBe(202);
  expect(await countOf(own, { status: 'completed' })).toBe(COUNT);
});

test('others have their turn while a large delivery is read and stored', async () => {
  const own = await world.newSource();
  const other = await world.newSource();
  const large = post(own, groupOf(4_000, 'firing'));
  let between = 0;
  while (!(await Promise.race([large.then(() => true), world.send(`/in/${other.token}`).then(() => false)])))
    between += 1;
  expect((await large).status).toBe(202);
  expect(between).toBeGreaterThan(4);
  expect(await countOf(own)).toBe(4_000);
});

test('two large deliveries of the same group at once are one card for each alert', async () => {
  const own = await world.newSource();
  const [one, other] = await Promise.all([
    post(own, groupOf(1_000, 'firing')),
    post(own, groupOf(1_000, 'firing', 500)),
  ]);
  expect([one.status, other.status]).toEqual([202, 202]);
  expect(await countOf(own)).toBe(1_500);
});

test('a large signed delivery that is sent again is not taken twice', async () => {
  const own = await world.newSource();
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  await world.admin.send('POST', `/api/sources/${own.source.id}/signing-secrets`, { secret });
  const body = groupOf(600, 'firing');
  const at = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = `v1,${createHmac('sha256', key).update(`a.${at}.${body}`).digest('base64')}`;
  const headers = { 'webhook-id': 'a', 'webhook-timestamp': at, 'webhook-signature': signature };
  const [first, again] = [await post(own, body, headers), await post(own, body, headers)];
  expect([first.status, again.status]).toEqual([202, 202]);
  expect(await countOf(own)).toBe(600);
  expect(await countOf(own, { occurrences: 1 })).toBe(600);
});

test('more than 1 MiB is taken from those alone who send many alerts, and of one alert from nobody', async () => {
  const own = await world.newSource();
  const long = JSON.stringify({ title: 'a', text: 'x'.repeat(1_100_000) });
  expect((await world.send(`/in/${own.token}`, { body: long })).status).toBe(413);
  expect((await post(own, long)).status).toBe(413);
  expect((await post(own, 'x'.repeat(9_000_000))).status).toBe(413);
  expect(await countOf(own)).toBe(0);
});

test('what is wrong with a large body is answered as with any other', async () => {
  const own = await world.newSource();
  const broken = await post(own, `{"alerts":[${'{"a":1},'.repeat(40_000)}`);
  expect([broken.status, await broken.text()]).toEqual([400, expect.stringContaining('not valid JSON')]);
});
