import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PushOutcome } from '#backend/platform/metrics/observers.ts';
import type { PushLimits } from './device-queue.ts';
import { type Device, type PushService, startPushService } from '#tests/support/push-service.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let service: PushService;
let server: TestServer;
let key: string;
let anna: TestClient;
let outcomes: PushOutcome[];

/** A server that would wait a minute for an answer. */
const start = async (limits: Partial<PushLimits> = {}) => {
  outcomes = [];
  const patient = { recipientsMs: 10, windowMs: 10, totalMs: 60_000, ...limits };
  const push = { ...service.parts, limits: patient, onOutcome: (one: PushOutcome) => outcomes.push(one) };
  server = await startTestServer({}, { push });
  key = await server.addApiKey();
  anna = await server.signedIn();
};
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.close());
afterEach(async () => {
  await server.destroy();
  service.answerAll(201);
  service.expectNoFaults();
});

const idsOf = (device: Device) => device.messages.map((one) => (one.type === 'new_alert' ? one.alertId : one.type));
/** Never says anything. */
const hang = () => undefined;

test('alerts are stored and answered while a push service hangs, and other devices are notified', async () => {
  await start({ concurrency: 4, failingConcurrency: 2 });
  const hanging = await service.subscribe(anna);
  const working = await service.subscribe(await server.signedIn());
  hanging.answers = [hang];
  const ids = [(await anna.postAlert(key)).id];
  await expect.poll(() => [idsOf(hanging), idsOf(working)]).toEqual([ids, ids]);
  for (let count = 0; count < 3; count += 1) {
    ids.push((await anna.postAlert(key)).id);
    await expect.poll(() => idsOf(working)).toEqual(ids);
  }
  expect(await anna.alerts('/api/alerts/inbox')).toHaveLength(ids.length);
  expect(hanging.received).toHaveLength(1);
});

test('every alert is answered though not one push ends, and no more are in flight than may be', async () => {
  await start({ concurrency: 3, slowMs: 50, maxInFlight: 4 });
  const members = await Promise.all(Array.from({ length: 6 }, () => server.signedIn()));
  const devices = await Promise.all(members.map((member) => service.subscribe(member)));
  service.answerAll(hang);
  await Promise.all(Array.from({ length: 100 }, () => anna.postAlert(key)));
  await expect.poll(() => devices.flatMap(({ received }) => received).length).toBe(4);
  expect(await anna.alerts('/api/alerts/inbox')).toHaveLength(100);
  expect(devices.flatMap(({ received }) => received)).toHaveLength(4);
  expect(outcomes).toEqual([]);
});

test('signing out cuts what is on its way', async () => {
  await start();
  const device = await service.subscribe(anna);
  device.answers = [hang];
  await anna.postAlert(key);
  await expect.poll(() => device.received.length).toBe(1);
  await anna.send('POST', '/api/auth/logout');
  await device.received[0]?.closed;
  await expect.poll(() => outcomes).toEqual(['dropped']);
});

test('a stop waits for what is about to end, and cuts the rest', async () => {
  await start({ stopGraceMs: 3_000 });
  const [hanging, slow] = [await service.subscribe(anna), await service.subscribe(anna)];
  hanging.answers = [hang];
  const slowOnes: ServerResponse[] = [];
  slow.answers = [(response) => void slowOnes.push(response)];
  await anna.postAlert(key);
  await expect.poll(() => [hanging.received.length, slow.received.length]).toEqual([1, 1]);
  const stopping = server.stop();
  slowOnes[0]?.writeHead(201).end();
  await stopping;
  expect(outcomes).toEqual(['sent', 'dropped']);
});
