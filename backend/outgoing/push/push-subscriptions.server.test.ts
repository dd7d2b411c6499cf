import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  MAX_PUSH_SUBSCRIPTIONS,
  type NewPushSubscription,
  pushSubscriptionSchema,
  vapidPublicKeySchema,
} from '#backend/contract/push.ts';
import {
  PushSubscriptionEntity,
  HOPELESS_FAILURES,
  HOPELESS_MS,
  createPushSubscriptionStore,
} from './push-subscriptions.ts';
import { makeBrowserKeys } from '#tests/support/browser-keys.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let anna: TestClient;
let ben: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn();
  ben = await server.signedIn();
});
afterAll(() => server.destroy());

const makeSubscription = (): NewPushSubscription => ({
  endpoint: `https://push.example.com/${randomBytes(16).toString('base64url')}`,
  keys: makeBrowserKeys().keys,
});
const subscribe = (member: TestClient, body: unknown, headers: Record<string, string> = {}) =>
  member.send('POST', '/api/push/subscribe', body, headers);
const unsubscribe = (member: TestClient, endpoint: unknown) =>
  member.send('DELETE', '/api/push/subscribe', { endpoint });
const stored = () => server.database.reads.getRepository(PushSubscriptionEntity);
const ownersOf = async (endpoint: string) => (await stored().findBy({})).filter((one) => one.endpoint === endpoint);
const endpointsOf = async (member: TestClient) =>
  (await stored().findBy({ userId: member.id })).map(({ endpoint }) => endpoint);
const keySentTo = async (member: TestClient) =>
  vapidPublicKeySchema.parse(await (await member.get('/api/push/vapid-public-key')).json()).publicKey;
const inBase64 = (key: string) => Buffer.from(key, 'base64url').toString('base64');
const bytes = (length: number, first = 4) => Buffer.concat([Buffer.from([first]), randomBytes(length - 1)]);
const expectOnly = async (member: TestClient, endpoints: string[]) => {
  await expect.poll(() => endpointsOf(member)).toEqual(endpoints);
};

describe('the key for browsers', () => {
  test('is the same for everybody and after a restart', async () => {
    const own = await startTestServer();
    const before = await keySentTo(await own.signedIn());
    expect(Buffer.from(before, 'base64url')).toHaveLength(65);
    expect(await keySentTo(await own.signedIn({ role: 'super_user' }))).toBe(before);
    const restarted = await own.restart();
    expect(await keySentTo(await restarted.signedIn())).toBe(before);
    await restarted.destroy();
  });

  test('is the one that the environment names', async () => {
    const { curve } = makeBrowserKeys();
    const privateKey = Buffer.alloc(32);
    curve.getPrivateKey().copy(privateKey, 32 - curve.getPrivateKey().length);
    const publicKey = curve.getPublicKey('base64url');
    const own = await startTestServer({
      VAPID_PUBLIC_KEY: publicKey,
      VAPID_PRIVATE_KEY: privateKey.toString('base64url'),
    });
    expect(await (await (await own.signedIn()).get('/api/push/vapid-public-key')).json()).toEqual({ publicKey });
    await own.destroy();
  });
});

describe('subscribing', () => {
  test('answers with the subscription and reveals neither endpoint nor keys', async () => {
    const subscription = makeSubscription();
    const response = await subscribe(
      anna,
      { ...subscription, expirationTime: null, userId: ben.id },
      {
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      },
    );
    expect(response.status).toBe(201);
    const receipt = await response.json();
    expect(z.strictObject(pushSubscriptionSchema.shape).parse(receipt)).toEqual(receipt);
    expect(await ownersOf(subscription.endpoint)).toMatchObject([
      { ...subscription.keys, userId: anna.id, userAgent: expect.stringContaining('Firefox/145.0') },
    ]);
  });

  test('again takes the new keys and stays one subscription', async () => {
    const { endpoint, keys } = makeSubscription();
    const first = await (await subscribe(anna, { endpoint, keys })).json();
    const again = { endpoint, keys: makeBrowserKeys().keys };
    const response = await subscribe(anna, again);
    expect([response.status, await response.json()]).toEqual([200, first]);
    expect(await ownersOf(endpoint)).toMatchObject([{ ...again.keys, userId: anna.id }]);
  });

  test('by somebody else on the same browser hands it over', async () => {
    const subscription = makeSubscription();
    await subscribe(anna, subscription);
    expect((await subscribe(ben, subscription)).status).toBe(201);
    expect(await ownersOf(subscription.endpoint)).toMatchObject([{ userId: ben.id }]);
    expect((await unsubscribe(anna, subscription.endpoint)).status).toBe(404);
    expect((await unsubscribe(ben, subscription.endpoint)).status).toBe(204);
  });

  test('many times at once stays one subscription', async () => {
    const subscription = makeSubscription();
    const responses = await Promise.all(
      [anna, ben, anna, ben, anna, ben].map((member) => subscribe(member, subscription)),
    );
    for (const { status } of responses) expect([200, 201]).toContain(status);
    expect(await ownersOf(subscription.endpoint)).toHaveLength(1);
  });

  test('takes keys in base64 as well, padded', async () => {
    const { endpoint, keys } = makeSubscription();
    const padded = { p256dh: inBase64(keys.p256dh), auth: inBase64(keys.auth) };
    expect((await subscribe(anna, { endpoint, keys: padded })).status).toBe(201);
    expect(await ownersOf(endpoint)).toMatchObject([keys]);
  });

  test('more than ten replaces the one that has been longest without success', async () => {
    const member = await server.signedIn();
    const made = Array.from({ length: MAX_PUSH_SUBSCRIPTIONS }, makeSubscription);
    for (const subscription of made) await subscribe(member, subscription);
    const setSuccess = (index: number, lastSuccessAt: number) =>
      server.database.transaction((tx) =>
        tx
          .getRepository(PushSubscriptionEntity)
          .update({ userId: member.id, endpoint: made[index]?.endpoint ?? '' }, { lastSuccessAt }),
      );
    const soon = Date.now() + 60_000;
    for (const index of made.keys()) await setSuccess(index, index === 3 ? 1 : soon + index);

    const added = makeSubscription();
    expect((await subscribe(member, added)).status).toBe(201);
    const kept = made.filter((_, index) => index !== 3).map(({ endpoint }) => endpoint);
    expect((await endpointsOf(member)).toSorted()).toEqual([...kept, added.endpoint].toSorted());
    // One of the ten again takes nobody's place.
    await subscribe(member, made[5]);
    expect(await endpointsOf(member)).toHaveLength(MAX_PUSH_SUBSCRIPTIONS);
  });

  test('many at once leaves ten', async () => {
    const member = await server.signedIn();
    const made = Array.from({ length: MAX_PUSH_SUBSCRIPTIONS + 4 }, makeSubscription);
    const responses = await Promise.all(made.map((subscription) => subscribe(member, subscription)));
    expect(responses.map(({ status }) => status)).toEqual(made.map(() => 201));
    expect(await endpointsOf(member)).toHaveLength(MAX_PUSH_SUBSCRIPTIONS);
  });
});

describe('what is refused, naming the field', () => {
  const good = makeSubscription();
  const withKeys = (keys: Partial<Record<'p256dh' | 'auth', unknown>>) => ({
    ...good,
    keys: { ...good.keys, ...keys },
  });
  test.each([
    ['no endpoint', { keys: good.keys }, 'endpoint'],
    ['an endpoint that is no text', { ...good, endpoint: 7 }, 'endpoint'],
    ['an endpoint without https', { ...good, endpoint: 'http://push.example.com/abc' }, 'endpoint'],
    ['a script for an endpoint', { ...good, endpoint: 'javascript:alert(1)' }, 'endpoint'],
    ['an endpoint with a password', { ...good, endpoint: 'https://a:b@push.example.com/abc' }, 'endpoint'],
    ['an endless endpoint', { ...good, endpoint: `https://push.example.com/${'x'.repeat(2048)}` }, 'endpoint'],
    ['an endpoint on this machine', { ...good, endpoint: 'https://127.0.0.1/abc' }, 'endpoint'],
    ['an endpoint on this machine, spelt otherwise', { ...good, endpoint: 'https://2130706433/abc' }, 'endpoint'],
    ['an endpoint in the private network', { ...good, endpoint: 'https://10.0.0.8/abc' }, 'endpoint'],
    ['a cloud’s metadata', { ...good, endpoint: 'https://169.254.169.254/latest' }, 'endpoint'],
    ['an endpoint on loopback in IPv6', { ...good, endpoint: 'https://[::1]/abc' }, 'endpoint'],
    ['a mapped address', { ...good, endpoint: 'https://[::ffff:10.0.0.8]/abc' }, 'endpoint'],
    ['localhost', { ...good, endpoint: 'https://localhost/abc' }, 'endpoint'],
    ['no keys', { endpoint: good.endpoint }, 'keys'],
    ['no p256dh', withKeys({ p256dh: undefined }), 'keys.p256dh'],
    ['a short p256dh', withKeys({ p256dh: bytes(64).toString('base64url') }), 'keys.p256dh'],
    ['a long p256dh', withKeys({ p256dh: bytes(66).toString('base64url') }), 'keys.p256dh'],
    ['a compressed point', withKeys({ p256dh: bytes(33, 2).toString('base64url') }), 'keys.p256dh'],
    ['a p256dh of another form', withKeys({ p256dh: bytes(65, 3).toString('base64url') }), 'keys.p256dh'],
    ['a p256dh off the curve', withKeys({ p256dh: bytes(65).toString('base64url') }), 'keys.p256dh'],
    ['a p256dh that is not base64', withKeys({ p256dh: `B${'!'.repeat(86)}` }), 'keys.p256dh'],
    ['no auth', withKeys({ auth: undefined }), 'keys.auth'],
    ['a short auth', withKeys({ auth: bytes(15).toString('base64url') }), 'keys.auth'],
    ['a long auth', withKeys({ auth: bytes(17).toString('base64url') }), 'keys.auth'],
  ])('%s', async (_what, body, field) => {
    const before = await stored().count();
    const response = await subscribe(anna, body);
    expect(response.status).toBe(422);
    expect(await response.text()).toContain(`${field}: `);
    expect(await stored().count()).toBe(before);
  });

  test('an end without an endpoint, and of nothing', async () => {
    expect((await unsubscribe(anna, undefined)).status).toBe(422);
    expect((await unsubscribe(anna, makeSubscription().endpoint)).status).toBe(404);
  });
});

describe('a subscription ends with its session', () => {
  test('when the member signs out there, and the other device keeps its own', async () => {
    const user = await server.addUser();
    const [phone, laptop] = [server.anonymous(), server.anonymous()];
    await phone.signIn(user.email, 'correct horse');
    await laptop.signIn(user.email, 'correct horse');
    const [onPhone, onLaptop] = [makeSubscription(), makeSubscription()];
    await subscribe(phone, onPhone);
    await subscribe(laptop, onLaptop);
    await phone.send('POST', '/api/auth/logout');
    await expectOnly(laptop, [onLaptop.endpoint]);
  });

  test('when the account is disabled, or its password is reset', async () => {
    const admin = await server.signedIn({ role: 'admin' });
    const [disabled, reset] = [await server.signedIn(), await server.signedIn()];
    await subscribe(disabled, makeSubscription());
    await subscribe(reset, makeSubscription());
    await admin.send('PATCH', `/api/auth/users/${disabled.id}/toggle-active`);
    await admin.send('POST', `/api/auth/users/${reset.id}/reset-password`, { newPassword: 'something new' });
    await expectOnly(disabled, []);
    await expectOnly(reset, []);
  });

  test('also when the session ended while the server did not run', async () => {
    const own = await startTestServer();
    const member = await own.signedIn();
    await subscribe(member, makeSubscription());
    await own.database.transaction((tx) => tx.query('DELETE FROM sessions'));
    const restarted = await own.restart();
    expect(await restarted.database.reads.getRepository(PushSubscriptionEntity).count()).toBe(0);
    await restarted.destroy();
  });
});

test('a subscription is removed after ten failures in a row over three days, not by one bad day', async () => {
  let now = Date.now();
  const store = createPushSubscriptionStore(
    server.database,
    { ...server.config, sessionMaxMs: HOPELESS_MS },
    () => now,
  );
  const member = await server.signedIn();
  await subscribe(member, makeSubscription());
  const [{ id } = { id: '' }] = await stored().findBy({ userId: member.id });
  const fail = async (times: number) => {
    const removed: boolean[] = [];
    for (let count = 0; count < times; count += 1) removed.push(await store.noteFailure(id));
    return removed.lastIndexOf(true);
  };
  expect(await fail(30)).toBe(-1);
  now += HOPELESS_MS;
  await store.noteSuccess(id);
  expect(await fail(HOPELESS_FAILURES - 1)).toBe(-1);
  now += HOPELESS_MS - 1;
  expect(await fail(1)).toBe(-1);
  expect(await stored().countBy({ id })).toBe(1);
  now += 1;
  expect(await fail(1)).toBe(0);
  expect(await stored().countBy({ id })).toBe(0);
});
