import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { findProgram } from '#tests/support/find-program.ts';
import { keepSending, newLedger } from '#tests/support/ledger.ts';
import { readInbox } from '#tests/support/read-inbox.ts';
import { startServerProcess } from '#tests/support/server-process.ts';
import { makeTestPlace } from '#tests/support/test-place.ts';

const run = promisify(execFile);

const isMysql = process.env['TEST_DIALECT'] === 'mysql';
const dump = findProgram(['mariadb-dump', 'mysqldump'], ['/usr/bin', '/usr/local/bin']);
const client = findProgram(['mariadb', 'mysql'], ['/usr/bin', '/usr/local/bin']);

/** How MySQL's programs reach a database of the private server. */
function optionsOf(databaseUrl: string): string[] {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  return [
    '--protocol=tcp',
    `--host=${hostname}`,
    `--port=${port}`,
    `--user=${username}`,
    ...(password ? [`--password=${decodeURIComponent(password)}`] : []),
    pathname.slice(1),
  ];
}

/** Runs a command of package.json on a data folder. */
const command = (args: string[], environment: Record<string, string>) =>
  run(process.execPath, [join(PROJECT_DIR, 'scripts', 'alertdesk.ts'), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    cwd: environment['DATA_DIR'],
  });

test.skipIf(isMysql && !(dump && client))(
  'the drill of docs/operations.md: a backup of a server that takes alerts, restored elsewhere, has every alert that was answered before it began',
  async () => {
    const [place, elsewhere] = [await makeTestPlace(), await makeTestPlace()];
    const folder = await mkdtemp(join(tmpdir(), 'alertdesk-backup-'));
    onTestFinished(async () => {
      await Promise.all([place.remove(), elsewhere.remove(), rm(folder, { recursive: true, force: true })]);
    });
    const environmentOf = ({ dataDir, databaseUrl }: typeof place) => ({
      DATA_DIR: dataDir,
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    });
    const server = await startServerProcess({ environment: environmentOf(place), dataDir: place.dataDir });
    onTestFinished(() => server.dispose());
    const { admin } = await readInbox(server.url);
    const made = await admin.send('POST', '/api/sources', { name: 'Drill' });
    const { plain } = (await made.json()) as { plain: { key: string } };

    const ledger = newLedger();
    const stopped = new AbortController();
    const load = Promise.all(
      [1, 2, 3].map((poster) =>
        keepSending(ledger, stopped.signal, 202, (number) =>
          admin.post(plain.key, { title: `Alert ${poster}-${number}` }),
        ),
      ),
    );
    await expect.poll(() => ledger.acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(100);
    const before = [...ledger.acknowledged];
    const file = join(folder, 'backup');
    if (place.databaseUrl && elsewhere.databaseUrl) {
      const { stdout } = await run(dump ?? '', ['--single-transaction', '--quick', ...optionsOf(place.databaseUrl)], {
        maxBuffer: 64 * 1024 * 1024,
      });
      stopped.abort();
      const restoring = execFile(client ?? '', optionsOf(elsewhere.databaseUrl));
      restoring.stdin?.end(stdout);
      const code = await new Promise((resolve) => restoring.once('exit', resolve));
      if (code !== 0) throw new Error(`The restore ended with ${String(code)}.`);
    } else {
      await command(['backup', file], environmentOf(place));
      stopped.abort();
      await command(['restore', file, '--new'], environmentOf(elsewhere));
    }
    await load;
    expect(ledger.unexpected).toEqual([]);

    expect((await command(['recount', '--check'], environmentOf(elsewhere))).stdout).toContain(
      'Every counter is right',
    );
    const restored = await startServerProcess({ environment: environmentOf(elsewhere), dataDir: elsewhere.dataDir });
    onTestFinished(() => restored.dispose());
    const { admin: there } = await readInbox(restored.url);
    const found = await Promise.all(before.map(async (id) => (await there.get(`/api/alerts/${id}`)).status));
    expect(new Set(found)).toEqual(new Set([200]));
    // The sources' keys work there, too.
    expect((await there.post(plain.key, { title: 'After the restore' })).status).toBe(202);
  },
);
