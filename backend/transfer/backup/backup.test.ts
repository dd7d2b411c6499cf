import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { backUp, restore } from './backup.ts';
import { SQLITE_FILE } from '#backend/platform/database/open-database.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { listening, startMain } from '#tests/support/main-process.ts';
import { mountSmallDisk } from '#tests/support/small-disk.ts';
import { COMMAND_LINE } from '#tests/support/product-commands.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

const run = promisify(execFile);

// Outside the projects that name a database, servers run on the embedded one: MySQL has backup tools of its own.
describe('the embedded database', () => {
  let server: TestServer;
  let file: string;
  beforeEach(async () => {
    server = await startTestServer();
    file = join(server.config.dataDir, 'backup.sqlite');
  });
  afterEach(() => server.destroy());

  test('is backed up under writes; all that was acknowledged before is there after the restore, once', async () => {
    const key = await server.addApiKey();
    const poster = server.anonymous();
    const acknowledged: string[] = [];
    const done = new AbortController();
    const posters = Array.from({ length: 8 }, async () => {
      while (!done.signal.aborted) acknowledged.push((await poster.postAlert(key)).id);
    });
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(300);
    const before = [...acknowledged];
    await backUp(server.config.dataDir, file);
    done.abort();
    await Promise.all(posters);
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    await server.stop();
    const aside = await restore(server.config.dataDir, file);
    expect(aside).toMatch(/before-restore/);
    const restarted = await server.restart();
    const stored = (await (await restarted.signedIn()).alerts('/api/alerts/inbox')).map(({ id }) => id);
    const inStore = new Set(stored);
    expect(inStore.size).toBe(stored.length);
    expect(before.filter((id) => !inStore.has(id))).toEqual([]);
    await restarted.stop();
  });

  test('is restored with the commits that are in the log beside the file', async () => {
    await server.stop();
    const source = join(server.config.dataDir, SQLITE_FILE);
    // As they lie on the disk when a process is killed: nothing has moved these commits into the file yet.
    const writer = new BetterSqlite3(source);
    writer.pragma('wal_autocheckpoint = 0');
    const id = crypto.randomUUID();
    writer.prepare('INSERT INTO report_watch (id, since_at, seen_at) VALUES (?, 0, 0)').run(id);
    await copyFile(source, file);
    await copyFile(`${source}-wal`, `${file}-wal`);
    writer.exec('DELETE FROM report_watch');
    writer.close();
    expect((await readFile(file)).includes(id)).toBe(false);
    // What an earlier attempt left that was killed.
    await writeFile(`${source}.new`, 'half a database');
    await restore(server.config.dataDir, file);
    expect((await readdir(server.config.dataDir)).filter((name) => name.includes('.new'))).toEqual([]);
    const restarted = await server.restart();
    expect(await restarted.database.reads.query('SELECT id FROM report_watch WHERE id = ?', [id])).toEqual([{ id }]);
    await restarted.stop();
  });

  test('is not restored under a running server, nor from what is no backup', async () => {
    await backUp(server.config.dataDir, file);
    await expect(restore(server.config.dataDir, file)).rejects.toThrow(/Another Alertdesk works/);
    await server.stop();
    await writeFile(`${file}.broken`, 'not a database');
    await expect(restore(server.config.dataDir, `${file}.broken`)).rejects.toThrow(/not a whole Alertdesk database/);
    await expect(restore(server.config.dataDir, `${file}.none`)).rejects.toThrow(/no file/);
  });

  test('never overwrites a file', async () => {
    await writeFile(file, 'precious');
    await expect(backUp(server.config.dataDir, file)).rejects.toThrow(/exists already/);
  });

  test('is backed up to one file twice at once, and is whole', async () => {
    await Promise.all([backUp(server.config.dataDir, file), backUp(server.config.dataDir, file)]);
    const copy = new BetterSqlite3(file, { readonly: true });
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    copy.close();
    expect((await readdir(server.config.dataDir)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  test('is said to be damaged where it cannot be copied for that', async () => {
    await server.stop();
    const source = join(server.config.dataDir, SQLITE_FILE);
    const bytes = await readFile(source);
    // All but the header and what the first page says of the tables.
    await writeFile(source, bytes.fill(0xff, 8_192));
    await expect(backUp(server.config.dataDir, file)).rejects.toThrow(/database file .* is damaged \(SQLITE_CORRUPT/);
    expect((await readdir(server.config.dataDir)).filter((name) => name.startsWith('backup'))).toEqual([]);
  });

  test('has one server', async () => {
    await expect(startTestServer({ DATA_DIR: server.config.dataDir })).rejects.toThrow(/Another Alertdesk works in/);
  });
});

/** What a command prints, run on a server's data by a process of its own. */
const runOn = async (dataDir: string, args: string[], environment: Record<string, string> = {}) =>
  run(process.execPath, args, { env: { ...process.env, DATA_DIR: dataDir, ...environment }, cwd: dataDir });

test('the command says what a restore elsewhere needs besides, and which key opens the secrets in it', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  const { dataDir } = server.config;
  const { stdout } = await runOn(dataDir, [COMMAND_LINE, 'backup', join(dataDir, 'backup.sqlite')]);
  expect(stdout).toContain(
    `SESSION_SECRET, VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY. To restore it elsewhere, also copy ${join(dataDir, 'secrets.json')}`,
  );
  expect(stdout).toContain('the secrets of destinations, own channels, calendars and silences');
  expect(stdout).toContain(`sealed under the key SOURCE_SECRETS_KEY in ${join(dataDir, 'secrets.json')}`);

  const sealed = await startTestServer({ SECRETS_KEY: randomBytes(32).toString('base64url') });
  onTestFinished(() => sealed.destroy());
  const outside = sealed.config.dataDir;
  const second = await runOn(outside, [COMMAND_LINE, 'backup', join(outside, 'backup.sqlite')]);
  expect(second.stdout).toContain('sealed under the key of SECRETS_KEY or SECRETS_KEY_FILE');
  expect(second.stdout).not.toContain('SOURCE_SECRETS_KEY');
});

test.each(['--help', '--new'])('the command takes no option for the name of a file: %s', async (option) => {
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  const { dataDir } = server.config;
  await expect(runOn(dataDir, [COMMAND_LINE, 'backup', option])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Usage: '),
  });
  expect(await readdir(dataDir)).not.toContain(option);
});

test('the command is in the audit trail; the backup is there also when that cannot be written', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  const { dataDir } = server.config;
  const file = join(dataDir, 'backup.sqlite');
  await runOn(dataDir, [COMMAND_LINE, 'backup', file]);
  const entries = await server.database.reads.getRepository(AuditEntity).findBy({ action: 'database_backed_up' });
  const { size } = await stat(file);
  expect(entries).toMatchObject([
    { actorName: 'command line', subject: file, detail: `${size} bytes`, ip: null, times: 1 },
  ]);
  await server.database.transaction((tx) =>
    tx.query("CREATE TRIGGER full BEFORE INSERT ON audit_log BEGIN SELECT RAISE(FAIL, 'the disk is full'); END"),
  );
  const { stdout, stderr } = await runOn(dataDir, [COMMAND_LINE, 'backup', `${file}.2`]);
  expect(stdout).toContain(`Backed up to ${file}.2`);
  expect(stderr).toMatch(/^The backup is not in the audit trail \(SQLITE_CONSTRAINT_TRIGGER\)\.$/m);
  expect((await stat(`${file}.2`)).size).toBeGreaterThan(0);
});

test.each([
  ['backup', [COMMAND_LINE, 'backup']],
  ['export', [COMMAND_LINE, 'export']],
])('a full disk leaves nothing of a %s', async (kind, command) => {
  const disk = await mountSmallDisk();
  // Mounting takes root.
  if (!disk) return;
  onTestFinished(disk.remove);
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  const payload = JSON.stringify({ text: 'x'.repeat(100_000) });
  await insertAlerts(
    server.database,
    Array.from({ length: 240 }, () => ({ payload, customer: null })),
  );
  // More than SQLite keeps in memory, on one disk: it leaves the journal of its copy then.
  const dataDir = kind === 'backup' ? disk.dataDir : server.config.dataDir;
  if (kind === 'backup') {
    await server.stop();
    await copyFile(join(server.config.dataDir, SQLITE_FILE), join(dataDir, SQLITE_FILE));
  }
  await disk.leave(1_000_000);
  const written = runOn(dataDir, [...command, join(disk.dataDir, 'copy')]);
  await expect(written).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/could not be written to \S+ \((?:ENOSPC|SQLITE_FULL)\)\.\n$/),
  });
  expect((await readdir(disk.dataDir)).filter((name) => name.startsWith('copy'))).toEqual([]);
});

test('an empty database beside the secrets of an installation is not taken for a first start', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  const { dataDir } = server.config;
  await server.stop();
  const file = join(dataDir, SQLITE_FILE);
  await writeFile(file, '');
  const { output, ended } = startMain({ dataDir, databaseUrl: undefined }, {});
  expect(await ended).toBe(1);
  const secrets = join(dataDir, 'secrets.json');
  expect(output.err).toBe(
    `The database file ${file} is empty, while ${secrets} has the secrets of an installation; put a backup back with "npm run restore -- FILE", or remove ${secrets} to begin again.\n`,
  );
  expect((await stat(file)).size).toBe(0);
  await rm(secrets);
  const again = startMain({ dataDir, databaseUrl: undefined }, {});
  expect((await listening(again)).password).not.toBe('');
});

describe('a restore that fails between its moves', () => {
  test('leaves the database that was there', async () => {
    const server = await startTestServer();
    onTestFinished(() => server.destroy());
    const { dataDir } = server.config;
    const file = join(dataDir, 'backup.sqlite');
    await backUp(dataDir, file);
    await insertAlerts(server.database, [{}]);
    await server.stop();
    const target = join(dataDir, SQLITE_FILE);
    await writeFile(`${target}-journal`, '');
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-28T00:00:00.000Z') });
    onTestFinished(() => void vi.useRealTimers());
    // No file can take the name of a folder.
    await mkdir(`${target}.before-restore-2026-11-28T00-00-00.000Z-journal`);
    const before = await readFile(target);
    await expect(restore(dataDir, file)).rejects.toThrow(
      'The backup could not be put in the place of the database (EISDIR); what was there is there again.',
    );
    expect(before.equals(await readFile(target))).toBe(true);
    const names = await readdir(dataDir);
    expect(names).not.toContain(`${SQLITE_FILE}.before-restore-2026-11-28T00-00-00.000Z`);
    expect(names).not.toContain(`${SQLITE_FILE}.new`);
  });

  test('is not taken for a first start', async () => {
    const server = await startTestServer();
    onTestFinished(() => server.destroy());
    const { dataDir } = server.config;
    await server.stop();
    const file = join(dataDir, SQLITE_FILE);
    await rename(file, `${file}.before-restore-2026-11-28T00-00-00.000Z`);
    const { output, ended } = startMain({ dataDir, databaseUrl: undefined }, {});
    expect(await ended).toBe(1);
    const secrets = join(dataDir, 'secrets.json');
    expect(output.err).toBe(
      `The database file ${file} is missing, while ${secrets} has the secrets of an installation; put a backup back with "npm run restore -- FILE --new", or remove ${secrets} to begin again.\n`,
    );
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });
});

test('the command says that MySQL has tools of its own', async () => {
  const env = { ...process.env, DATABASE_URL: 'mysql://root@127.0.0.1/alerts' };
  const refused = run(process.execPath, [COMMAND_LINE, 'backup', '/tmp/never'], { env });
  await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/mysqldump/) });
});
