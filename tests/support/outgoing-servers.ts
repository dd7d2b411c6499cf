import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createdApiKeySchema } from '#backend/contract/api-key.ts';
import { webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { LOCAL_NETWORK, outgoingWorld } from './outgoing-world.ts';
import { readInbox } from './read-inbox.ts';
import { hasCluster, startRedis } from './redis.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { makeMigratedPlace } from './test-place.ts';

/**
 * Starts servers that send messages out, each in a process of its own, on one database: two on MariaDB, where there is a Redis,
 * else one. They end with the test.
 *
 * @param most at most so many
 */
export async function startOutgoingServers(most = 2) {
  const place = await makeMigratedPlace();
  onTestFinished(() => place.remove());
  const redis = most > 1 && place.databaseUrl && hasCluster ? await startRedis() : undefined;
  onTestFinished(() => redis?.stop());
  const environment = {
    ...LOCAL_NETWORK,
    ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
    ...(redis && { REDIS_URL: redis.url }),
  };
  const first = await startServerProcess({ environment, ...(!place.databaseUrl && { dataDir: place.dataDir }) });
  onTestFinished(() => first.dispose());
  const servers: ServerProcess[] = [first];
  if (redis) {
    const second = await startServerProcess({ environment });
    onTestFinished(() => second.dispose());
    servers.push(second);
  }
  const { admin } = await readInbox(first.url);
  const key = createdApiKeySchema.parse(await (await admin.send('POST', '/api/api-keys', { name: 'Sender' })).json());

  /** Tries every server until one answers, or the one that is named: a busy machine may stop the database for seconds. */
  const untilAnswered = async (
    send: (origin: string) => Promise<Response>,
    to: readonly ServerProcess[] = servers,
  ): Promise<Response> => {
    for (;;) {
      for (const { url } of to) {
        const response = await send(url.origin).catch(() => undefined);
        if (response && response.status < 500) return response;
      }
      await wait(50);
    }
  };
  return {
    first,
    servers,
    admin,
    world: outgoingWorld(() => admin),
    untilAnswered,
    /** Where the data of all servers are. */
    place,
    /** Posts an alert as its sender does, until one server has taken it, or any. Resolves to its id. */
    async post(body: object, to?: ServerProcess): Promise<string> {
      const headers = {
        'Content-Type': 'application/json',
        'X-Webhook-Auth': key.plainKey,
        'Idempotency-Key': crypto.randomUUID(),
      };
      const send = (origin: string) =>
        fetch(`${origin}/webhook`, { method: 'POST', headers, body: JSON.stringify(body) });
      const response = await untilAnswered(send, to && [to]);
      return webhookReceiptSchema.parse(await response.json()).id;
    },
    /** Kills one server after the other, so often and with so long before each, in milliseconds, and starts it again. */
    async kill(kills: number, pauseMs: number, before?: (server: ServerProcess) => Promise<void>): Promise<void> {
      for (let count = 0; count < kills; count += 1) {
        await wait(pauseMs);
        const server = servers[count % servers.length] ?? first;
        await before?.(server);
        await server.end('SIGKILL');
        await server.start();
      }
    },
  };
}
