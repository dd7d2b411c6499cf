import { createConnection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type MariaDb, findMariaDb, startPrivateMariaDb } from '#tests/support/mariadb.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

/** An account that read_only binds; root may write whatever the server says. */
const ORDINARY = { user: 'ordinary', password: 'only for tests' };

const isMysql = process.env['TEST_DIALECT'] === 'mysql';
const program = isMysql ? findMariaDb() : undefined;

/** Of its own: a server that becomes read-only keeps everybody's writes waiting for those that run. */
let mariaDb: MariaDb | undefined;
beforeAll(async () => {
  if (!program) return;
  mariaDb = await startPrivateMariaDb(program);
  vi.stubEnv('TEST_DATABASE_URL', mariaDb.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await mariaDb?.stop();
});

let server: TestServer;
let poster: TestClient;
let key: string;
beforeEach(async () => {
  server = await startTestServer({}, {}, isMysql ? asOrdinaryUser : undefined);
  key = await server.addApiKey();
  poster = await server.signedIn();
});
afterEach(() => server.destroy());

async function asRoot(...statements: string[]): Promise<void> {
  const connection = await createConnection(mariaDb?.url ?? '');
  for (const statement of statements) await connection.query(statement);
  await connection.end();
}

async function asOrdinaryUser(databaseUrl: string): Promise<string> {
  const { user, password } = ORDINARY;
  const name = new URL(databaseUrl).pathname.slice(1);
  await asRoot(
    `CREATE USER IF NOT EXISTS '${user}'@'%' IDENTIFIED BY '${password}'`,
    `GRANT ALL ON ${name}.* TO '${user}'@'%'`,
  );
  return Object.assign(new URL(databaseUrl), { username: user, password }).href;
}

const setPageLimit = (pages: number) =>
  server.database.transaction((tx) => tx.query(`PRAGMA max_page_count = ${pages}`));

/** Makes the database refuse writes: a full disk on SQLite, a read-only server on MySQL. Returns what ends it. */
async function refuseWrites(): Promise<() => Promise<void>> {
  if (isMysql) {
    await asRoot('SET GLOBAL read_only = ON');
    return () => asRoot('SET GLOBAL read_only = OFF');
  }
  await setPageLimit(1);
  return () => setPageLimit(1_000_000_000);
}

/** Larger than what fits the pages that the database has already. */
const body = JSON.stringify({ text: 'x'.repeat(100_000) });

test.runIf(!isMysql || program)(
  'a database that takes no writes is a 503, reads go on, and it recovers by itself',
  async () => {
    const { id } = await poster.postAlert(key);
    const allowWrites = await refuseWrites();
    try {
      const refused = await Promise.all(Array.from({ length: 20 }, () => poster.post(key, body)));
      for (const response of refused) {
        expect([response.status, await response.text()]).toEqual([
          503,
          'The database is not available right now. Send the alert again.',
        ]);
        expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
      }
      expect((await poster.alerts('/api/alerts/inbox')).map((alert) => alert.id)).toEqual([id]);
    } finally {
      await allowWrites();
    }
    const accepted = await Promise.all(Array.from({ length: 20 }, () => poster.postAlert(key, body)));
    expect((await poster.send('POST', `/api/alerts/${id}/accept`)).status).toBe(200);
    const stored = (await poster.alerts('/api/alerts/inbox')).map((alert) => alert.id);
    expect(new Set(stored)).toEqual(new Set(accepted.map((receipt) => receipt.id)));
  },
);
