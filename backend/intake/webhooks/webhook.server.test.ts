import { hash } from 'node:crypto';
import { Like } from 'typeorm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AlertTypeEntity, CustomerEntity } from '#backend/alerts/mutes/mute-entities.ts';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { SourceEntity, SourceSecretEntity } from '#backend/intake/sources/source-entity.ts';
import { webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { DeliveryEntity } from '#backend/intake/write/deliveries.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let sender: TestClient;
let key: string;

beforeAll(async () => {
  server = await startTestServer();
  sender = server.anonymous();
  key = await server.addApiKey('Production Webhook Key');
});
afterAll(async () => {
  await expectTrueCounts(server.database);
  await server.destroy();
});

const receiptOf = async (response: Response) => webhookReceiptSchema.parse(await response.json());
const stored = (id: string) => server.database.reads.getRepository(AlertEntity).findOneByOrFail({ id });
const countAlerts = () => server.database.reads.getRepository(AlertEntity).count();

const seen = (name: string) => server.database.reads.getRepository(CustomerEntity).findBy({ name });
const lastUse = async (name: string) => {
  const { id: sourceId } = await server.database.reads.getRepository(SourceEntity).findOneByOrFail({ name });
  return (await server.database.reads.getRepository(SourceSecretEntity).findOneByOrFail({ sourceId })).lastUsedAt;
};

describe('an accepted alert', () => {
  test('is stored when its 202 arrives, exactly as received', async () => {
    const text =
      '{ "zulu":1, "alpha":12345678901234567890123, "alertType":"Host", "customer":"Nord\\u0000wind ☂" , "e":1.10e2}';
    const response = await sender.post(key, text, {}, '/webhook?source=edge&tag=a&tag=b');
    expect(response.status).toBe(202);
    const { id, receivedAt } = await receiptOf(response);

    const alert = await stored(id);
    expect(alert.payload).toBe(text);
    expect(alert).toMatchObject({ status: 'pending', alertType: 'Host', ownerId: null, folderId: null });
    expect(alert.customer).toBe('Nord\u0000wind ☂');
    expect(JSON.parse(alert.extraData)).toEqual({ source: 'edge', tag: ['a', 'b'] });
    expect(alert.url).toBe('/webhook?source=edge&tag=a&tag=b');
    expect(new Date(alert.receivedAt).toISOString()).toBe(receivedAt);
  });

  test('reaches the inbox with every digit', async () => {
    const member = await server.signedIn();
    const { id } = await sender.postAlert(key, '{"order":900719925474099312345}');
    const list = await (await member.get('/api/alerts/inbox?limit=1')).text();
    expect(list).toContain(`"id":"${id}","payload":{"order":900719925474099312345}`);
  });

  test('has a history that names the key, and derives customer and type', async () => {
    const { id } = await sender.postAlert(key, { customer: { name: 'Harbor & Finch' }, type: 'order.failed' });
    const { reads } = server.database;
    const history = historySchema.parse(
      await (await (await server.signedIn()).get(`/api/alerts/${id}/history`)).json(),
    );
    expect(history).toMatchObject([{ id, action: 'received', userDisplayName: 'Production Webhook Key' }]);
    expect(await reads.getRepository(CustomerEntity).countBy({ name: 'Harbor & Finch' })).toBe(1);
    expect(await reads.getRepository(AlertTypeEntity).countBy({ name: 'order.failed' })).toBe(1);
  });

  test('raises when a customer was last seen, without a second row', async () => {
    await sender.postAlert(key, { customer: 'Kestrel' });
    const [first] = await seen('Kestrel');
    await expect
      .poll(async () => {
        await sender.postAlert(key, { customer: 'Kestrel' });
        const rows = await seen('Kestrel');
        return rows.length === 1 && (rows[0]?.lastSeenAt ?? 0) > (first?.lastSeenAt ?? 0);
      })
      .toBe(true);
  });

  test.each(['kestrel', 'KESTREL', 'Kestrel'])('distinguishes customers letter by letter: %s', async (name) => {
    await sender.postAlert(key, { customer: name });
    expect(await server.database.reads.getRepository(CustomerEntity).countBy({ name })).toBe(1);
  });

  test.each([
    ['an array', '[1,2]', '{"value":[1,2]}'],
    ['a number', ' 1e400 ', '{"value":1e400}'],
    ['null', 'null', '{"value":null}'],
    ['a text', '"disk full"', '{"value":"disk full"}'],
  ])('is kept as value when the body is %s', async (_kind, body, payload) => {
    const { id } = await receiptOf(await sender.post(key, body));
    expect((await stored(id)).payload).toBe(payload);
  });

  test('takes CloudEvents headers and the body’s own extraData', async () => {
    const response = await sender.post(key, '{"extraData":{"big":12345678901234567890}}', {
      'ce-id': 'C234',
      'Content-Type': 'application/cloudevents+json; charset=UTF-8',
    });
    expect((await stored((await receiptOf(response)).id)).extraData).toBe(
      '{"ce-id":"C234","big":12345678901234567890}',
    );
  });

  test('may be as large as 1 MiB', async () => {
    const body = JSON.stringify({ text: '💾'.repeat(262_000) });
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1024 * 1024);
    const { id } = await receiptOf(await sender.post(key, body));
    expect((await stored(id)).payload).toBe(body);
  });

  test('notes when its key was last used', async () => {
    await sender.postAlert(key);
    await expect.poll(() => lastUse('Production Webhook Key')).toBeGreaterThan(Date.now() - 120_000);
  });
});

describe('a refused alert is answered with the reason, and leaves nothing', () => {
  const json = { 'Content-Type': 'application/json' };
  const rejected: [string, number, RegExp, () => Promise<Response>][] = [
    [
      'without a key',
      401,
      /X-Webhook-Auth/,
      () => fetch(`${server.url}/webhook`, { method: 'POST', headers: json, body: '{}' }),
    ],
    ['with a wrong key', 401, /not valid/, () => sender.post(`${key.slice(0, -1)}!`, {})],
    ['not JSON', 400, /not valid JSON/, () => sender.post(key, '{"a":')],
    ['empty', 400, /empty/, () => sender.post(key, ' ')],
    ['with a second document', 400, /not valid JSON/, () => sender.post(key, '{"a":1}{"b":2}')],
    ['as a page', 415, /JSON/, () => sender.post(key, '<p>', { 'Content-Type': 'text/html' })],
    [
      'in another charset',
      415,
      /UTF-8/,
      () => sender.post(key, '{}', { 'Content-Type': 'application/json; charset=klingon' }),
    ],
    ['compressed otherwise', 415, /gzip/, () => sender.post(key, '{}', { 'Content-Encoding': 'compress' })],
    ['not compressed', 400, /not gzip/, () => sender.post(key, '{}', { 'Content-Encoding': 'gzip' })],
    ['too large', 413, /1,048,576/, () => sender.post(key, JSON.stringify('x'.repeat(1024 * 1024)))],
    ['nested too deeply', 422, /64 levels/, () => sender.post(key, `${'['.repeat(65)}${']'.repeat(65)}`)],
    ['nested without end', 422, /64 levels/, () => sender.post(key, '{"a":'.repeat(100_000))],
    [
      'not UTF-8',
      400,
      /UTF-8/,
      () =>
        fetch(`${server.url}/webhook`, {
          method: 'POST',
          headers: { ...json, 'X-Webhook-Auth': key },
          body: Buffer.from([0x22, 0xff, 0x22]),
        }),
    ],
  ];
  test.each(rejected)('%s', async (_kind, status, sentence, send) => {
    const before = await countAlerts();
    const response = await send();
    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/);
    expect(await response.text()).toMatch(sentence);
    expect(await countAlerts()).toBe(before);
  });

  test('64 levels are taken', async () => {
    expect((await sender.post(key, `${'['.repeat(64)}${']'.repeat(64)}`)).status).toBe(202);
  });

  test('a key may come as a bearer token', async () => {
    const response = await fetch(`${server.url}/webhook`, {
      method: 'POST',
      headers: { ...json, Authorization: `bearer ${key}` },
      body: '{}',
    });
    expect(response.status).toBe(202);
  });
});

/** Alertmanager's report of several alerts. */
const firing = (...names: string[]) => ({
  groupLabels: {},
  alerts: names.map((alertname) => ({ status: 'firing', labels: { alertname } })),
});

describe('redelivery', () => {
  test('fifty at once with one idempotency key become one alert', async () => {
    const before = await countAlerts();
    const posts = Array.from({ length: 50 }, () => sender.post(key, { a: 1 }, { 'Idempotency-Key': 'fifty' }));
    const receipts = await Promise.all((await Promise.all(posts)).map(receiptOf));
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(1);
    expect(new Set(receipts.map(({ receivedAt }) => receivedAt)).size).toBe(1);
    expect(await countAlerts()).toBe(before + 1);
  });

  test('webhook-id serves as well', async () => {
    const first = await receiptOf(await sender.post(key, { a: 1 }, { 'webhook-id': 'msg_1' }));
    expect(await receiptOf(await sender.post(key, { a: 1 }, { 'webhook-id': 'msg_1' }))).toEqual(first);
  });

  test('a repeat of a known alert is answered the same when it comes again', async () => {
    const body = { title: 'Disk full', dedup_key: 'known', status: 'firing' };
    const first = await receiptOf(await sender.post(key, body));
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(first.receivedAt));
    const repeat = await receiptOf(await sender.post(key, body, { 'Idempotency-Key': 'known' }));
    expect(repeat.id).toBe(first.id);
    expect(await receiptOf(await sender.post(key, body, { 'Idempotency-Key': 'known' }))).toEqual(repeat);
  });

  test('the same key with another body is a conflict', async () => {
    await sender.post(key, { a: 1 }, { 'Idempotency-Key': 'reused' });
    const response = await sender.post(key, { a: 2 }, { 'Idempotency-Key': 'reused' });
    expect(response.status).toBe(409);
    expect(await response.text()).toMatch(/another body/);
  });

  test.each([
    ['one alert, then several', 'one', 'two'],
    ['several alerts, then one', 'two', 'one'],
    ['several alerts, then others', 'two', 'three'],
  ] as const)('the same key with another body is a conflict: %s', async (_, first, second) => {
    const headers = { 'Idempotency-Key': `many ${first} ${second}` };
    // New alerts each time.
    const named = (...names: string[]) => firing(...names.map((name) => `${name} ${first} ${second}`));
    const bodies = { one: { a: 1 }, two: named('A', 'B'), three: named('C', 'D', 'E') };
    const receipt = await receiptOf(await sender.post(key, bodies[first], headers));
    const before = await countAlerts();
    expect((await sender.post(key, bodies[second], headers)).status).toBe(409);
    expect(await receiptOf(await sender.post(key, bodies[first], headers))).toEqual(receipt);
    expect(await countAlerts()).toBe(before);
  });

  test('several alerts that an earlier release remembered by their places alone are recognized', async () => {
    const headers = { 'Idempotency-Key': 'placed' };
    const empty = await countAlerts();
    const body = firing('Placed one', 'Placed two');
    const receipt = await receiptOf(await sender.post(key, body, headers));
    expect(await countAlerts()).toBe(empty + 2);
    const keyHash = hash('sha256', 'placed');
    await server.database.transaction((tx) => tx.getRepository(DeliveryEntity).delete({ keyHash }));
    const before = await countAlerts();
    expect(await receiptOf(await sender.post(key, body, headers))).toEqual(receipt);
    expect(await countAlerts()).toBe(before);
  });

  test('another sender’s key is another matter', async () => {
    const other = await server.addApiKey('Another');
    const first = await receiptOf(await sender.post(key, { a: 1 }, { 'Idempotency-Key': 'shared' }));
    const second = await receiptOf(await sender.post(other, { a: 1 }, { 'Idempotency-Key': 'shared' }));
    expect(second.id).not.toBe(first.id);
  });

  test('after 24 hours it is a new alert', async () => {
    const first = await receiptOf(await sender.post(key, { a: 1 }, { 'Idempotency-Key': 'yesterday' }));
    const dayAgo = Date.now() - 24 * 60 * 60 * 1000 - 1;
    await server.database.transaction((tx) =>
      tx.getRepository(DeliveryEntity).update({ alertId: first.id }, { receivedAt: dayAgo }),
    );
    const second = await receiptOf(await sender.post(key, { a: 1 }, { 'Idempotency-Key': 'yesterday' }));
    expect(second.id).not.toBe(first.id);
    expect(await receiptOf(await sender.post(key, { a: 1 }, { 'Idempotency-Key': 'yesterday' }))).toEqual(second);
  });
});

test('a storm that names new customers and types all the time is stored whole', async () => {
  const before = await countAlerts();
  const bodies = Array.from({ length: 600 }, (_, index) => ({
    customer: `Storm ${(index * 7) % 97}`,
    type: `storm.${(index * 11) % 53}`,
  }));
  const responses = await Promise.all(bodies.map((body) => sender.post(key, body)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]));
  expect(await countAlerts()).toBe(before + 600);
  const { reads } = server.database;
  expect(await reads.getRepository(CustomerEntity).countBy({ name: Like('Storm %') })).toBe(97);
  expect(await reads.getRepository(AlertTypeEntity).countBy({ name: Like('storm.%') })).toBe(53);
});

test('alerts that were acknowledged are there after a restart', async () => {
  const own = await startTestServer();
  const ownKey = await own.addApiKey();
  const receipts = await Promise.all(Array.from({ length: 100 }, () => own.anonymous().postAlert(ownKey)));
  const restarted = await own.restart();
  const alerts = await (await restarted.signedIn()).alerts('/api/alerts/inbox');
  expect(new Set(alerts.map(({ id }) => id))).toEqual(new Set(receipts.map(({ id }) => id)));
  await restarted.destroy();
});
