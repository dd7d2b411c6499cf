import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import { WEEKDAYS } from '#backend/contract/notification-settings.ts';
import { pushDeviceSchema, pushTestResultSchema } from '#backend/contract/push.ts';
import type { PushOutcome } from '#backend/platform/metrics/observers.ts';
import { plannedStepSchema } from '#backend/contract/ladder.ts';
import { writeRule } from '#backend/identity/factors/second-steps.ts';
import { pruneSessions } from '#backend/identity/sessions/surplus-sessions.ts';
import { PushSubscriptionEntity, removeOrphans } from './push-subscriptions.ts';
import { must } from '#tests/support/write-routes.ts';
import { TESTS_PER_MINUTE } from './test-message.ts';
import { addTotp } from '#tests/support/second-step-calls.ts';
import { type Device, type PushService, startPushService } from '#tests/support/push-service.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
let service: PushService;
let server: TestServer;
let anna: TestClient;
let ben: TestClient;
let outcomes: PushOutcome[];

beforeAll(async () => {
  service = await startPushService();
  server = await startTestServer(
    {},
    {
      push: { ...service.parts, limits: { recipientsMs: 10, totalMs: 4_000 }, onOutcome: (one) => outcomes.push(one) },
    },
  );
});
afterAll(async () => {
  await server.destroy();
  await service.close();
  service.expectNoFaults();
});
beforeEach(async () => {
  outcomes = [];
  anna = await server.signedIn();
  ben = await server.signedIn();
});

const devicesOf = async (member: TestClient) =>
  z.array(z.strictObject(pushDeviceSchema.shape)).parse(await (await member.get('/api/push/subscriptions')).json());
const remove = async (member: TestClient, id: unknown) =>
  (await member.send('DELETE', `/api/push/subscriptions/${id}`)).status;
const sendTest = (member: TestClient, endpoint: string) => member.send('POST', '/api/push/test', { endpoint });
const testResult = async (member: TestClient, endpoint: string) => {
  const response = await sendTest(member, endpoint);
  expect(response.status).toBe(200);
  return pushTestResultSchema.parse(await response.json());
};
const anotherSessionOf = async (email: string) => {
  const session = server.anonymous();
  await session.signIn(email, TEST_PASSWORD);
  return session;
};

/** As if a session had not been used for so many days. */
const leaveFor = (member: TestClient, days: number) =>
  server.database.transaction((tx) =>
    tx.query('UPDATE sessions SET last_seen_at = ? WHERE user_id = ?', [Date.now() - days * 86_400_000, member.id]),
  );

/** By what a ladder would notify a member now. */
async function ladderNotifiesBy(admin: TestClient, { id }: { id: string }) {
  const ladder = { isUrgent: true, repeat: 0, steps: [{ afterMinutes: 0, recipients: [{ kind: 'member', id }] }] };
  const answer = await must(admin.send('POST', '/api/outgoing/ladder-preview', { ladder }));
  return z
    .array(plannedStepSchema)
    .parse(await answer.json())[0]
    ?.people.map(({ by }) => by);
}

describe('a browser whose session ran out', () => {
  test('is no device that is notified, and is forgotten with the session', async () => {
    const { email } = await server.addUser();
    const [gone, here] = [await anotherSessionOf(email), await anotherSessionOf(email)];
    await service.subscribe(gone, { 'User-Agent': FIREFOX });
    const admin = await server.signedIn({ role: 'admin' });
    const reachedBy = () => ladderNotifiesBy(admin, here);
    expect([(await devicesOf(here)).length, await reachedBy()]).toEqual([1, [['push']]]);
    await leaveFor(gone, 8);
    // Its member is signed in with another one.
    const again = await anotherSessionOf(email);
    expect([await devicesOf(again), await reachedBy()]).toEqual([[], [[]]]);
    const stored = () => server.database.reads.getRepository(PushSubscriptionEntity).countBy({ userId: gone.id });
    expect(await stored()).toBe(1);
    await pruneSessions(server.database, new AbortController().signal, Date.now());
    await removeOrphans(server.database);
    expect(await stored()).toBe(0);
  });
});

test('a browser whose session owes a second step is no device that is notified', async () => {
  const admin = await server.signedIn({ role: 'admin' });
  await service.subscribe(anna);
  expect(await ladderNotifiesBy(admin, anna)).toEqual([['push']]);
  const require = (requiredFor: 'everybody' | 'nobody') =>
    server.database.transaction((tx) => writeRule(tx, { requiredFor }));
  onTestFinished(() => require('nobody'));
  await addTotp(server, admin);
  await require('everybody');
  expect(await ladderNotifiesBy(admin, anna)).toEqual([[]]);
});

describe('the list of devices', () => {
  test('names each by its browser, newest first, and says which is the session’s own', async () => {
    const { email } = await server.addUser();
    const [desktop, phone] = [await anotherSessionOf(email), await anotherSessionOf(email)];
    expect(await devicesOf(desktop)).toEqual([]);
    await service.subscribe(desktop, { 'User-Agent': FIREFOX });
    await service.subscribe(phone);
    await service.subscribe(ben);
    const listed = await devicesOf(desktop);
    expect(listed.map(({ device, isThisSession }) => [device, isThisSession])).toEqual([
      ['An unknown browser', false],
      ['Firefox on Linux', true],
    ]);
    for (const one of listed) {
      expect(one.lastSuccessAt).toBeUndefined();
      expect(Math.abs(Date.now() - Date.parse(one.createdAt))).toBeLessThan(60_000);
    }
    expect((await devicesOf(phone)).map(({ isThisSession }) => isThisSession)).toEqual([true, false]);
  });

  test('reveals neither endpoints nor keys', async () => {
    const device = await service.subscribe(anna);
    const text = await (await anna.get('/api/push/subscriptions')).text();
    expect(text).not.toContain(new URL(device.endpoint).pathname);
    expect(text).not.toContain(service.origin);
    expect(text).not.toMatch(/p256dh|auth|endpoint|userAgent/);
  });

  test('lets the member remove one, whichever session it is of, and sends it nothing more', async () => {
    const { email } = await server.addUser();
    const [desktop, phone] = [await anotherSessionOf(email), await anotherSessionOf(email)];
    const [atDesktop, atPhone] = [await service.subscribe(desktop), await service.subscribe(phone)];
    const other = (await devicesOf(desktop)).find(({ isThisSession }) => !isThisSession);
    expect(await remove(desktop, other?.id)).toBe(204);
    expect(await remove(desktop, other?.id)).toBe(404);
    expect((await devicesOf(phone)).map(({ isThisSession }) => isThisSession)).toEqual([false]);
    await desktop.postAlert(await server.addApiKey());
    await expect.poll(() => atDesktop.received.length).toBe(1);
    expect(atPhone.received).toEqual([]);
  });

  test('lets nobody remove somebody else’s', async () => {
    await service.subscribe(anna);
    const [own] = await devicesOf(anna);
    expect(await remove(ben, own?.id)).toBe(404);
    expect(await remove(await server.signedIn({ role: 'admin' }), own?.id)).toBe(404);
    expect(await remove(anna, 'x')).toBe(400);
    expect(await devicesOf(anna)).toHaveLength(1);
  });

  test('is without the device that signed out', async () => {
    const { email } = await server.addUser();
    const [desktop, phone] = [await anotherSessionOf(email), await anotherSessionOf(email)];
    for (const session of [desktop, phone]) await service.subscribe(session);
    await phone.send('POST', '/api/auth/logout');
    await expect.poll(() => devicesOf(desktop)).toHaveLength(1);
    expect((await devicesOf(desktop)).map(({ isThisSession }) => isThisSession)).toEqual([true]);
  });
});

describe('a test message', () => {
  test('goes to that device alone, whatever its member decided about being notified', async () => {
    const [device, other] = [await service.subscribe(anna), await service.subscribe(anna)];
    await anna.send('PATCH', '/api/notification-settings', {
      quietHours: { isOn: true, days: WEEKDAYS, from: '00:00', to: '00:00', timeZone: 'UTC' },
      pausedUntil: new Date(Date.now() + 60_000).toISOString(),
    });
    expect(await testResult(anna, device.endpoint)).toMatchObject({ outcome: 'sent', status: 201 });
    expect(device.messages).toEqual([
      {
        type: 'test',
        title: 'Test notification',
        body: 'Notifications reach this device.',
        tag: 'test',
        url: '/settings',
      },
    ]);
    expect(device.received[0]?.headers).toMatchObject({ ttl: '60', urgency: 'high', topic: 'test' });
    expect(other.received).toEqual([]);
    expect(outcomes).toEqual(['sent']);
    const listed = await devicesOf(anna);
    expect(listed.filter(({ lastSuccessAt }) => lastSuccessAt !== undefined)).toHaveLength(1);
  });

  test.each([404, 410])(
    'that the push service answers with %i means that the device is gone, and it is',
    async (status) => {
      const device = await service.subscribe(anna);
      device.answers = [status];
      expect(await testResult(anna, device.endpoint)).toMatchObject({ outcome: 'gone', status });
      expect(await devicesOf(anna)).toEqual([]);
      expect((await sendTest(anna, device.endpoint)).status).toBe(404);
      expect(outcomes).toEqual(['gone']);
    },
  );

  test.each<[string, Device['answers'][number], object]>([
    ['that is refused', 403, { outcome: 'refused', status: 403 }],
    ['that comes at a bad time', 503, { outcome: 'refused', status: 503 }],
    ['that gets no answer', () => undefined, { outcome: 'timeout' }],
    ['whose connection breaks', (response) => response.destroy(), { outcome: 'unreachable' }],
  ])('%s is not tried again, and the device stays', async (_what, answer, expected) => {
    const device = await service.subscribe(anna);
    device.answers = [answer];
    const result = await testResult(anna, device.endpoint);
    expect(result).toMatchObject(expected);
    expect(result.detail).toContain('push.example.test');
    expect(device.received).toHaveLength(1);
    expect(await devicesOf(anna)).toHaveLength(1);
    expect(outcomes).toEqual(['failed']);
  });

  test('is of one’s own devices only', async () => {
    const device = await service.subscribe(anna);
    expect((await sendTest(ben, device.endpoint)).status).toBe(404);
    expect((await sendTest(anna, 'https://push.example.com/nobody')).status).toBe(404);
    expect((await sendTest(anna, 'http://push.example.com/nobody')).status).toBe(422);
    expect(device.received).toEqual([]);
  });

  test('may be asked for a few times a minute, by each member', async () => {
    const [annas, bens] = [await service.subscribe(anna), await service.subscribe(ben)];
    for (let count = 0; count < TESTS_PER_MINUTE; count += 1) {
      expect((await testResult(anna, annas.endpoint)).outcome).toBe('sent');
    }
    const refused = await sendTest(anna, annas.endpoint);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(annas.received).toHaveLength(TESTS_PER_MINUTE);
    expect((await testResult(ben, bens.endpoint)).outcome).toBe('sent');
  });
});
