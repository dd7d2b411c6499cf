import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOBODY } from '#tests/support/nobody.ts';
import { ADMIN } from '#tests/support/server-process.ts';
import { buildServer, thisMachine } from './build-server.ts';

/** Another user than root, where this is root: it owns nothing of what is built. */
const OTHER = process.getuid?.() === 0 ? { uid: NOBODY.uid, gid: NOBODY.gid } : {};

const isWindows = process.platform === 'win32';

describe.skipIf(isWindows)('the command line of a built server, as another user', () => {
  let folder: string;
  let environment: Record<string, string>;
  /** Called as an administrator does, through a link in a folder of the PATH. */
  let program: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'alertdesk-built-'));
    await chmod(folder, 0o755);
    await buildServer(join(folder, 'opt'), thisMachine());
    const [bin, home] = [join(folder, 'bin'), join(folder, 'home')];
    await Promise.all([mkdir(bin), mkdir(home)]);
    // What runs this test may lie where the other user cannot look.
    await copyFile(process.execPath, join(bin, 'node'));
    program = join(bin, 'alertdesk');
    await symlink(join(folder, 'opt', 'alertdesk'), program);
    if (OTHER.uid !== undefined) await chown(home, OTHER.uid, OTHER.gid);
    environment = {
      PATH: [bin, '/usr/bin', '/bin'].join(delimiter),
      ALERTDESK_SETTINGS: join(folder, 'alertdesk.env'),
      PORT: '0',
    };
    await writeFile(environment['ALERTDESK_SETTINGS'] ?? '', `DATA_DIR=${join(home, 'data')}\n`);
  }, 180_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const options = (more: Record<string, string> = {}) => ({
    ...OTHER,
    cwd: join(folder, 'home'),
    env: { ...environment, ...more },
  });
  /** Runs a command; resolves to its exit code and all that it wrote. */
  const run = (args: string[], more?: Record<string, string>) =>
    new Promise<{ code: number; text: string }>((resolve) => {
      execFile(program, args, options(more), (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, text: stdout + stderr }),
      );
    });

  test('lists its commands, and refuses what is none', async () => {
    const { code, text } = await run([]);
    expect([code, text]).toEqual([0, expect.stringMatching(/^alertdesk serve .*\nalertdesk user /)]);
    expect(await run(['sever'])).toMatchObject({ code: 1, text: expect.stringContaining('no command "sever"') });
  });

  test('makes no database where none is', async () => {
    const reason = `There is no database in ${join(folder, 'home', 'data')}; set DATA_DIR as the server has it.`;
    for (const args of [['user', 'list'], ['recount'], ['migrate'], ['secrets-key'], ['export', 'all.jsonl']]) {
      expect([args, await run(args)]).toEqual([args, { code: 1, text: `${reason}\n` }]);
    }
  });

  test('serves, and works on the data of the server by its settings alone', async () => {
    const server = spawn(program, ['serve'], {
      ...options({ DATA_DIR: join(folder, 'home', 'data'), ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(server, 'exit');
    try {
      let output = '';
      server.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
      await expect.poll(() => output, { timeout: 20_000 }).toContain('"listening"');
      const url = /running at (?<url>\S+)/.exec(output)?.groups?.['url'] ?? '';
      expect((await fetch(`${url}/my-alerts`)).headers.get('content-type')).toContain('text/html');
      await writeFile(join(folder, 'alerts.csv'), 'title,created_at\nDisk full,2026-11-01T08:00:00Z\n');

      expect((await run(['user', 'list'])).text).toContain(ADMIN.email);
      const signIn = { ALERTDESK_EMAIL: ADMIN.email, ALERTDESK_PASSWORD: ADMIN.password };
      const imported = await run(['import', 'csv', join(folder, 'alerts.csv'), '--url', url], signIn);
      expect(imported).toMatchObject({ code: 0, text: expect.stringContaining('This was a dry run') });
      for (const [args, answer] of [
        [['recount'], 'Every counter is right.'],
        [['migrate'], 'The tables are up to date.'],
        [['secrets-key'], 'The key is in secrets.json'],
        [['backup', 'copy'], 'Backed up to'],
        [['export', 'all.jsonl'], 'Exported'],
      ] as const) {
        expect([args, await run([...args])]).toEqual([args, { code: 0, text: expect.stringContaining(answer) }]);
      }
      expect((await run(['restore', 'copy'])).code).toBe(1);
    } finally {
      server.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);

    const restored = await run(['restore', 'copy']);
    expect(restored).toMatchObject({ code: 0, text: expect.stringContaining('What was there is kept in') });
    const elsewhere = { DATA_DIR: join(folder, 'home', 'other') };
    expect(await run(['restore', 'copy'], elsewhere)).toMatchObject({
      code: 1,
      text: expect.stringContaining('To restore to a place that has none yet, add --new.'),
    });
    expect((await run(['restore', 'copy', '--new'], elsewhere)).code).toBe(0);
    expect((await run(['user', 'list'], elsewhere)).text).toContain(ADMIN.email);
  });

  test.skipIf(OTHER.uid === undefined)('says so when the settings of the server cannot be read', async () => {
    await chmod(environment['ALERTDESK_SETTINGS'] ?? '', 0o600);
    const refused = await run(['user', 'list']);
    expect(refused).toMatchObject({
      code: 1,
      text: expect.stringMatching(/cannot be read .*; run the command as root\./),
    });
  });
});
