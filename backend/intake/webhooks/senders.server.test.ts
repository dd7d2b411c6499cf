import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '#backend/contract/source.ts';
import type { LoggedDelivery } from '#backend/intake/delivery-log/delivery-entity.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

let server: TestServer;
let admin: TestClient;
let world: SourceWorld;
let source: Source;
let key: string;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  world = createSourceWorld(server, admin);
  ({ source, key, token } = await world.newSource());
});
afterAll(() => server.destroy());

const send = (path: string, init?: RequestInit) => world.send(path, init);
const change = (id: string, settings: unknown) => world.change(id, settings);
const newSource = () => world.newSource();
const alertOf = (response: Response) => world.alertOf(response);
const expectNewest: SourceWorld['expectNewest'] = (id, expected) => world.expectNewest(id, expected);
const countAlerts = () => world.countAlerts();
const basic = (pair: string) => ({ Authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
const logged: SourceWorld['logged'] = (where) => world.logged(where);
/** Of the clock, as signatures have it. */
const seconds = () => Math.floor(Date.now() / 1000);
/** The ids that answers to what is taken name. */
const idsOf = async (posts: Promise<Response>[]) => {
  const answers = await Promise.all(posts);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
  return Promise.all(answers.map(async (answer) => ((await answer.json()) as { id: string }).id));
};
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('a sender authenticates', () => {
  test.each<[string, () => Promise<Response>, string]>([
    ['by X-Webhook-Auth', () => send('/webhook', { headers: { 'X-Webhook-Auth': key } }), 'key'],
    ['by X-API-Key', () => send('/webhook', { headers: { 'X-API-Key': key } }), 'key'],
    ['by X-Gitlab-Token', () => send('/webhook', { headers: { 'X-Gitlab-Token': key } }), 'key'],
    [
      'by Bearer, however it is written',
      () => send('/webhook', { headers: { Authorization: `BEARER   ${key}` } }),
      'key',
    ],
    ['by Basic', () => send('/webhook', { headers: basic(`anybody:${key}`) }), 'basic'],
    ['by a token in the path', () => send(`/in/${token}`), 'token'],
    ['by a token in the path, with a slash behind', () => send(`/in/${token}/?a=1`), 'token'],
    ['by a token in the query', () => send(`/webhook?a=1&token=${token}`), 'token'],
    ['by PUT', () => send('/webhook/', { method: 'PUT', headers: { 'X-Webhook-Auth': key } }), 'key'],
    [
      'by a good key beside a wrong one',
      () => send('/webhook', { headers: { 'X-Webhook-Auth': 'ad_wrong', Authorization: `Bearer ${key}` } }),
      'key',
    ],
  ])('%s', async (_, post, way) => {
    const response = await post();
    expect(response.status).toBe(202);
    const alert = await alertOf(response);
    const row = await expectNewest(source.id, { way: way as LoggedDelivery['way'], alertId: alert.id });
    expect(row).toMatchObject({ outcome: 'new', status: 202, body: null, newAlerts: 1 });
    for (const secret of [key, token]) expect(JSON.stringify([row, alert])).not.toContain(secret);
  });

  test.each<[string, () => Promise<Response>]>([
    ['a wrong key', () => send('/webhook', { headers: { 'X-Webhook-Auth': 'ad_wrong' } })],
    ['a key as a token', () => send(`/in/${key}`)],
    ['a token as a key', () => send('/webhook', { headers: { 'X-Webhook-Auth': token } })],
    ['a token as a password', () => send('/webhook', { headers: basic(`a:${token}`) })],
    ['no key', () => send('/webhook')],
  ])('not by %s: the answer has both challenges and no reason', async (_, post) => {
    const response = await post();
    const text = await response.text();
    expect([response.status, text]).toEqual([401, expect.stringMatching(/^The API key is missing or not valid/)]);
    expect(response.headers.get('WWW-Authenticate')).toMatch(/^Basic realm="webhook".*, Bearer realm="webhook"$/);
    for (const secret of [key, token]) expect(text).not.toContain(secret);
  });

  test('with each way that is on, and no other', async () => {
    const own = await newSource();
    const tries = {
      key: () => send('/webhook', { headers: { 'X-Webhook-Auth': own.key } }),
      basic: () => send('/webhook', { headers: basic(`:${own.key}`) }),
      token: () => send(`/in/${own.token}`),
    };
    for (const off of ['key', 'basic', 'token'] as const) {
      await change(own.source.id, { auth: { ...own.source.settings.auth, [off]: false } });
      const statuses = Object.entries(tries).map(async ([way, post]) => [way, (await post()).status]);
      const expected = Object.keys(tries).map((way) => [way, way === off ? 401 : 202]);
      expect(await Promise.all(statuses)).toEqual(expected);
    }
    await waitFor(async () =>
      expect((await logged({ sourceId: own.source.id, outcome: 'refused' })).map(({ summary }) => summary)).toEqual([
        'The token in the address was used, which is turned off for this source',
        'Basic authentication was used, which is turned off for this source',
        'An API key in a header was used, which is turned off for this source',
      ]),
    );
  });

  test('with a signature, where the source requires one', async () => {
    const own = await newSource();
    const secret = "It's a Secret to Everybody";
    await admin.send('POST', `/api/sources/${own.source.id}/signing-secrets`, { secret });
    const body = '{"action":"opened"}';
    const sign = (text: string) => `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
    const post = (headers: Record<string, string>, bytes: string | Buffer<ArrayBuffer> = body) =>
      send(`/in/${own.token}`, { headers, body: bytes });
    // A signature that is there is checked, also where none is required.
    expect((await post({})).status).toBe(202);
    expect((await post({ 'X-Hub-Signature-256': sign('other') })).status).toBe(401);
    await change(own.source.id, { auth: { ...own.source.settings.auth, signature: 'github' } });
    expect((await post({ 'X-Hub-Signature-256': sign(body) })).status).toBe(202);
    expect((await post({ 'X-Hub-Signature-256': sign(body), 'Content-Encoding': 'gzip' }, gzipSync(body))).status).toBe(
      202,
    );
    expect((await post({})).status).toBe(401);
    await expectNewest(own.source.id, { summary: 'A key without the signature that this source requires', body });
    expect((await post({ 'X-Hub-Signature-256': sign(`${body} `) })).status).toBe(401);
    await expectNewest(own.source.id, {
      summary: 'The signature does not match: another secret, or the body was changed on the way',
    });
  });

  describe('with a signature over a time', () => {
    const secret = "It's a Secret to Everybody";
    const body = '{"problem":"Disk full"}';
    const signedSource = async (scheme: 'stripe' | 'github') => {
      const own = await newSource();
      await admin.send('POST', `/api/sources/${own.source.id}/signing-secrets`, { secret });
      await change(own.source.id, { auth: { ...own.source.settings.auth, signature: scheme } });
      return own;
    };
    const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
    const stripe = (at: number) => ({ 'Stripe-Signature': `t=${at},v1=${sign(`${at}.${body}`)}` });
    test('the same request once more makes no alert, whatever id it names', async () => {
      const own = await signedSource('stripe');
      // One time for all: a second may end between them.
      const now = seconds();
      const headers = stripe(now);
      const before = await countAlerts();
      const post = (more: Record<string, string> = {}) =>
        send(`/in/${own.token}`, { headers: { ...headers, ...more }, body });
      const [first] = await idsOf([post({ 'Idempotency-Key': 'its own' })]);
      const again = [post(), post({ 'Idempotency-Key': 'another' }), post({ 'Webhook-Id': 'a third' })];
      expect(await idsOf(again)).toEqual([first, first, first]);
      expect(await countAlerts()).toBe(before + 1);
      // The sender's own next report, and its redelivery under a new time.
      const next = await idsOf([send(`/in/${own.token}`, { headers: stripe(now - 1), body })]);
      expect(next).not.toContain(first);
      expect(
        await idsOf([
          send(`/in/${own.token}`, { headers: { ...stripe(now - 2), 'Idempotency-Key': 'its own' }, body }),
        ]),
      ).toEqual([first]);
      expect(await countAlerts()).toBe(before + 2);
    });

    test('of many at once, at any server, one makes an alert', async () => {
      const one = await startTestServer({}, { isOneOfSeveral: true });
      const boss = await one.signedIn({ role: 'admin' });
      const here = createSourceWorld(one, boss);
      const { source: own, token: address } = await here.newSource();
      await boss.send('POST', `/api/sources/${own.id}/signing-secrets`, { secret });
      await here.change(own.id, { auth: { ...own.settings.auth, signature: 'stripe' } });
      // It reads the sources as it starts.
      const others = one.config.databaseUrl === undefined ? [] : [await one.startSecond()];
      const headers = stripe(seconds());
      const posts = [one, ...others].flatMap(({ url }, at) =>
        Array.from({ length: 8 }, (_, number) =>
          fetch(`${url}/in/${address}`, {
            method: 'POST',
            headers: { ...JSON_TYPE, ...headers, 'Idempotency-Key': `${at} ${number}` },
            body,
          }),
        ),
      );
      expect(new Set(await idsOf(posts)).size).toBe(1);
      expect(await here.countAlerts()).toBe(1);
      for (const other of others) await other.stop();
      await one.destroy();
    });

    test('but a scheme that signs the body alone leaves the same body twice to mean it twice', async () => {
      const own = await signedSource('github');
      const headers = { 'X-Hub-Signature-256': `sha256=${sign(body)}` };
      const post = (id: string) => send(`/in/${own.token}`, { headers: { ...headers, 'Idempotency-Key': id }, body });
      expect(new Set(await idsOf([post('one'), post('two'), post('two')])).size).toBe(2);
    });
  });

  test('an expired key is refused, and its operators see which it was', async () => {
    const own = await newSource();
    await admin.send('POST', `/api/sources/${own.source.id}/rotate`, { kind: 'key' });
    const old = own.source.secrets.find(({ kind }) => kind === 'key');
    await admin.send('DELETE', `/api/sources/${own.source.id}/secrets/${old?.id}`);
    expect((await send('/webhook', { headers: { 'X-Webhook-Auth': own.key } })).status).toBe(401);
    const row = await expectNewest(own.source.id, { outcome: 'refused', status: 401, body: '{"a":1}', size: 7 });
    expect(row.summary).toMatch(/^Used the credential ….{4}, which expired on \w{3} \d+$/);
  });

  test('who waits to be asked for the body is refused before it', async () => {
    const sent = new Promise<[number | undefined, boolean]>((resolve, reject) => {
      let isAsked = false;
      const headers = { ...JSON_TYPE, 'X-Webhook-Auth': 'ad_wrong', Expect: '100-continue', 'Content-Length': '9' };
      const client = request(`${server.url}/webhook`, { method: 'POST', headers });
      client.on('continue', () => (isAsked = true));
      client.on('response', (response) => {
        response.resume();
        resolve([response.statusCode, isAsked]);
        client.destroy();
      });
      client.on('error', reject);
      client.flushHeaders();
    });
    expect(await sent).toEqual([401, false]);
  });
});
