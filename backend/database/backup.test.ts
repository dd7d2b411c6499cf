import { execFile } from 'node:child_process';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { backUp, restore } from '#backend/database/backup.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/backup.ts', import.meta.url));
const run = promisify(execFile);

// Outside the projects that name a database, servers run on the embedded one: MySQL has backup tools of its own.
describe('the embedded database', { timeout: 30_000 }, () => {
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

  test('has one server', async () => {
    await expect(startTestServer({ DATA_DIR: server.config.dataDir })).rejects.toThrow(/Another Alertdesk works in/);
  });
});

test('the command says what a restore elsewhere needs besides', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  const { dataDir } = server.config;
  const env = { ...process.env, DATA_DIR: dataDir };
  const { stdout } = await run(process.execPath, [SCRIPT, 'backup', join(dataDir, 'backup.sqlite')], {
    env,
    cwd: dataDir,
  });
  expect(stdout).toContain(
    `SESSION_SECRET, VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY. To restore it elsewhere, also copy ${join(dataDir, 'secrets.json')}`,
  );
});

test('the command says that MySQL has tools of its own', async () => {
  const env = { ...process.env, DATABASE_URL: 'mysql://root@127.0.0.1/alerts' };
  const refused = run(process.execPath, [SCRIPT, 'backup', '/tmp/never'], { env });
  await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/mysqldump/) });
});
