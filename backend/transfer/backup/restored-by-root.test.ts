import { execFile } from 'node:child_process';
import { chmod, chown, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SQLITE_FILE } from '#backend/platform/database/open-database.ts';
import { createFileSecretStore } from '#backend/platform/secrets/secret-store.ts';
import { startMain } from '#tests/support/main-process.ts';
import { NOBODY, canRunAsNobody } from '#tests/support/nobody.ts';
import { COMMAND_LINE } from '#tests/support/product-commands.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { backUp, restore } from './backup.ts';

const run = promisify(execFile);

const SERVICE = NOBODY.uid;
const runsAsNobody = canRunAsNobody();

describe.runIf(process.getuid?.() === 0)('restored by root', () => {
  test('the database, and what else root writes there, belongs to whom the data folder belongs', async () => {
    const server = await startTestServer();
    onTestFinished(() => server.destroy());
    const { dataDir } = server.config;
    const file = join(dataDir, 'backup.sqlite');
    await backUp(dataDir, file);
    await server.stop();
    await chown(dataDir, SERVICE, SERVICE);
    await rm(join(dataDir, 'server.lock'));
    await restore(dataDir, file);
    expect((await stat(join(dataDir, 'secrets.json'))).uid).toBe(SERVICE);
    await createFileSecretStore(dataDir).put('A', 'b');
    for (const name of [SQLITE_FILE, 'server.lock', 'secrets.json']) {
      const { uid, gid, mode } = await stat(join(dataDir, name));
      expect([name, uid, gid, mode & 0o777]).toEqual([name, SERVICE, SERVICE, 0o600]);
    }
  });

  test('secrets behind a link stay as they are', async () => {
    const server = await startTestServer();
    onTestFinished(() => server.destroy());
    const { dataDir } = server.config;
    const file = join(dataDir, 'backup.sqlite');
    await backUp(dataDir, file);
    await server.stop();
    const secrets = join(dataDir, 'secrets.json');
    await rename(secrets, `${secrets}.kept`);
    await symlink(`${secrets}.kept`, secrets);
    await chmod(`${secrets}.kept`, 0o640);
    await restore(dataDir, file);
    expect((await stat(`${secrets}.kept`)).mode & 0o777).toBe(0o640);
  });

  test.runIf(runsAsNobody)(
    'a restore by the user of the service succeeds beside secrets that belong to root',
    async () => {
      const server = await startTestServer();
      onTestFinished(() => server.destroy());
      const { dataDir } = server.config;
      const file = join(dataDir, 'backup.sqlite');
      await backUp(dataDir, file);
      await server.stop();
      for (const each of [dataDir, ...(await readdir(dataDir)).map((one) => join(dataDir, one))])
        await chown(each, SERVICE, SERVICE);
      await chown(join(dataDir, 'secrets.json'), 0, 0);
      const { stdout } = await run(process.execPath, [COMMAND_LINE, 'restore', file], {
        env: { ...process.env, DATA_DIR: dataDir },
        cwd: dataDir,
        ...NOBODY,
      });
      expect(stdout).toContain('before-restore');
    },
  );

  test.runIf(runsAsNobody).each([SQLITE_FILE, 'server.lock', 'secrets.json'])(
    'a file of another user is named with its owner: %s',
    async (name) => {
      const server = await startTestServer();
      onTestFinished(() => server.destroy());
      const { dataDir } = server.config;
      await server.stop();
      for (const each of [dataDir, ...(await readdir(dataDir)).map((one) => join(dataDir, one))])
        await chown(each, SERVICE, SERVICE);
      await chown(join(dataDir, name), 0, 0);
      const { output, ended } = startMain({ dataDir, databaseUrl: undefined }, {}, NOBODY);
      expect(await ended).toBe(1);
      expect(output.err).toContain(
        `it belongs to user 0 with mode 600, and this process runs as user ${SERVICE}; give it to that user (chown)`,
      );
      expect(output.err).toContain(join(dataDir, name));
      expect(output.err.trim().split('\n')).toHaveLength(1);
    },
  );
});
