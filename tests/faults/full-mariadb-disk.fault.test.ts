import { statfs } from 'node:fs/promises';
import { createConnection } from 'mysql2/promise';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectToSurviveFullDisk } from '#tests/support/full-disk.ts';
import { findMariaDb, startPrivateMariaDb } from '#tests/support/mariadb.ts';
import { startServerProcess } from '#tests/support/server-process.ts';
import { MIB, mountSmallDisk } from '#tests/support/small-disk.ts';

/** What MariaDB makes at its start, and some more. */
const DISK = 256 * MIB;
const OPTIONS = ['--innodb-log-file-size=8M', '--innodb-flush-method=fsync'];

const program = process.env['TEST_DIALECT'] === 'mysql' ? findMariaDb() : undefined;

// Without a binary log: with one, MariaDB 10.11 holds every commit and looks once a minute for space, or ends itself.
describe.runIf(program !== undefined)("a full disk of MariaDB's tables", () => {
  test('refuses writes with 503, loses nothing that was answered, and takes writes again without a restart', async (context) => {
    const disk = await mountSmallDisk(DISK);
    if (!disk) return context.skip('mounting is not permitted here: it takes root on Linux');
    onTestFinished(() => disk.remove());
    const mariaDb = await startPrivateMariaDb(program ?? '', OPTIONS, {}, disk.dataDir);
    onTestFinished(mariaDb.stop);
    const connection = await createConnection(mariaDb.url);
    await connection.query('CREATE DATABASE alerts');
    await connection.end();
    const server = await startServerProcess({
      environment: { DATABASE_URL: mariaDb.url.replace(/mysql$/, 'alerts') },
    });
    onTestFinished(() => server.dispose());
    const report = await expectToSurviveFullDisk(server, {
      rounds: 2,
      async fill() {
        await disk.leave(0);
        const { bavail, bsize } = await statfs(disk.dataDir);
        expect(bavail * bsize).toBeLessThan(MIB);
      },
      free: () => disk.free(),
    });
    await context.annotate(report);
  });
});
