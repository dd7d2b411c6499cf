import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hasRedis, startRedis } from '#tests/support/redis.ts';
import { openRedisLink } from './redis-link.ts';

/** A proxy whose first connection ends as soon as it is asked for a channel. */
async function startCuttingProxy(target: string): Promise<{ url: string; connections(): number }> {
  const sockets: Socket[] = [];
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    const isFirst = connections === 1;
    const upstream = connect(Number(new URL(target).port), '127.0.0.1');
    sockets.push(client, upstream);
    client.on('data', (data) => {
      if (!isFirst || !data.toString().includes('subscribe')) return void upstream.write(data);
      client.destroy();
      upstream.destroy();
    });
    upstream.pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections };
}

test.skipIf(!hasRedis())(
  'channels whose first subscription was cut off are there with the next connection',
  async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const proxy = await startCuttingProxy(redis.url);
    const [message, connected, lost] = [vi.fn<(text: string) => void>(), vi.fn<() => void>(), vi.fn<() => void>()];
    const link = await openRedisLink(
      { url: proxy.url, channel: 'events', ownChannel: 'own', logger: pino({ level: 'silent' }) },
      { message, connected, lost },
    );
    onTestFinished(() => link.close());
    await expect.poll(() => connected.mock.calls.length).toBe(1);
    expect(proxy.connections()).toBe(2);
    await link.publish('hello');
    await expect.poll(() => message.mock.calls).toContainEqual(['hello', 'events']);
    // Each loss since the last question makes the answer unknown.
    await link.hasReader('own').catch(() => undefined);
    expect(await link.hasReader('own')).toBe(true);

    // Later connections have them by the client itself.
    await redis.run(['CLIENT', 'KILL', 'TYPE', 'pubsub']);
    await expect.poll(() => connected.mock.calls.length).toBe(2);
    await link.publish('again');
    await expect.poll(() => message.mock.calls).toContainEqual(['again', 'events']);
  },
);
