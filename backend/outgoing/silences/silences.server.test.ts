import { afterEach, beforeEach, expect, test } from 'vitest';
import { alertSilenceSchema, silencingSchema, silencingTrySchema } from '#backend/contract/silence.ts';
import { pruneMessages } from '#backend/outgoing/messages/prune-messages.ts';
import { LOCAL_NETWORK } from '#tests/support/outgoing-world.ts';
import { type SilencingSender, startSilencingSender } from '#tests/support/silencing-sender.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { SilenceEntity, type StoredSilence } from './silence-entities.ts';

const LABELS = { alertname: 'DiskFull', instance: 'db-7', severity: 'critical' };
const MONTH_MS = 31 * 24 * 60 * 60_000;

let server: TestServer;
let admin: TestClient;
let key: string;
let sourceId: string;
let sender: SilencingSender;

beforeEach(async () => {
  sender = await startSilencingSender('Bearer sesame-1234');
  sender.firing.push({ labels: LABELS, fingerprint: 'f1' });
  server = await startTestServer({ ...LOCAL_NETWORK, PUBLIC_URL: 'http://127.0.0.1:4400' });
  admin = await server.signedIn({ role: 'admin', displayName: 'Mara' });
  key = await server.addApiKey();
  const [source] = (await (await admin.get('/api/sources')).json()) as { id: string }[];
  sourceId = source?.id ?? '';
});
afterEach(async () => {
  await server.destroy();
  await sender.receiver.stop();
});

const written = (change: object = {}) => ({
  kind: 'alertmanager',
  isOn: true,
  url: sender.url,
  auth: 'bearer',
  secret: 'sesame-1234',
  minutes: 240,
  ...change,
});
const setUp = async (change: object = {}) => {
  const response = await admin.send('PUT', `/api/sources/${sourceId}/silencing`, written(change));
  return silencingSchema.parse(await response.json());
};
const report = (status: 'firing' | 'resolved') =>
  admin.postAlert(key, {
    version: '4',
    externalURL: 'http://am:9093',
    groupLabels: {},
    commonLabels: LABELS,
    commonAnnotations: {},
    groupKey: '{}',
    receiver: 'desk',
    status,
    alerts: [
      {
        status,
        labels: LABELS,
        annotations: {},
        startsAt: new Date().toISOString(),
        fingerprint: 'f1',
        generatorURL: '',
      },
    ],
  });
const reportOne = (one: object) =>
  admin.postAlert(key, { title: 'Disks', status: 'firing', dedup_key: 'disks', ...one });
const accept = (id: string) => admin.send('POST', `/api/alerts/${id}/accept`, {});
const giveBack = (id: string) => admin.send('POST', `/api/alerts/${id}/unaccept`, {});
const silenceOf = async (id: string) =>
  alertSilenceSchema.parse(await (await admin.get(`/api/alerts/${id}/silence`)).json()).silence;
const rowsOf = (alertId: string) => server.database.reads.getRepository(SilenceEntity).findBy({ alertId });
/** A report that came after this state of the only silence was looked at, and nothing follows from it. */
const expectSettled = async (alertId: string, ended: StoredSilence | undefined) => {
  await expect
    .poll(async () => (await rowsOf(alertId)).map((row) => [row.id, row.revision > (ended?.revision ?? 0), row.nextAt]))
    .toEqual([[ended?.id, true, null]]);
};
const listed = async () =>
  silencingSchema.parse(await (await admin.get(`/api/sources/${sourceId}/silencing`)).json()).silences;

test('what is accepted here is silenced at its sender, for its owner, and no longer once it is given back', async () => {
  const saved = await setUp();
  expect(saved.settings).toMatchObject({ isOn: true, secretHint: '1234', minutes: 240 });
  const { id } = await report('firing');
  await accept(id);
  await expect
    .poll(() => sender.active())
    .toMatchObject([
      {
        createdBy: 'Mara',
        comment: expect.stringContaining(`http://127.0.0.1:4400/alert/${id}`),
        matchers: Object.entries(LABELS).map(([name, value]) => ({ name, value, isRegex: false, isEqual: true })),
      },
    ]);
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'active', ownerName: 'Mara', fault: null });
  expect(await listed()).toMatchObject([{ alertId: id, state: 'active' }]);

  await giveBack(id);
  await expect.poll(() => sender.active()).toEqual([]);
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'ended', end: 'released' });
  expect(await listed()).toEqual([]);
});

test('accepted, given back and accepted again at once: one silence is active', async () => {
  await setUp();
  const { id } = await report('firing');
  for (let round = 0; round < 5; round += 1) {
    await accept(id);
    await giveBack(id);
  }
  await accept(id);
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'active', fault: null });
  expect(sender.active()).toHaveLength(1);
});

test('a silence whose answer never came is found by its marker, and no second one is made', async () => {
  await setUp();
  const { id } = await report('firing');
  sender.losesAnswers = true;
  await accept(id);
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'waiting', fault: '502: "Bad Gateway"' });
  sender.losesAnswers = false;
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'active' });
  expect(sender.all()).toHaveLength(1);
});

test('what somebody ends at the sender is not made again, until the alert is accepted again', async () => {
  await setUp();
  const { id } = await report('firing');
  await accept(id);
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'active' });
  sender.expire(sender.active()[0]?.id ?? '');
  // Its sender reports the alert again, as it is not silenced any more: that is no reason for a new silence.
  await report('firing');
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'ended', end: 'ended-there' });
  const [ended] = await rowsOf(id);
  await report('firing');
  await expectSettled(id, ended);
  expect(sender.active()).toEqual([]);
  await giveBack(id);
  await accept(id);
  await expect.poll(() => sender.active().length).toBe(1);
});

test('an administrator ends a silence now, and the alert stays accepted', async () => {
  await setUp();
  const { id } = await report('firing');
  await accept(id);
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'active' });
  const [silence] = await listed();
  expect((await admin.send('POST', `/api/silences/${silence?.id}/end`)).status).toBe(204);
  await expect.poll(() => sender.active()).toEqual([]);
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'ended', end: 'ended-here' });
});

test('what an administrator ended is not made again by a report a month later, and is forgotten with its alert', async () => {
  await setUp();
  const { id } = await report('firing');
  await accept(id);
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'active' });
  const [silence] = await listed();
  await admin.send('POST', `/api/silences/${silence?.id}/end`);
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'ended' });
  const passAMonth = async () => {
    await server.database.transaction((tx) =>
      tx.query('UPDATE silences SET finished_at = ? WHERE alert_id = ?', [Date.now() - MONTH_MS, id]),
    );
    await pruneMessages(server.database, new AbortController().signal, Date.now());
  };
  const [ended] = await rowsOf(id);
  await passAMonth();
  await report('firing');
  await expectSettled(id, ended);
  expect([sender.all().length, sender.active()]).toEqual([1, []]);
  expect((await admin.send('DELETE', `/api/webhooks/${id}`)).status).toBe(204);
  await expect.poll(() => passAMonth().then(() => rowsOf(id))).toEqual([]);
});

test('an alert that ends while its sender keeps quiet is resolved here, and its silence is over', async () => {
  await setUp();
  const { id } = await report('firing');
  await accept(id);
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'active' });
  sender.firing.length = 0;
  // It has run for long, so it knows all its alerts.
  sender.upSince = Date.now() - 60 * 60_000;
  await server.database.transaction((tx) => tx.query('UPDATE silences SET next_at = 0 WHERE alert_id = ?', [id]));
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'ended', end: 'resolved' });
  expect(sender.active()).toEqual([]);
  const alert = (await (await admin.get(`/api/alerts/${id}`)).json()) as { state: string; status: string };
  expect(alert).toMatchObject({ state: 'resolved', status: 'accepted' });
});

test('several alerts of the sender that are one here: one of them is silenced, and none once it is given back', async () => {
  await setUp();
  const other = { labels: { ...LABELS, instance: 'db-8' }, fingerprint: 'f2' };
  sender.firing.push(other);
  const looks = () => sender.receiver.requests.filter(({ path }) => path.includes('/alerts?')).length;
  const { id } = await reportOne({ labels: LABELS, fingerprint: 'f1' });
  await accept(id);
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'active' });
  const made = sender.all();
  // While the one that is silenced fires, reports of another one change nothing.
  const before = looks();
  await reportOne(other);
  await expect.poll(looks).toBeGreaterThan(before);
  // What follows from the first look is done before the second.
  const again = looks();
  await reportOne(other);
  await expect.poll(looks).toBeGreaterThan(again);
  expect(await silenceOf(id)).toMatchObject({ state: 'active' });
  expect(sender.all()).toEqual(made);
  sender.firing.shift();
  await reportOne(other);
  const silenced = () => sender.active().map(({ matchers }) => matchers.find(({ name }) => name === 'instance')?.value);
  await expect.poll(silenced).toEqual(['db-8']);
  await giveBack(id);
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'ended', end: 'released' });
  expect(sender.active()).toEqual([]);
});

test('switching it off ends all silences', async () => {
  await setUp();
  const { id } = await report('firing');
  await accept(id);
  await expect.poll(() => sender.active().length).toBe(1);
  await setUp({ isOn: false, secret: undefined });
  await expect.poll(() => sender.active()).toEqual([]);
  await expect.poll(() => silenceOf(id)).toMatchObject({ end: 'switched-off' });
});

test('what is wrong is said in clear words, and tried again once it is right', async () => {
  await setUp({ secret: 'letmein-0000' });
  const { id } = await report('firing');
  await accept(id);
  await expect
    .poll(() => silenceOf(id))
    .toMatchObject({ state: 'waiting', fault: '401: The user name, password or token is wrong.' });
  const tried = async (change: object) => {
    const response = await admin.send('POST', `/api/sources/${sourceId}/silencing/try`, written(change));
    return silencingTrySchema.parse(await response.json());
  };
  expect(await tried({ secret: 'letmein-0000' })).toMatchObject({ isReached: false });
  expect(await tried({ url: 'http://127.0.0.1:1' })).toEqual({
    isReached: false,
    message: 'Nothing answers at this address (connection refused).',
  });
  expect(await tried({})).toEqual({ isReached: true, message: 'It answers: version 0.28.0.' });
  const inside = await admin.send('PUT', `/api/sources/${sourceId}/silencing`, written({ url: 'http://10.0.0.1' }));
  expect(inside.status).toBe(422);
  await setUp();
  await expect.poll(() => sender.active().length).toBe(1);
});

test('an alert without labels is not silenced, and its panel says so', async () => {
  await setUp();
  const { id } = await admin.postAlert(key, { title: 'Disk full', status: 'firing', dedup_key: 'd1' });
  await accept(id);
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'impossible' });
  expect(sender.all()).toEqual([]);
});
