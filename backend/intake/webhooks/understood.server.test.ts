import { afterAll, beforeAll, expect, test } from 'vitest';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { replayResultSchema } from '#backend/contract/delivery.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
let world: SourceWorld;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  world = createSourceWorld(server, admin);
});
afterAll(() => server.destroy());

type Own = Awaited<ReturnType<SourceWorld['newSource']>>;
const post = (own: Own, body: unknown, init: RequestInit = {}) =>
  world.send(`/in/${own.token}`, { body: typeof body === 'string' ? body : JSON.stringify(body), ...init });
const alertsOf = ({ source }: Own) =>
  server.database.reads.getRepository(AlertEntity).find({ where: { sourceId: source.id }, order: { id: 'ASC' } });

test('a problem of a sender that nobody knows is one card until its end, whoever reports the same elsewhere', async () => {
  const [own, other] = [await world.newSource(), await world.newSource()];
  const down = { check_id: 5, check_name: 'Login page', check_state_name: 'Reporting Error' };
  await post(own, down);
  await post(own, down);
  await post(other, down);
  expect(await alertsOf(own)).toMatchObject([
    { title: 'Login page: Reporting Error', severity: 'high', status: 'pending', occurrences: 2 },
  ]);
  // The end of another source's problem is not the end of this one.
  const up = { ...down, check_state_name: 'Available' };
  await post(other, up);
  expect(await alertsOf(own)).toMatchObject([{ status: 'pending' }]);
  await post(own, up);
  expect(await alertsOf(own)).toMatchObject([{ status: 'completed', state: 'resolved' }]);
  await post(own, up);
  expect(await alertsOf(own)).toHaveLength(1);
});

test('two deliveries of a new problem at once are one card', async () => {
  const own = await world.newSource();
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(own, { host: 'web-1', state: 'critical' })));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
  expect(await alertsOf(own)).toMatchObject([{ occurrences: 8 }]);
});

test('what has nothing to do makes no alert, is in the log, and ends what failed before', async () => {
  const own = await world.newSource();
  const build = { pipeline: 'shop', branch: 'main' };
  expect((await post(own, { ...build, status: 'running' })).status).toBe(202);
  await world.expectNewest(own.source.id, { outcome: 'ignored', status: 202, summary: 'Nothing to do: running' });
  await post(own, { ...build, status: 'failed' });
  await post(own, { ...build, status: 'running' });
  expect(await alertsOf(own)).toMatchObject([{ title: 'shop failed', status: 'pending', occurrences: 1 }]);
  await post(own, { ...build, status: 'success' });
  expect(await alertsOf(own)).toMatchObject([{ status: 'completed' }]);
  const ignored = async () => (await admin.get(`/api/sources/${own.source.id}/deliveries?outcome=ignored`)).json();
  await expect.poll(ignored).toMatchObject([{ outcome: 'ignored' }, { outcome: 'ignored' }]);
});

test('an alert in the address of a GET is an alert; an address without one is a page', async () => {
  const own = await world.newSource();
  const get = (query: string) => fetch(`${server.url}/in/${own.token}${query}`);
  expect((await get('')).headers.get('Content-Type')).toMatch(/html/);
  expect((await get('?name=Shop&status=down')).status).toBe(202);
  expect((await fetch(`${server.url}/webhook?token=${own.token}&title=Fan+2`)).status).toBe(202);
  const alerts = await alertsOf(own);
  expect(alerts.map(({ title }) => title)).toEqual(['Shop is down', 'Fan 2']);
  expect(JSON.parse(alerts[0]!.payload)).toEqual({ name: 'Shop', status: 'down' });
  expect(JSON.stringify(alerts)).not.toContain(own.token);
  expect((await fetch(`${server.url}/in/nobody?title=a`)).headers.get('Content-Type')).toMatch(/html/);
});

test('an alert in the address of a GET is read again as when it came', async () => {
  const own = await world.newSource();
  const pause = (isPaused: boolean) => admin.send('PATCH', `/api/sources/${own.source.id}`, { isPaused });
  expect((await pause(true)).status).toBe(200);
  expect((await fetch(`${server.url}/in/${own.token}?name=Shop&status=down`)).status).toBe(202);
  const { id } = await world.expectNewest(own.source.id, { method: 'GET', outcome: 'paused' });
  const shown = await (await admin.get(`/api/deliveries/${id}`)).json();
  expect(shown).toMatchObject({ events: [{ title: 'Shop is down', state: 'firing' }] });
  expect((await pause(false)).status).toBe(200);
  expect((await admin.send('POST', `/api/deliveries/${id}/replay`, {})).status).toBeLessThan(300);
  const [alert] = await alertsOf(own);
  expect(alert).toMatchObject({ title: 'Shop is down', extraData: '{}' });
  expect(JSON.parse(alert!.payload)).toEqual({ name: 'Shop', status: 'down' });
});

test('a key that came twice in one header is right, two different ones are not', async () => {
  const own = await world.newSource();
  const send = (value: string) => world.send('/webhook', { headers: { 'X-Webhook-Auth': value } });
  expect((await send(`${own.key}, ${own.key}`)).status).toBe(202);
  expect((await send(`${own.key}, ad_other`)).status).toBe(401);
});

test('a text in another character set is read, and one in none is refused, kept and replayed', async () => {
  const own = await world.newSource();
  const latin = Buffer.from('{"title":"K\u00fchlung steht"}', 'latin1');
  const send = (body: BodyInit, type: string) => post(own, '', { body, headers: { 'Content-Type': type } });
  expect((await send(latin, 'application/json; charset=ISO-8859-1')).status).toBe(202);
  expect(await alertsOf(own)).toMatchObject([{ title: 'K\u00fchlung steht' }]);
  expect((await send('{"title":"Fan 2"}', 'application/xml')).status).toBe(415);
  const refused = await world.expectNewest(own.source.id, { outcome: 'refused', body: '{"title":"Fan 2"}' });
  const path = `/api/deliveries/${refused.id}/replay`;
  expect((await admin.send('POST', path, {})).status).toBeLessThan(300);
  expect(await alertsOf(own)).toMatchObject([{}, { title: 'Fan 2' }]);
});

test('a replay brings what lacks a valid signature only when that is said, and marks its alerts', async () => {
  const own = await world.newSource();
  await admin.send('POST', `/api/sources/${own.source.id}/signing-secrets`, { secret: 'a secret of sixteen' });
  await world.change(own.source.id, { auth: { ...own.source.settings.auth, signature: 'github' } });
  const headers = { 'X-Hub-Signature-256': 'sha256=00' };
  expect((await world.send(`/in/${own.token}`, { headers, body: '{"b":3}' })).status).toBe(401);
  const replay = async (body: object) => {
    const answer = await admin.send('POST', `/api/sources/${own.source.id}/replay`, body);
    return replayResultSchema.parse(await answer.json());
  };
  const refused = await world.expectNewest(own.source.id, { outcome: 'refused' });
  expect(await (await admin.get(`/api/deliveries/${refused.id}`)).json()).toMatchObject({ isUnverified: true });
  const reason = 'Its signature is missing or not valid: anybody may have sent it.';
  expect((await replay({ ids: [refused.id] })).notReplayed).toEqual([{ id: refused.id, reason }]);
  expect((await replay({ ids: [refused.id], unverified: true })).outcomes.new).toBe(1);
  const row = await world.expectNewest(own.source.id, { replayOf: refused.id });
  expect(await (await admin.get(`/api/deliveries/${row.id}`)).json()).toMatchObject({ isUnverified: true });
  const [alert] = await alertsOf(own);
  expect(JSON.parse(alert!.extraData)).toEqual({ signature: 'not verified' });
});

test('Slack is answered with 200, and its retry makes no second alert', async () => {
  const own = await world.newSource();
  const body =
    'team_domain=nordwind&channel_id=C1&channel_name=ops&user_name=mira&timestamp=1772618400.000005&text=db-7+is+down';
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const send = (more = {}) => post(own, body, { headers: { ...headers, ...more } });
  expect((await send()).status).toBe(200);
  expect((await send({ 'X-Slack-Retry-Num': '1', 'X-Slack-Retry-Reason': 'http_timeout' })).status).toBe(200);
  expect(await alertsOf(own)).toHaveLength(1);
});

test('an address that is not there does not repeat the token that somebody put into it', async () => {
  const answer = await fetch(`${server.url}/webhook/adt_0123456789abcdefghij`, { method: 'POST', body: '{}' });
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toContain('0123456789');
});
