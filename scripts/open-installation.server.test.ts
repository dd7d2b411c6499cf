import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RowDataPacket, createConnection } from 'mysql2/promise';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LAUNCHED } from '#backend/platform/logger/command-line.ts';
import { migrations } from '#backend/platform/database/migrations.ts';
import { COMMAND_LINE } from '#tests/support/product-commands.ts';
import { type TestPlace, makeMigratedPlace, makeTestPlace, openTestDatabase } from '#tests/support/test-place.ts';

let place: TestPlace;
afterEach(() => place.remove());

/** Runs a command in the place's folder; resolves to its exit code and all that it wrote. */
const run = (args: string[], more: Record<string, string>) =>
  new Promise<{ code: number; text: string }>((resolve) => {
    const env = { PATH: process.env['PATH'], ALERTDESK_SETTINGS: join(place.dataDir, 'none'), ...more };
    execFile(process.execPath, [COMMAND_LINE, ...args], { cwd: place.dataDir, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, text: stdout + stderr }),
    );
  });

const ofServer = (): Record<string, string> => ({
  DATA_DIR: place.dataDir,
  ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
});

async function tablesOf(databaseUrl: string): Promise<unknown[]> {
  const connection = await createConnection(databaseUrl);
  const [rows] = await connection.query<RowDataPacket[]>('SHOW TABLES');
  await connection.end();
  return rows;
}

describe.runIf(process.env['TEST_DIALECT'] === 'mysql')('a database at DATABASE_URL without an installation', () => {
  beforeEach(async () => {
    place = await makeTestPlace();
  });

  test('gets no tables by any command but migrate', async () => {
    const databaseUrl = place.databaseUrl ?? '';
    for (const args of [['user', 'list'], ['recount', '--check'], ['recount'], ['secrets-key'], ['export', 'all']]) {
      const { code, text } = await run(args, ofServer());
      expect([args, code, text]).toEqual([
        args,
        1,
        expect.stringMatching(/^There is no installation in the database /),
      ]);
    }
    expect(await tablesOf(databaseUrl)).toEqual([]);
    expect(await run(['migrate'], ofServer())).toEqual({ code: 0, text: 'The tables are up to date.\n' });
    expect((await run(['user', 'list'], ofServer())).code).toBe(0);
  });

  test('is refused where another program has a table of the same name', async () => {
    const connection = await createConnection(place.databaseUrl ?? '');
    await connection.query('CREATE TABLE migrations (id int, migration varchar(100))');
    await connection.query("INSERT INTO migrations VALUES (1, 'create_users')");
    await connection.end();
    expect((await run(['user', 'list'], ofServer())).text).toContain('There is no installation in the database');
    expect(await tablesOf(place.databaseUrl ?? '')).toHaveLength(1);
  });

  test('is not found by a command of a built server in an .env of the working folder', async () => {
    await writeFile(join(place.dataDir, '.env'), `DATABASE_URL=${place.databaseUrl}\n`);
    const data = join(place.dataDir, 'data');
    const { code, text } = await run(['migrate'], { [LAUNCHED]: '1', DATA_DIR: data });
    expect([code, text]).toEqual([1, expect.stringContaining(`There is no database in ${data};`)]);
    expect(await tablesOf(place.databaseUrl ?? '')).toEqual([]);
  });
});

describe('tables that are older than the release', () => {
  const newest = migrations.at(-1)?.name ?? '';

  beforeEach(async () => {
    place = await makeMigratedPlace();
    const database = await openTestDatabase(place);
    await database.transaction((tx) => tx.query('DELETE FROM migrations WHERE name = ?', [newest]));
    await database.close();
  });

  test('are left as they are by a check of the counters', async () => {
    const { code, text } = await run(['recount', '--check'], ofServer());
    expect([code, text]).toEqual([1, expect.stringMatching(/^The tables are older than this release\b.*migrate/)]);
  });
});
