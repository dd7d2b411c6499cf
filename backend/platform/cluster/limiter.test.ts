import { setImmediate as turn } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { expect, onTestFinished, test } from 'vitest';
import { hasRedis, startRedis } from '#tests/support/redis.ts';
import { consume, createLimiter } from './limiter.ts';
import type { RedisLink } from './redis-link.ts';

/** Longer than an answer may take. */
const BUSY_MS = 900;

/** Keeps the event loop. */
function beBusy(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

test.skipIf(!hasRedis())('what Redis answers while the server is busy with other work counts', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const client = createClient({ url: redis.url, RESP: 3 });
  await client.connect();
  onTestFinished(() => client.destroy());
  const server = () =>
    createLimiter('attempts', 1, 60, {
      client: client as unknown as RedisLink['client'],
      prefix: 'test',
      nameOf: (_, key) => String(key),
      isConnected: () => true,
    });
  const [one, other] = [server(), server()];
  await other.consume('warm');
  await one.consume('somebody');
  redis.freeze();
  const second = consume(other, 'somebody');
  // The command is on its way.
  for (let turns = 0; turns < 10; turns += 1) await turn();
  redis.thaw();
  beBusy(BUSY_MS);
  expect(await second).toMatchObject({ isFirst: true });
});
