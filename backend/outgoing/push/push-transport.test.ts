import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createGuardedAgent, createGuardedLookup } from '#backend/platform/requests/guarded-request.ts';
import { type PushService, startPushService } from '#tests/support/push-service.ts';
import webPush from 'web-push';
import { PUSH_LIMITS } from './device-queue.ts';
import { testMessage } from './push-message.ts';
import { createPushTransport } from './push-transport.ts';

const HOUR_MS = 60 * 60 * 1000;

let service: PushService;
beforeAll(async () => {
  service = await startPushService();
});
afterEach(() => vi.useRealTimers());
afterAll(() => service.close());

test('a token serves for an hour, and none whose end a clock that was set back has put too far ahead', async () => {
  const { isAllowedAddress, resolve, ca } = service.parts;
  const transport = createPushTransport({
    keys: webPush.generateVAPIDKeys(),
    subject: 'mailto:admin@example.com',
    agent: createGuardedAgent(createGuardedLookup(isAllowedAddress, resolve), 1, ca),
    isAllowedAddress,
    limits: PUSH_LIMITS,
  });
  const { device, keys } = service.enrol();
  const now = Date.now();
  const sendAt = async (at: number): Promise<number> => {
    vi.useFakeTimers({ toFake: ['Date'], now: at });
    const { signal } = new AbortController();
    return (await transport.send({ endpoint: device.endpoint, ...keys }, testMessage(), signal)).status;
  };
  // The service takes no token that ends in the past, or more than a day ahead.
  const ahead = now + 48 * HOUR_MS;
  expect(await sendAt(ahead)).toBe(201);
  expect(await sendAt(ahead + 0.9 * HOUR_MS)).toBe(201);
  expect(await sendAt(now)).toBe(201);
  expect(await sendAt(now + 1.1 * HOUR_MS)).toBe(201);
  const [first, second, third, fourth] = device.received.map(({ headers }) => headers.authorization);
  expect(second).toBe(first);
  expect(new Set([first, third, fourth]).size).toBe(3);
  transport.close();
});
