import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { COMMAND_LINE } from '#tests/support/product-commands.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { syncFolder } from './private-files.ts';

let folder: string;
let server: TestServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alertdesk-private-'));
  await chmod(folder, 0o755);
  server = await startTestServer({ DATA_DIR: folder });
});
afterEach(async () => {
  await server.destroy();
  await rm(folder, { recursive: true, force: true });
});

/** Modes of the files in the folder, by name. */
async function modes(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of await readdir(folder)) {
    // SQLite removes files of its own meanwhile.
    const file = await stat(join(folder, name)).catch(() => undefined);
    if (file) found[name] = (file.mode & 0o777).toString(8);
  }
  return found;
}

const expectPrivate = async () => {
  const found = await modes();
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, '600'])));
  return Object.keys(found);
};

test('files in a folder that others can read are private, also after a start that finds them readable', async () => {
  await server.search.settled();
  expect(await expectPrivate()).toEqual(
    expect.arrayContaining([
      'alertdesk.sqlite',
      'alertdesk.sqlite-wal',
      'search.sqlite',
      'secrets.json',
      'server.lock',
    ]),
  );
  await server.stop();
  for (const name of await readdir(folder)) await chmod(join(folder, name), 0o644);
  const restarted = await server.restart();
  await restarted.search.settled();
  await expectPrivate();
  await restarted.stop();
});

const run = (name: string) =>
  spawn(process.execPath, [COMMAND_LINE, name, join(folder, 'copy')], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], DATA_DIR: folder },
    cwd: folder,
  });

test.each(['backup', 'restore'])('%s writes no file that others can read, not even for a moment', async (command) => {
  const text = 'x'.repeat(1_000_000);
  await insertAlerts(
    server.database,
    Array.from({ length: 100 }, (_, number) => ({ payload: JSON.stringify({ number, text }), customer: null })),
  );
  if (command === 'restore') {
    await once(run('backup'), 'exit');
    // As a copy from elsewhere may be.
    await chmod(join(folder, 'copy'), 0o644);
    await server.stop();
  }
  const seen = new Set<string>();
  const child = run(command);
  const ended = once(child, 'exit');
  while (child.exitCode === null) {
    for (const [name, mode] of Object.entries(await modes())) {
      if (command === 'restore' && name === 'copy') continue;
      seen.add(`${/partial|new/.exec(name)?.[0] ?? 'other'} ${mode}`);
    }
  }
  expect(await ended).toEqual([0, null]);
  expect([...seen].toSorted()).toEqual(['other 600', command === 'backup' ? 'partial 600' : 'new 600'].toSorted());
});

test.runIf(process.platform === 'linux')('a folder whose file system syncs no folders is no failure', async () => {
  await expect(syncFolder('/proc')).resolves.toBeUndefined();
  await expect(syncFolder(join(folder, 'missing'))).rejects.toThrow('ENOENT');
});
