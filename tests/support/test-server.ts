import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { uuidv7 } from 'uuidv7';
import { apiDocument } from '#backend/http/api-document/api-document.ts';
import { createPasswords } from '#backend/identity/users/passwords.ts';
import { type User, UserEntity, emailKey } from '#backend/identity/users/user.ts';
import { type Config, readConfig } from '#backend/server/config.ts';
import { createdApiKeySchema } from '#backend/contract/api-key.ts';
import type { Endpoint } from '#backend/platform/endpoint/endpoint.ts';
import { startServer } from '#backend/server/server.ts';
import type { RunningServer, ServerParts } from '#backend/server/server-parts.ts';
import {
  type CompiledDocument,
  type DocumentChecker,
  compileDocument,
  createDocumentChecker,
} from './document-checker.ts';
import { metricValue } from './read-metrics.ts';
import { hasCluster, startRedis } from './redis.ts';
import { TestClient } from './test-client.ts';
import { type TestPlace, makeMigratedPlace } from './test-place.ts';

/** The password of every member that a test makes. */
export const TEST_PASSWORD = 'correct horse';

/** bcrypt's lowest work factor: tests sign in often. */
const PASSWORD_COST = 4;

/** Web push and SNS without a network: tests that need one bring a service of their own. */
const OFFLINE = { resolve: async () => [] };

/** Prints what a stop waits for, and nothing else: a teardown that hangs ends its test without a word. */
const STOP_LOG = pino(
  { level: 'warn' },
  { write: (line) => void (line.includes('"stopping":') && process.stderr.write(line)) },
);

/**
 * With `TEST_SERVERS=2` each test server on MySQL is two that share the database and a Redis, and each request goes to one of
 * them by chance. By hand: what tests of one server's own memory, files or metrics expect does not hold for two.
 */
const isSeveral = hasCluster && process.env['TEST_SERVERS'] === '2';

/** A real server on a real, fresh database: the one that TEST_DIALECT names. */
export interface TestServer extends RunningServer {
  config: Config;
  /** What every answer to a client of this server is compared with. */
  checker: DocumentChecker;
  /** A client that nobody signed in with. */
  anonymous(): TestClient;
  /** A new member and a client that is signed in as them. */
  signedIn(member?: Partial<Pick<User, 'role' | 'displayName' | 'isActive'>>): Promise<TestClient>;
  /** A new member, nobody signed in. */
  addUser(member?: Partial<Pick<User, 'role' | 'displayName' | 'isActive' | 'email'>>): Promise<User>;
  /** A new API key, made by an administrator. */
  addApiKey(name?: string): Promise<string>;
  /** Starts another server on the same data, after this one was stopped; `changed` changes its environment. */
  restart(changed?: Record<string, string>): Promise<TestServer>;
  /**
   * Starts one more server on the same MySQL database; with a Redis the two know each other then. It is to be stopped before
   * this one is destroyed.
   */
  startSecond(changed?: Record<string, string>): Promise<TestServer>;
  /** Stops the server and removes its data. */
  destroy(): Promise<void>;
}

/**
 * Starts a server of its own for a test. `environment` is read as a person's would be; `prepare` may give the server
 * another way to its MySQL database than root's, which the test may break. Without one the server waits for its database for
 * as long as it takes: files that run side by side share one, which a busy machine may stop for seconds. With one it does so
 * by `isDatabasePatient`, where the test is not about that.
 */
export async function startTestServer(
  environment: Record<string, string> = {},
  parts: ServerParts = {},
  prepare?: (databaseUrl: string) => Promise<string>,
): Promise<TestServer> {
  const place = await makeMigratedPlace();
  const databaseUrl = place.databaseUrl && prepare ? await prepare(place.databaseUrl) : place.databaseUrl;
  return startAt({ ...place, databaseUrl }, environment, { isDatabasePatient: prepare === undefined, ...parts });
}

const documents = new Map<string, CompiledDocument>();

/** The document of these endpoints. Compiled once in this process: that takes longer than the start of a server. */
function documentOf(endpoints: readonly Endpoint[]): CompiledDocument {
  const calls = endpoints.map(({ method, path }) => `${method} ${path}`).join();
  const document = documents.get(calls) ?? compileDocument(apiDocument(endpoints));
  documents.set(calls, document);
  return document;
}

/** Two servers that share the work, as one. */
async function startSeveral(config: Config, start: (config: Config) => Promise<RunningServer>): Promise<RunningServer> {
  const redis = await startRedis();
  const shared = { ...config, redisUrl: redis.url };
  const startOne = () =>
    start(shared).catch(async (error: unknown) => {
      await redis.stop();
      throw error;
    });
  const servers = [await startOne(), await startOne()] as const;
  return {
    ...servers[0],
    get url() {
      return servers[Math.random() < 0.5 ? 0 : 1].url;
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
      await redis.stop();
    },
  };
}

/** How many servers on its database a server knows through Redis, itself included. */
export async function serversKnown({ metrics }: Pick<TestServer, 'metrics'>): Promise<number> {
  return metricValue(await metrics.text(), 'alertdesk_cluster_servers') ?? 0;
}

/** Until a server has heard of another one it sends it nothing: pages of that one read their lists again a moment later. */
async function knowEachOther(servers: readonly TestServer[]): Promise<void> {
  const endsAt = performance.now() + 20_000;
  for (const server of servers) {
    while ((await serversKnown(server)) < servers.length) {
      if (performance.now() > endsAt) throw new Error('Servers that share a Redis do not hear of each other.');
      await wait(10);
    }
  }
}

async function startAt(place: TestPlace, environment: Record<string, string>, parts: ServerParts): Promise<TestServer> {
  const config = readConfig({
    PORT: '0',
    DRAIN_SECONDS: '0',
    DATA_DIR: place.dataDir,
    ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
    ...environment,
  });
  const start = (it: Config) =>
    startServer(it, STOP_LOG, {
      passwordCost: PASSWORD_COST,
      push: OFFLINE,
      sns: OFFLINE,
      outgoing: OFFLINE,
      ...parts,
    });
  const isAlone = !isSeveral || config.redisUrl !== undefined || parts.isOneOfSeveral === true;
  const server = isAlone ? await start(config) : await startSeveral(config, start);
  let checker: DocumentChecker | undefined;
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    await server.stop();
  };

  const test: TestServer = {
    ...server,
    get url() {
      return server.url;
    },
    config,
    stop,
    get checker() {
      return (checker ??= createDocumentChecker(documentOf(server.endpoints)));
    },
    anonymous: () =>
      new TestClient(
        () => server.url,
        (answer) => test.checker.check(answer),
      ),
    async addUser(member = {}) {
      const id = uuidv7();
      const email = `${id}@example.com`;
      const user: User = {
        id,
        email,
        displayName: `Member ${id.slice(-4)}`,
        role: 'user',
        isActive: true,
        isService: false,
        passwordHash: await createPasswords(PASSWORD_COST).hash(TEST_PASSWORD),
        passwordChangedAt: null,
        createdAt: Date.now(),
        timeFormat: null,
        timeZone: null,
        listOrders: null,
        openGroups: null,
        ...member,
        emailKey: emailKey(member.email ?? email),
      };
      await server.database.transaction((tx) => tx.getRepository(UserEntity).insert(user));
      return user;
    },
    async signedIn(member = {}) {
      const user = await test.addUser(member);
      const client = test.anonymous();
      await client.signIn(user.email, TEST_PASSWORD);
      return client;
    },
    async addApiKey(name = 'Test key') {
      const admin = await test.signedIn({ role: 'admin' });
      const response = await admin.send('POST', '/api/api-keys', { name });
      return createdApiKeySchema.parse(await response.json()).plainKey;
    },
    async restart(changed = {}) {
      await stop();
      return startAt(place, { ...environment, ...changed }, parts);
    },
    async startSecond(changed = {}) {
      const second = await startAt(place, { ...environment, ...changed }, parts);
      if (second.config.redisUrl !== undefined) await knowEachOther([test, second]);
      return second;
    },
    async destroy() {
      await stop();
      await place.remove();
    },
  };
  return test;
}
