import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { type Source, sourceSchema } from '#backend/contract/source.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

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

const post = (body: string | Buffer<ArrayBuffer>, headers: Record<string, string>) =>
  send('/webhook', { headers: { 'X-Webhook-Auth': key, ...headers }, body });

describe('a body', () => {
  test.each<[string, (text: string) => Buffer<ArrayBuffer>]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ])('compressed with %s is the alert that was compressed', async (encoding, compress) => {
    const response = await post(compress('{"customer":"Nordwind"}'), { 'Content-Encoding': encoding });
    expect(await alertOf(response)).toMatchObject({ payload: '{"customer":"Nordwind"}', customer: 'Nordwind' });
  });

  test('in two layers of compression is refused', async () => {
    const body = gzipSync(gzipSync('{"customer":"Nordwind"}'));
    expect((await post(body, { 'Content-Encoding': 'gzip, gzip' })).status).toBe(415);
  });

  test.each(['gzip', 'br', 'deflate'])('that inflates without end is given up: %s', async (encoding) => {
    const compress = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync }[encoding] ?? gzipSync;
    const bomb = compress(Buffer.alloc(8 * 1024 * 1024, ' '));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    expect((await post(bomb, { 'Content-Encoding': encoding })).status).toBe(413);
  });

  test.each([
    ['text/plain', '{"a":1}', '{"a":1}'],
    ['application/x-www-form-urlencoded', 'text=Disk+full&user_name=maya', '{"text":"Disk full","user_name":"maya"}'],
    ['application/x-www-form-urlencoded', 'payload=%7B%22a%22%3A1%7D', '{"a":1}'],
    ['application/x-ndjson', '{"a":1}\n', '{"a":1}'],
    ['application/vnd.example+json', '{"a":1}', '{"a":1}'],
  ])('as %s: %s', async (contentType, body, payload) => {
    expect((await alertOf(await post(body, { 'Content-Type': contentType }))).payload).toBe(payload);
  });

  test('longer than its source keeps is cut in the log, and kept whole in the alert', async () => {
    const own = await newSource();
    await change(own.source.id, { keepBodiesUpTo: 16_384 });
    const body = JSON.stringify({ text: 'é'.repeat(20_000) });
    const alert = await alertOf(await send(`/in/${own.token}`, { body }));
    expect(alert.payload).toBe(body);
    const row = await expectNewest(own.source.id, { isBodyCut: true, alertId: null });
    expect(body.startsWith(row.body ?? 'x')).toBe(true);
    expect(Buffer.byteLength(row.body ?? '')).toBeGreaterThan(16_380);
    await change(own.source.id, { keepBodiesUpTo: 0 });
    await send(`/in/${own.token}`);
    await expectNewest(own.source.id, { body: null, alertId: null });
  });

  test('that is no JSON is refused with the place where it ends', async () => {
    expect((await post('{"a":', {})).status).toBe(400);
    await expectNewest(source.id, {
      outcome: 'refused',
      status: 400,
      summary: 'Not JSON: the text ends at character 5',
    });
  });
});

describe('an address', () => {
  test.each(['/webhook', '/webhook/', '/v2/enqueue', '/in/adt_nobody-has-this-token'])(
    'says what it is to people: %s',
    async (path) => {
      const page = await fetch(server.url + path);
      expect([page.status, page.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
      expect(page.headers.get('Content-Security-Policy')).toMatch(/default-src 'none'/);
      expect(await page.text()).not.toMatch(/<script|adt_/);
      const head = await fetch(server.url + path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
    },
  );

  test('that was opened by its token is in the log', async () => {
    await fetch(`${server.url}/in/${token}`);
    await expectNewest(source.id, { outcome: 'handshake', method: 'GET', status: 200 });
  });

  test('that was opened by its token says nothing about its sender', async () => {
    const own = await newSource();
    const { id } = own.source;
    for (const _ of [1, 2, 3]) expect((await send(`/in/${own.token}`, { body: 'no JSON' })).status).toBe(400);
    const health = async () => sourceSchema.parse(await (await admin.get(`/api/sources/${id}`)).json()).health.state;
    // The first is read from the log with the others, the second is added to what is kept of it.
    for (const looks of [1, 2]) {
      await fetch(`${server.url}/in/${own.token}`);
      await expect.poll(async () => (await world.logged({ sourceId: id, outcome: 'handshake' })).length).toBe(looks);
      expect(await health()).toBe('refusing');
    }
    await send(`/in/${own.token}`);
    await expectNewest(id, { outcome: 'new' });
    await expect.poll(health).toBe('ok');
  });

  test('lets senders of CloudEvents ask', async () => {
    const options = await fetch(`${server.url}/webhook`, {
      method: 'OPTIONS',
      headers: { 'WebHook-Request-Origin': 'eventgrid.azure.net', 'WebHook-Request-Rate': '120' },
    });
    expect(options.status).toBe(200);
    expect(options.headers.get('WebHook-Allowed-Origin')).toBe('eventgrid.azure.net');
    expect(options.headers.get('WebHook-Allowed-Rate')).toBe('120');
    expect(options.headers.get('Allow')).toBe('GET, HEAD, POST, PUT, OPTIONS');
    const refused = await fetch(`${server.url}/in/adt_nobody-has-this-token`, { method: 'OPTIONS' });
    expect(refused.status).toBe(401);
  });

  test.each(['DELETE', 'PATCH', 'PROPFIND'])('does not know %s', async (method) => {
    const response = await fetch(`${server.url}/webhook`, { method });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD, POST, PUT, OPTIONS']);
  });
});

const event = (changed: object = {}) =>
  JSON.stringify({
    routing_key: key,
    event_action: 'trigger',
    dedup_key: 'disk-db-7',
    payload: { summary: 'Disk full on db-7', source: 'db-7', severity: 'critical' },
    ...changed,
  });

describe('PagerDuty’s Events API', () => {
  test('takes an event with its key in the body, which nobody sees', async () => {
    const response = await send('/v2/enqueue', { body: event() });
    expect([response.status, await response.json()]).toEqual([
      202,
      { status: 'success', message: 'Event processed', dedup_key: 'disk-db-7' },
    ]);
    const row = await expectNewest(source.id, { sender: 'pagerduty-events', summary: 'Disk full on db-7' });
    const alerts = await server.database.reads.getRepository(AlertEntity).findBy({ title: 'Disk full on db-7' });
    expect(alerts).toHaveLength(1);
    expect(JSON.stringify([row, alerts])).not.toContain(key);
  });

  test('names a problem that its sender did not', async () => {
    const made = (await (await send('/v2/enqueue', { body: event({ dedup_key: undefined }) })).json()) as {
      dedup_key: string;
    };
    expect(made.dedup_key).toMatch(/./);
    const resolved = event({ event_action: 'resolve', dedup_key: made.dedup_key, payload: undefined });
    expect((await send('/v2/enqueue', { body: resolved })).status).toBe(202);
    await expectNewest(source.id, { outcome: 'resolved' });
  });

  test('answers an event without a key as before when it comes again', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const body = event({ dedup_key: undefined, payload: { summary: 'Once', source: 'db-7', severity: 'info' } });
    const answers = [await send('/v2/enqueue', { body, headers }), await send('/v2/enqueue', { body, headers })];
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    const [first, again] = await Promise.all(answers.map((answer) => answer.json()));
    expect(again).toEqual(first);
    const alerts = await server.database.reads.getRepository(AlertEntity).findBy({ title: 'Once' });
    expect(alerts.map(({ occurrences }) => occurrences)).toEqual([1]);
  });

  test.each([
    [{ event_action: 'explode' }, "'event_action' must be one of trigger, acknowledge, resolve"],
    [{ payload: { source: 'a', severity: 'info' } }, "'payload.summary' is missing or blank"],
    [{ event_action: 'resolve', dedup_key: '' }, "'dedup_key' is missing or blank"],
  ])('refuses %j in its words', async (changed, said) => {
    const response = await send('/v2/enqueue', { body: event(changed) });
    expect([response.status, await response.json()]).toEqual([
      400,
      { status: 'invalid event', message: 'Event object is invalid', errors: [said] },
    ]);
  });

  test('refuses a key that nobody has', async () => {
    expect((await send('/v2/enqueue', { body: event({ routing_key: 'x'.repeat(32) }) })).status).toBe(401);
    expect((await send('/v2/enqueue', { body: 'not JSON' })).status).toBe(401);
  });
});

test('a handshake is answered and makes no alert', async () => {
  const before = await countAlerts();
  const slack = await send(`/in/${token}`, { body: '{"type":"url_verification","challenge":"3eZbrw1aB","token":"x"}' });
  expect([slack.status, await slack.text()]).toEqual([200, expect.stringContaining('3eZbrw1aB')]);
  const ping = await send(`/in/${token}`, { headers: { 'X-GitHub-Event': 'ping' }, body: '{"zen":"Keep it"}' });
  expect(ping.status).toBe(200);
  await expectNewest(source.id, { outcome: 'handshake', sender: 'github' });
  expect(await countAlerts()).toBe(before);
});

test('a subscription of AWS SNS is not confirmed without its signature', async () => {
  const body = JSON.stringify({
    Type: 'SubscriptionConfirmation',
    MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
    Token: '2336412f37',
    TopicArn: 'arn:aws:sns:us-west-2:123456789012:MyTopic',
    Message: 'You have chosen to subscribe to the topic.',
    SubscribeURL: 'https://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription',
    Timestamp: '2012-04-26T20:45:04.751Z',
    SignatureVersion: '1',
    Signature: 'AAAA',
    SigningCertURL: 'https://sns.example/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem',
  });
  const headers = { 'x-amz-sns-message-type': 'SubscriptionConfirmation', 'Content-Type': 'text/plain' };
  expect((await send(`/in/${token}`, { headers, body })).status).toBe(401);
  await expectNewest(source.id, { summary: 'The certificate’s address is not one of SNS' });
});

test('a paused source answers and logs, and makes no alert', async () => {
  const own = await newSource();
  const before = await countAlerts();
  await admin.send('PATCH', `/api/sources/${own.source.id}`, { isPaused: true });
  expect((await send(`/in/${own.token}`, { body: '{"title":"Disk full"}' })).status).toBe(202);
  await expectNewest(own.source.id, {
    outcome: 'paused',
    summary: 'Disk full',
    body: '{"title":"Disk full"}',
    newAlerts: 0,
  });
  expect(await countAlerts()).toBe(before);
});

test('an alert without a customer gets the source’s', async () => {
  const own = await newSource();
  await change(own.source.id, { defaultCustomer: 'Nordwind' });
  expect((await alertOf(await send(`/in/${own.token}`))).customer).toBe('Nordwind');
  expect((await alertOf(await send(`/in/${own.token}`, { body: '{"customer":"Atlas"}' }))).customer).toBe('Atlas');
});
