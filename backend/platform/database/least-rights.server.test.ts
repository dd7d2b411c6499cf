import { STORED } from '#backend/server/entities.ts';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Connection, type RowDataPacket, createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { auditEntrySchema } from '#backend/contract/audit-entry.ts';
import { openDatabase } from './open-database.ts';
import { migrations } from './migrations.ts';
import { COMMAND_LINE } from '#tests/support/product-commands.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

const USER = `least_${crypto.randomUUID().slice(0, 8)}`;
const ACCOUNT = `'${USER}'@'%'`;
const PASSWORD = 'only-for-tests';
/** The event by which docs/operations.md has the database delete old entries. */
const EVENT = /DELIMITER \/\/\n(?<event>.*?) \/\/\n/s;

const DENIED = { code: expect.stringMatching(/ACCESS_?DENIED/) as string };

let server: TestServer;
let owner: Connection;
let own: Connection;

const trailOf = async (admin: TestClient) =>
  z.array(auditEntrySchema).parse(await (await must(admin.get('/api/audit?limit=100'))).json());

/** What `npm run migrate -- --grants` prints with the rights of an owner. */
async function printGrants(databaseUrl: string): Promise<string> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, DATA_DIR: process.env['TMPDIR'] ?? '/tmp' };
  const args = [COMMAND_LINE, 'migrate', '--grants', ACCOUNT];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stdout;
}

describe.runIf(process.env['TEST_DIALECT'] === 'mysql')('a server with the rights that migrate prints', () => {
  beforeAll(async () => {
    server = await startTestServer({ AUDIT_RETENTION_DAYS: '0' }, { isDatabasePatient: true }, async (databaseUrl) => {
      owner = await createConnection({ uri: databaseUrl, multipleStatements: true });
      await owner.query(`CREATE USER ${ACCOUNT} IDENTIFIED BY '${PASSWORD}'`);
      const grants = await printGrants(databaseUrl);
      await owner.query(grants);
      return Object.assign(new URL(databaseUrl), { username: USER, password: PASSWORD }).href;
    });
    own = await createConnection(server.config.databaseUrl ?? '');
  }, 60_000);
  afterAll(async () => {
    await own?.end();
    await server?.destroy();
    await owner?.query(`DROP USER ${ACCOUNT}`);
    await owner?.end();
  });

  test('stores and deletes alerts, serves, changes accounts, and audits', async () => {
    const admin = await server.signedIn({ role: 'admin' });
    const member = await server.signedIn();
    const key = await server.addApiKey();
    const { id } = await member.postAlert(key, { customer: 'Acme', title: 'Disk full' });
    await must(member.send('POST', `/api/alerts/${id}/accept`));
    await must(member.send('POST', `/api/alerts/${id}/notes`, { text: 'Looking', mentions: [admin.id] }));
    await must(member.send('PATCH', `/api/webhooks/${id}/status`, { status: 'completed' }));
    expect(await (await must(member.get('/api/alerts/mine'))).json()).toMatchObject([{ id }]);
    await must(member.send('DELETE', `/api/webhooks/${(await member.postAlert(key)).id}`));
    await must(member.send('POST', '/api/folders', { name: 'Mine', color: 'blue' }));
    const refused = await Promise.all([1, 2, 3].map(() => member.get('/api/auth/users')));
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    await must(admin.send('PATCH', `/api/auth/users/${member.id}/toggle-active`));
    const actions = new Set((await trailOf(admin)).map(({ action }) => action));
    for (const action of ['signed_in', 'api_key_created', 'refused', 'user_disabled'])
      expect(actions).toContain(action);

    // What is counted at the stop is an entry of its own.
    server = await server.restart();
    const again = await server.signedIn({ role: 'admin' });
    expect((await trailOf(again)).filter(({ action }) => action === 'refused').map(({ times }) => times)).toEqual([
      2, 1,
    ]);
  });

  test.each([
    "UPDATE audit_log SET actor_name = 'nobody'",
    'UPDATE audit_log SET times = 2',
    'DELETE FROM audit_log',
    'TRUNCATE TABLE audit_log',
    'DROP TABLE audit_log',
    'ALTER TABLE audit_log ADD COLUMN more int',
    "REPLACE INTO audit_log (id) VALUES ('x')",
    "INSERT INTO audit_log (id) VALUES ('x') ON DUPLICATE KEY UPDATE subject = ''",
    "INSERT INTO migrations (timestamp, name) VALUES (1, 'x')",
    'CREATE TABLE more (id int)',
    "CREATE TRIGGER quiet BEFORE INSERT ON audit_log FOR EACH ROW SET NEW.actor_name = ''",
  ])('is refused by the database: %s', async (sql) => {
    await expect(own.query(sql)).rejects.toMatchObject(DENIED);
  });

  test('has old entries deleted by the database, as the documentation says', async () => {
    const document = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const event = EVENT.exec(document)?.groups?.['event'] ?? '';
    const old = Date.now() - 366 * 24 * 60 * 60 * 1000;
    await own.query("INSERT INTO audit_log (id, action, actor_name, created_at) VALUES ('old', 'signed_in', 'A', ?)", [
      old,
    ]);
    const count = async () => (await owner.query<RowDataPacket[]>('SELECT id FROM audit_log'))[0].length;
    const before = await count();
    await expect(own.query(event)).rejects.toMatchObject(DENIED);
    await owner.query(event);
    // What the event does, without its clock.
    await owner.query(/DO BEGIN(?<body>.*)END/s.exec(event)?.groups?.['body'] ?? '');
    expect(await count()).toBe(before - 1);
  });

  test('does not start where tables are to be changed, and says what to do', async () => {
    const newest = migrations.at(-1)?.name ?? '';
    const [[row]] = await owner.query<RowDataPacket[]>('SELECT timestamp FROM migrations WHERE name = ?', [newest]);
    await owner.query('DELETE FROM migrations WHERE name = ?', [newest]);
    try {
      await expect(openDatabase(server.config, STORED)).rejects.toThrow(
        /may not change its tables, which are older than this release; run "npm run migrate" as a user who may/,
      );
    } finally {
      await owner.query('INSERT INTO migrations (timestamp, name) VALUES (?, ?)', [row?.['timestamp'], newest]);
    }
  });
});
