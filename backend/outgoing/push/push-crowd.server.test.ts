import { afterAll, beforeAll, expect, test } from 'vitest';
import { PushSubscriptionEntity } from './push-subscriptions.ts';
import { type Device, type PushService, startPushService } from '#tests/support/push-service.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

/** A hundred messages are encrypted, on a busy machine. */
const PATIENCE = { timeout: 30_000 };

let service: PushService;
let server: TestServer;
beforeAll(async () => {
  service = await startPushService();
  const limits = { recipientsMs: 20, windowMs: 100, slowMs: 500, totalMs: 60_000, maxInFlight: 60 };
  server = await startTestServer({}, { push: { ...service.parts, limits } });
});
afterAll(async () => {
  await server.destroy();
  await service.close();
  service.expectNoFaults();
});

const idsOf = ({ messages }: Device) =>
  messages.flatMap((one) => (one.type === 'new_alert' ? one.alertId : [one.type]));
const storedEndpoints = async () =>
  new Set((await server.database.reads.getRepository(PushSubscriptionEntity).find()).map(({ endpoint }) => endpoint));

test('of a hundred devices of which a third are gone and a third hang, the rest are notified once, and the gone are removed', async () => {
  const key = await server.addApiKey();
  const poster = server.anonymous();
  const devices: Record<'hanging' | 'gone' | 'working', Device[]> = { hanging: [], gone: [], working: [] };
  for (let count = 0; count < 10; count += 1) {
    const member = await server.signedIn();
    for (let own = 0; own < 10; own += 1) {
      const device = await service.subscribe(member);
      // The hanging ones stand in front.
      const kind = count < 3 ? 'hanging' : count < 6 ? 'gone' : 'working';
      device.answers = Array.from({ length: 9 }, () =>
        kind === 'hanging' ? () => undefined : kind === 'gone' ? 410 : 201,
      );
      devices[kind].push(device);
    }
  }
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    ids.push((await poster.postAlert(key)).id);
    await expect
      .poll(() => devices.working.filter((one) => idsOf(one).length === ids.length).length, PATIENCE)
      .toBe(40);
  }
  expect(devices.working.map(idsOf)).toEqual(devices.working.map(() => ids));
  const kept = [...devices.hanging, ...devices.working].map(({ endpoint }) => endpoint);
  await expect.poll(storedEndpoints, PATIENCE).toEqual(new Set(kept));
  expect(devices.gone.map(({ received }) => received.length)).toEqual(devices.gone.map(() => 1));
  expect(Math.max(...devices.hanging.map(({ received }) => received.length))).toBe(1);
}, 90_000);
