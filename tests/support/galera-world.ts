import { STORED } from '#backend/server/entities.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { userSchema } from '#backend/contract/user.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { openDatabase } from '#backend/platform/database/open-database.ts';
import { type GaleraCluster, startGalera } from './galera.ts';
import { type TestRedis, startRedis } from './redis.ts';
import { ADMIN, type ServerProcess, startServerProcess } from './server-process.ts';
import { TestClient } from './test-client.ts';

/** The password of every member. */
const PASSWORD = 'correct horse';

/** Three servers, each on a node of its own of one Galera cluster, which share a Redis. */
export interface GaleraWorld {
  cluster: GaleraCluster;
  redis: TestRedis;
  servers: ServerProcess[];
  /** Address of the database on each node. */
  urls: string[];
  /** The key of a source. */
  key: string;
  /** Signed in at the first server. */
  admin: TestClient;
  /** A new member, signed in at the server of this number. */
  addMember(displayName: string, options?: { role?: 'user' | 'admin'; at?: number }): Promise<TestClient>;
  /** The same person at another server: one session, as behind a proxy. */
  at(person: TestClient, server: number): TestClient;
  /** The database through a node; closed with the world. */
  open(node: number): Promise<Database>;
  stop(): Promise<void>;
}

/** Starts a cluster, and the three servers at the same moment on the empty database. */
export async function startGaleraWorld(environment: Record<string, string> = {}): Promise<GaleraWorld> {
  const [cluster, redis] = await Promise.all([startGalera(), startRedis()]);
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-world-'));
  const servers: ServerProcess[] = [];
  const opened: Database[] = [];
  const stop = async () => {
    await Promise.all(opened.map((database) => database.close().catch(() => undefined)));
    await Promise.all(servers.map((server) => server.dispose()));
    await Promise.all([cluster.stop(), redis.stop()]);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const urls = cluster.nodes.map(({ url }) => Object.assign(new URL(url), { pathname: '/alertdesk' }).href);
    const connection = await createConnection(cluster.nodes[0]?.url ?? '');
    await connection.query('CREATE DATABASE alertdesk');
    await connection.end();
    const starting = urls.map((url) =>
      startServerProcess({ environment: { DATABASE_URL: url, REDIS_URL: redis.url, ...environment } }),
    );
    for (const started of await Promise.allSettled(starting)) {
      if (started.status === 'rejected') throw started.reason;
      servers.push(started.value);
    }
    const originOf = (server: number): string => servers[server]?.url.origin ?? '';
    const admin = new TestClient(originOf(0));
    await admin.signIn(ADMIN.email, ADMIN.password);
    const made = await admin.send('POST', '/api/sources', { name: 'Everywhere' });
    const key = sourceWithSecretsSchema.parse(await made.json()).plain.key ?? '';
    // The others learn of the source a moment later: until then its key is unknown to them.
    const knowsKey = async ({ url }: ServerProcess): Promise<boolean> => {
      const headers = { 'Content-Type': 'application/json', 'X-Webhook-Auth': key };
      return (await fetch(new URL('/webhook', url), { method: 'POST', headers, body: 'no JSON' })).status === 400;
    };
    for (const server of servers) while (!(await knowsKey(server))) await delay(20);
    let members = 0;
    return {
      cluster,
      redis,
      servers,
      urls,
      key,
      admin,
      async addMember(displayName, { role = 'user', at = 0 } = {}) {
        members += 1;
        const email = `member-${members}@example.com`;
        const answer = await admin.send('POST', '/api/auth/users', { email, displayName, password: PASSWORD, role });
        userSchema.parse(await answer.json());
        const member = new TestClient(originOf(at));
        await member.signIn(email, PASSWORD);
        return member;
      },
      at: (person, server) => person.at(originOf(server)),
      async open(node) {
        const database = await openDatabase({ dataDir: folder, databaseUrl: urls[node] }, STORED);
        opened.push(database);
        return database;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
