import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PushOutcome } from '#backend/platform/metrics/observers.ts';
import type { PushParts } from './open-push.ts';
import { PushSubscriptionEntity } from './push-subscriptions.ts';
import { type Device, type PushService, startPushService } from '#tests/support/push-service.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

/** As in the product, with less waiting. An attempt may take as long: only the tests of that shorten it. */
const LIMITS = { recipientsMs: 10, windowMs: 10, backoffMs: 20, givenUpRestMs: 20 };
const IMPATIENT = { ...LIMITS, totalMs: 2_000 };
const ENDLESS = { ...LIMITS, totalMs: 60_000 };

let service: PushService;
let server: TestServer;
let key: string;
let anna: TestClient;
let outcomes: PushOutcome[];

const start = async (push: PushParts) => {
  outcomes = [];
  server = await startTestServer({}, { push: { limits: LIMITS, onOutcome: (one) => outcomes.push(one), ...push } });
  key = await server.addApiKey();
  anna = await server.signedIn();
};
/** Another one in its place, with other parts. */
const startAgain = async (push: PushParts) => {
  await server.destroy();
  await start(push);
};
beforeAll(async () => {
  service = await startPushService();
  await start(service.parts);
});
afterAll(async () => {
  await server.destroy();
  await service.close();
});
beforeEach(() => {
  outcomes = [];
});
afterEach(async () => {
  // Tests share a server as long as its parts fit; devices are each test's own.
  await server.database.transaction((tx) => tx.query('DELETE FROM push_subscriptions'));
  service.answerAll(201);
  service.expectNoFaults();
});

const subscriptionOf = async ({ endpoint }: Device) =>
  (await server.database.reads.getRepository(PushSubscriptionEntity).find()).find((one) => one.endpoint === endpoint);
const idsOf = (device: Device) => device.messages.map((one) => (one.type === 'new_alert' ? one.alertId : one.type));
const expectOutcomes = async (...expected: PushOutcome[]) => {
  await expect.poll(() => outcomes).toEqual(expected);
};
const retryAfter = (status: number, value: () => string) => (response: ServerResponse) =>
  void response.writeHead(status, { 'Retry-After': value() }).end();
/** Never says anything. */
const hang = () => undefined;

describe('a subscription that is gone', () => {
  test.each([404, 410])('is removed after %i, and never asked again', async (status) => {
    const [gone, kept] = [await service.subscribe(anna), await service.subscribe(anna)];
    gone.answers = [status];
    const ids = [(await anna.postAlert(key)).id];
    await expect.poll(() => subscriptionOf(gone)).toBeUndefined();
    expect(await subscriptionOf(kept)).toBeDefined();
    ids.push((await anna.postAlert(key)).id);
    await expect.poll(() => idsOf(kept)).toEqual(ids);
    expect(gone.received).toHaveLength(1);
    await expect.poll(() => outcomes.toSorted()).toEqual(['gone', 'sent', 'sent']);
  });
});

describe('what passes is tried again', () => {
  test.each([500, 502, 503, 429])('%i, and what is then taken is delivered once', async (status) => {
    const device = await service.subscribe(anna);
    device.answers = [status, status];
    const { id } = await anna.postAlert(key);
    await expectOutcomes('retried', 'retried', 'sent');
    expect(idsOf(device)).toEqual([id, id, id]);
    expect(await subscriptionOf(device)).toMatchObject({ failures: 0, failingSince: null });
  });

  test('four times, then the message is given up and counted, and the next alert is tried again', async () => {
    const device = await service.subscribe(anna);
    device.answers = [500, 500, 500, 500];
    const first = await anna.postAlert(key);
    await expectOutcomes('retried', 'retried', 'retried', 'failed');
    await expect.poll(async () => (await subscriptionOf(device))?.failures).toBe(1);
    const second = await anna.postAlert(key);
    await expect.poll(() => idsOf(device)).toEqual([first.id, first.id, first.id, first.id, second.id]);
    await expect
      .poll(() => subscriptionOf(device))
      .toMatchObject({ failures: 0, failingSince: null, lastSuccessAt: expect.any(Number) });
  });

  test.each([
    ['seconds', () => '1'],
    ['a date', () => new Date(Date.now() + 1_900).toUTCString()],
  ])('not before the time that Retry-After names in %s', async (_form, value) => {
    const device = await service.subscribe(anna);
    device.answers = [retryAfter(429, value)];
    await anna.postAlert(key);
    await expectOutcomes('retried', 'sent');
    const [first, second] = device.received;
    // A date has whole seconds, so between one and two of them are left.
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(850);
  });

  test('and who mutes the type meanwhile is not notified after all', async () => {
    const device = await service.subscribe(anna);
    device.answers = [retryAfter(503, () => '1')];
    await anna.postAlert(key, { type: 'disk.full' });
    await expectOutcomes('retried');
    await anna.send('POST', '/api/alert-types/mutes', { alertType: 'disk.full' });
    const { id } = await anna.postAlert(key, { type: 'order.failed' });
    await expectOutcomes('retried', 'sent');
    expect(idsOf(device).slice(1)).toEqual([id]);
  });
});

describe('what will be refused again', () => {
  test.each([400, 401, 403, 413])('%i is given up at once', async (status) => {
    const device = await service.subscribe(anna);
    device.answers = [status];
    await anna.postAlert(key);
    await expectOutcomes('failed');
    await expect.poll(async () => (await subscriptionOf(device))?.failures).toBe(1);
    const { id } = await anna.postAlert(key);
    await expectOutcomes('failed', 'sent');
    expect(idsOf(device)[1]).toBe(id);
  });

  test.each([301, 302, 303, 307, 308])('%i leads nowhere', async (status) => {
    const [device, target] = [await service.subscribe(anna), await service.subscribe(anna)];
    await anna.send('DELETE', '/api/push/subscribe', { endpoint: target.endpoint });
    device.answers = [(response) => void response.writeHead(status, { Location: target.endpoint }).end()];
    await anna.postAlert(key);
    await expectOutcomes('failed');
    expect([device.received.length, target.received.length]).toEqual([1, 0]);
  });
});

describe('an answer that does not end', () => {
  beforeAll(() => startAgain({ ...service.parts, limits: IMPATIENT }));

  test('is cut after the time there is, and the message is tried again', async () => {
    const device = await service.subscribe(anna);
    device.answers = [hang];
    const { id } = await anna.postAlert(key);
    await expectOutcomes('retried', 'sent');
    await device.received[0]?.closed;
    expect(idsOf(device)).toEqual([id, id]);
  });

  test('is cut though it drips, and counts as what it began with', async () => {
    const device = await service.subscribe(anna);
    let drip: NodeJS.Timeout | undefined;
    device.answers = [
      (response) => {
        response.writeHead(201);
        drip = setInterval(() => response.write('.'), 10);
      },
    ];
    await anna.postAlert(key);
    await expectOutcomes('sent');
    await device.received[0]?.closed;
    clearInterval(drip);
    expect(device.received).toHaveLength(1);
  });

  test('is cut though it drips before it says anything', async () => {
    const device = await service.subscribe(anna);
    let drip: NodeJS.Timeout | undefined;
    device.answers = [
      ({ socket }) => {
        socket?.write('HTTP/1.1 201 Created\r\nX-Drip: ');
        drip = setInterval(() => socket?.write('.'), 10);
      },
    ];
    await anna.postAlert(key);
    await expectOutcomes('retried', 'sent');
    await device.received[0]?.closed;
    clearInterval(drip);
  });

  test('is cut when it is too long', async () => {
    // Nothing but its length cuts it.
    await startAgain({ ...service.parts, limits: ENDLESS });
    const device = await service.subscribe(anna);
    let written = 0;
    device.answers = [
      (response) => {
        response.writeHead(201);
        const pour = () => {
          while (!response.destroyed && response.write(Buffer.alloc(16 * 1024))) written += 16 * 1024;
        };
        response.on('drain', pour);
        pour();
      },
    ];
    await anna.postAlert(key);
    await expectOutcomes('sent');
    await device.received[0]?.closed;
    // What the kernel buffers for both sides comes on top of 64 KiB.
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });
});

const expectRefused = async (push: PushParts) => {
  await startAgain(push);
  const before = service.connections;
  const device = await service.subscribe(anna);
  await anna.postAlert(key);
  await expectOutcomes('failed');
  expect([service.connections - before, device.received.length]).toEqual([0, 0]);
  await expect.poll(async () => (await subscriptionOf(device))?.failures).toBe(1);
};

describe('a host name that leads to a forbidden address', () => {
  test('is not connected to', async () => {
    await expectRefused({ ca: service.parts.ca, resolve: async () => ['127.0.0.1'] });
  });

  test('is not connected to, though another of its addresses is public', async () => {
    await expectRefused({ ca: service.parts.ca, resolve: async () => ['8.8.8.8', '127.0.0.1'] });
  });

  test('is not connected to as an address that was stored before it was forbidden', async () => {
    await startAgain(service.parts);
    const device = await service.subscribe(anna);
    const before = service.connections;
    await server.database.transaction((tx) =>
      tx
        .getRepository(PushSubscriptionEntity)
        .update({ userId: anna.id }, { endpoint: device.endpoint.replace('push.example.test', '127.0.0.2') }),
    );
    await anna.postAlert(key);
    await expectOutcomes('failed');
    expect(service.connections).toBe(before);
  });
});
