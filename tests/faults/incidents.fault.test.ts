import { chmod, chown, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SQLITE_FILE } from '#backend/platform/database/open-database.ts';
import { INSIDE_KEY } from '#backend/platform/secrets/keyring.ts';
import { newSealingKey } from '#backend/platform/secrets/sealing.ts';
import { overwriteTable } from '#tests/support/damaged-database.ts';
import { type MainProcess, listening, startMain } from '#tests/support/main-process.ts';
import { NOBODY, canRunAsNobody } from '#tests/support/nobody.ts';
import { makeOperatorsMachine, readSection } from '#tests/support/runbook.ts';
import { ADMIN } from '#tests/support/server-process.ts';
import { mountSmallDisk } from '#tests/support/small-disk.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { type TestPlace, makeTestPlace } from '#tests/support/test-place.ts';

const isMysql = process.env['TEST_DIALECT'] === 'mysql';

/** Quotes of a section that nothing which was said has. */
const unseen = ({ seen }: Awaited<ReturnType<typeof readSection>>, said: string): string[] =>
  [...seen].filter(([, pattern]) => !pattern.test(said)).map(([words]) => words);

interface Running extends MainProcess {
  url: string;
  admin: TestClient;
}

/** A place, an operator's machine with its settings, and what runs on it. */
async function setUp(from?: TestPlace) {
  const place = from ?? (await makeTestPlace());
  onTestFinished(() => place.remove());
  const machine = await makeOperatorsMachine(async () => {
    throw new Error('Nothing here is a service.');
  });
  onTestFinished(() => machine.remove());
  const settings = {
    DATA_DIR: place.dataDir,
    ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    DRAIN_SECONDS: '0',
  };
  return {
    place,
    /** Runs a command of the page. */
    alertdesk: (args: string) => machine.run(`alertdesk ${args}`, settings),
    async start(environment: Record<string, string> = {}, user = {}): Promise<Running> {
      const main = startMain(place, { ...settings, ...environment }, user);
      const { url } = await listening(main);
      const admin = new TestClient(url);
      await admin.signIn(ADMIN.email, ADMIN.password);
      return { ...main, url, admin };
    },
    /** Starts what is to refuse to start, and resolves to what it said. */
    async refuse(environment: Record<string, string> = {}, user = {}): Promise<string> {
      const main = startMain(place, { ...settings, ...environment }, user);
      expect(await main.ended).toBe(1);
      return main.output.err;
    },
  };
}

/** Ends a server as a service is stopped. */
async function stop({ child, ended }: MainProcess): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
}

async function makeSource(admin: TestClient): Promise<{ id: string; key: string }> {
  const made = await admin.send('POST', '/api/sources', { name: 'Harbor monitoring' });
  const { source, plain } = (await made.json()) as { source: { id: string }; plain: { key: string } };
  return { id: source.id, key: plain.key };
}

/** What a server answers. Its log may come later, and is whole once the server has ended. */
async function answersOf({ admin }: Running, ...paths: string[]): Promise<string> {
  const answers = await Promise.all(paths.map((path) => admin.get(path)));
  const texts = await Promise.all(answers.map(async (answer) => `${answer.status} ${await answer.text()}\n`));
  return texts.join('');
}

describe('docs/incidents.md', { timeout: 120_000 }, () => {
  test.skipIf(isMysql)('a damaged database is seen as the page says, and a backup helps', async () => {
    const section = await readSection('incidents.md', 'The database is damaged');
    const { place, alertdesk, start, refuse } = await setUp();
    const healthy = await start();
    const { key } = await makeSource(healthy.admin);
    for (let number = 0; number < 40; number += 1)
      await healthy.admin.post(key, { title: `Alert ${number}`, text: 'x'.repeat(4000) });
    await alertdesk('backup /backups/whole.db');
    await stop(healthy);

    const file = join(place.dataDir, SQLITE_FILE);
    await overwriteTable(file, 'alerts');
    const damaged = await start();
    const answers = await answersOf(damaged, '/api/alerts/inbox?limit=500', '/readyz', '/healthz');
    await stop(damaged);
    await cp(file, join(place.dataDir, 'damaged'));
    await writeFile(file, 'x'.repeat(10_000));
    expect(unseen(section, answers + damaged.output.out + (await refuse()))).toEqual([]);

    await alertdesk('restore /backups/whole.db');
    const repaired = await start();
    expect(await alertdesk('recount')).toContain('Every counter is right.');
    expect((await repaired.admin.get('/readyz')).status).toBe(200);
    expect((await repaired.admin.get('/api/alerts/inbox')).headers.get('x-total-count')).toBe('40');
  });

  test.skipIf(isMysql)('a full disk is seen as the page says, and ends with space', async (context) => {
    const section = await readSection('incidents.md', 'A disk is full');
    const disk = await mountSmallDisk();
    if (!disk) return context.skip('not permitted here');
    const { start } = await setUp({ dataDir: disk.dataDir, databaseUrl: undefined, remove: () => disk.remove() });
    const server = await start();
    const { key } = await makeSource(server.admin);
    const post = () => server.admin.post(key, { title: 'Disk full', text: 'x'.repeat(100_000) });
    await disk.leave(200 * 1024);
    await expect.poll(async () => (await post()).status, { timeout: 20_000 }).toBe(503);
    const refused = await post();
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    const answers = await answersOf(server, '/readyz', '/api/alerts/inbox');
    expect((await server.admin.get('/readyz')).status).toBe(200);
    await disk.free();
    await expect.poll(async () => (await post()).status, { timeout: 20_000 }).toBe(202);
    await stop(server);
    expect(unseen(section, answers + server.output.out)).toEqual([]);
    expect(server.output.out).toContain('SQLITE_FULL');
  });

  test('lost secrets are seen as the page says, and putting them back helps', async () => {
    const section = await readSection('incidents.md', 'Secrets are lost');
    const { place, alertdesk, start, refuse } = await setUp();
    const outside = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64url') };
    const other = await setUp();
    await stop(await start());
    await alertdesk('secrets-key');

    // A key that is kept outside, and is not there.
    await stop(await other.start(outside));
    let said = await other.refuse();
    await stop(await other.start(outside));
    expect(section.text).toContain('Put the file or the key back');

    const withFile = async () => {
      const file = join(place.dataDir, 'secrets.json');
      const own = await readFile(file, 'utf8');
      await rm(file);
      const without = await start();
      said += without.output.out;
      await stop(without);
      // What that start made is another; the old one may be put back in its place.
      expect(section.text).toContain('put the old one in its place');
      await writeFile(file, own);
      const again = await start();
      await stop(again);
      said += again.output.out;
      await writeFile(file, JSON.stringify({ ...JSON.parse(own), [INSIDE_KEY]: newSealingKey() }));
      said += await refuse();
      await rm(file);
      await expect(alertdesk('secrets-key')).rejects.toThrow('is missing in DATA_DIR');
      await stop(await start());
    };
    if (!isMysql) await withFile();
    // secrets.json has the key on SQLite only.
    const missing = unseen(section, said).filter((words) => !isMysql || !words.includes('secrets.json'));
    expect(missing).toEqual([]);
    expect(await alertdesk(`user reset-second-step ${ADMIN.email}`)).toContain(ADMIN.email);
  });

  test.runIf(!isMysql && canRunAsNobody())(
    'a read-only folder is seen as the page says, and its owner’s modes help',
    async () => {
      const section = await readSection('incidents.md', 'The database or its folder is read-only');
      const { place, start, refuse } = await setUp();
      await chown(place.dataDir, NOBODY.uid, NOBODY.gid);
      await stop(await start({}, NOBODY));
      await chmod(place.dataDir, 0o500);
      expect(unseen(section, await refuse({}, NOBODY))).toEqual([]);
      await chmod(place.dataDir, 0o700);
      await stop(await start({}, NOBODY));
    },
  );

  test.skipIf(!isMysql)('MySQL that only reads refuses changes and answers lists, until it writes again', async () => {
    const { place, start } = await setUp();
    // Root writes all the same.
    const url = new URL(place.databaseUrl ?? '');
    const root = await createConnection(url.href);
    onTestFinished(async () => {
      await root.query('SET GLOBAL read_only = OFF');
      await root.end();
    });
    const user = `reader${process.pid}`;
    await root.query(`CREATE USER ${user}@'%' IDENTIFIED BY 'only for tests'`);
    await root.query(`GRANT ALL ON \`${url.pathname.slice(1)}\`.* TO ${user}@'%'`);
    url.username = user;
    url.password = 'only for tests';
    const server = await start({ DATABASE_URL: url.href });
    const { key } = await makeSource(server.admin);
    await root.query('SET GLOBAL read_only = ON');
    const refused = await server.admin.post(key, { title: 'Read only' });
    expect([refused.status, Number(refused.headers.get('Retry-After')) > 0]).toEqual([503, true]);
    expect((await server.admin.get('/api/alerts/inbox')).status).toBe(200);
    await root.query('SET GLOBAL read_only = OFF');
    await expect
      .poll(async () => (await server.admin.post(key, { title: 'Writes' })).status, { timeout: 20_000 })
      .toBe(202);
    await stop(server);
    await root.query(`DROP USER ${user}@'%'`);
  });

  test('a sender that does not get through is found where the page says', async () => {
    const { start } = await setUp();
    const server = await start();
    const { id, key } = await makeSource(server.admin);
    expect((await server.admin.post(key, 'not JSON')).status).toBe(400);
    expect((await server.admin.post('a key of nobody', { title: 'Lost' })).status).toBe(401);
    // The log is written after the answers.
    const listed = async () => (await server.admin.get(`/api/sources/${id}/deliveries`)).text();
    await expect.poll(listed).toMatch(/"summary":"Not JSON".*"status":400/);
    const unknown = async () => (await server.admin.get('/api/unknown-keys')).json() as Promise<{ keys: unknown[] }>;
    await expect.poll(async () => (await unknown()).keys.length).toBe(1);
    await stop(server);
  });

  test('whoever cannot sign in gets in by the commands of the page', async () => {
    const { text } = await readSection('incidents.md', 'Nobody can sign in');
    const commands = ['user list', 'reset-password', 'reset-second-step', 'enable'];
    expect(commands.filter((command) => !text.includes(command))).toEqual([]);
    const { alertdesk, start } = await setUp();
    const server = await start();
    expect(await alertdesk('user list')).toContain(ADMIN.email);
    const printed = await alertdesk(`user reset-password ${ADMIN.email}`);
    await alertdesk(`user reset-second-step ${ADMIN.email}`);
    expect(await alertdesk(`user enable ${ADMIN.email}`)).toContain(ADMIN.email);
    const again = new TestClient(server.url);
    await again.signIn(ADMIN.email, /Password: (?<password>\S+)/.exec(printed)?.groups?.['password'] ?? '');
    expect((await again.get('/api/alerts/inbox')).status).toBe(200);
    await stop(server);
  });
});
