import { onTestFinished } from 'vitest';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { type TestRedis, hasCluster, startRedis } from './redis.ts';
import { ADMIN, type ServerProcess, startServerProcess } from './server-process.ts';
import { TestClient } from './test-client.ts';
import { makeMigratedPlace } from './test-place.ts';

/** Servers on one database, until the test has finished. */
export interface FeedServers {
  /** One, where the database is the embedded one or there is no Redis here. */
  servers: [ServerProcess, ...ServerProcess[]];
  redis: TestRedis | undefined;
  /** The first administrator, signed in at the first server. */
  admin: TestClient;
  /** Of a source. */
  key: string;
}

/** Starts servers, at most so many, which follow what changes at each other. */
export async function startFeedServers(count: number): Promise<FeedServers> {
  const place = await makeMigratedPlace();
  onTestFinished(() => place.remove());
  const redis = place.databaseUrl && hasCluster ? await startRedis() : undefined;
  if (redis) onTestFinished(() => redis.stop());
  const start = async () => {
    const server = await startServerProcess({
      script: 'tests/support/serve-one-of-several.ts',
      ...(!place.databaseUrl && { dataDir: place.dataDir }),
      environment: {
        TEST_LEASE_MS: '1000',
        TEST_PATIENT: '1',
        ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
        ...(redis && { REDIS_URL: redis.url }),
      },
    });
    onTestFinished(() => server.dispose());
    return server;
  };
  const servers: FeedServers['servers'] = [await start()];
  const last = redis ? count : 1;
  for (let number = servers.length; number < last; number += 1) servers.push(await start());
  const admin = new TestClient(servers[0].url.origin);
  await admin.signIn(ADMIN.email, ADMIN.password);
  const source = await admin.send('POST', '/api/sources', { name: 'Followed' });
  const key = sourceWithSecretsSchema.parse(await source.json()).plain.key ?? '';
  return { servers, redis, admin, key };
}
