import { onTestFinished } from 'vitest';
import { type MysqlProxy, startMysqlProxy } from './mysql-proxy.ts';
import { type TestRedis, hasCluster, startRedis } from './redis.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { type TestPlace, makeMigratedPlace } from './test-place.ts';

/** Servers on one database, or one on the embedded one, until the test has finished. */
export interface ProxiedServers {
  servers: ServerProcess[];
  /** Between each server and its database, where that is another process. */
  proxies: MysqlProxy[];
  redis: TestRedis | undefined;
  place: TestPlace;
}

/**
 * Starts servers, each in a process of its own, whose leases end within a second.
 *
 * @param count so many, where there are a MariaDB and a Redis; else one
 * @param environment more variables
 */
export async function startProxiedServers(
  count: number,
  environment: Record<string, string> = {},
): Promise<ProxiedServers> {
  const place = await makeMigratedPlace();
  onTestFinished(() => place.remove());
  const redis = hasCluster ? await startRedis() : undefined;
  if (redis) onTestFinished(() => redis.stop());
  const [servers, proxies]: [ServerProcess[], MysqlProxy[]] = [[], []];
  for (let number = 0; number < (place.databaseUrl && redis ? count : 1); number += 1) {
    const proxy = place.databaseUrl ? await startMysqlProxy(place.databaseUrl) : undefined;
    if (proxy) proxies.push(proxy);
    const server = await startServerProcess({
      script: 'tests/support/serve-one-of-several.ts',
      ...(!proxy && { dataDir: place.dataDir }),
      environment: {
        TEST_LEASE_MS: '1000',
        TEST_PATIENT: '1',
        ...environment,
        ...(proxy && { DATABASE_URL: proxy.url }),
        ...(redis && { REDIS_URL: redis.url }),
      },
    });
    servers.push(server);
    onTestFinished(async () => {
      await server.dispose();
      await proxy?.stop();
    });
  }
  return { servers, proxies, redis, place };
}
