import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { listening, startMain } from '#tests/support/main-process.ts';
import { NOBODY, canRunAsNobody } from '#tests/support/nobody.ts';
import { mountSmallDisk } from '#tests/support/small-disk.ts';
import { type TestPlace, makeTestPlace } from '#tests/support/test-place.ts';

let place: TestPlace;
beforeEach(async () => {
  place = await makeTestPlace();
});
afterEach(() => place.remove());

const expectRefusal = async (environment: Record<string, string>, sentence: RegExp) => {
  const { output, ended } = startMain(place, environment);
  expect(await ended).toBe(1);
  expect(output.err).toMatch(sentence);
  expect(output.err.trim().split('\n')).toHaveLength(1);
  expect(output.out).toBe('');
};

describe('a start that cannot succeed ends in one sentence and exit code 1', () => {
  test('a malformed value', () =>
    expectRefusal({ PORT: 'eighty' }, /^The environment variable PORT has the value "eighty"/));
  test('a malformed DATABASE_URL', () =>
    expectRefusal({ DATABASE_URL: 'mysql://x' }, /^The environment variable DATABASE_URL/));
  test('an unreachable DATABASE_URL', () =>
    expectRefusal(
      { DATABASE_URL: 'mysql://root:hunter2@127.0.0.1:1/alerts' },
      /^The database alerts on 127\.0\.0\.1:1 cannot be used \(ECONNREFUSED\); check DATABASE_URL(?!.*hunter2)/,
    ));
  test('REDIS_URL without DATABASE_URL', () =>
    expectRefusal({ REDIS_URL: 'redis://localhost' }, /^The environment variable REDIS_URL is for several servers/));
  test.each([
    ['/dev/null/data', 'ENOTDIR'],
    ['/dev/null', 'EEXIST'],
    ['/proc/data', 'ENOENT|EROFS|EACCES'],
  ])('an unwritable DATA_DIR: %s', (folder, code) =>
    expectRefusal({ DATA_DIR: folder }, new RegExp(`^The data folder ${folder} cannot be created \\((?:${code})\\)`)),
  );

  // A folder that was written to before, on a disk that has become read-only: for root it is written all the same.
  test.runIf(process.env['TEST_DIALECT'] !== 'mysql' && canRunAsNobody())(
    'a data folder that may not be written any more',
    async () => {
      await chown(place.dataDir, NOBODY.uid, NOBODY.gid);
      const first = startMain(place, {}, NOBODY);
      await listening(first);
      first.child.kill('SIGTERM');
      expect(await first.ended).toBe(0);
      await chmod(place.dataDir, 0o500);
      const { output, ended } = startMain(place, {}, NOBODY);
      expect(await ended).toBe(1);
      expect(output.err).toBe(
        `The data folder ${place.dataDir} cannot be written (SQLITE_READONLY_DIRECTORY); set DATA_DIR to a folder that can.\n`,
      );
    },
  );

  test.runIf(process.env['TEST_DIALECT'] !== 'mysql')(
    'a data folder on a disk that has become read-only',
    async (context) => {
      const disk = await mountSmallDisk();
      if (!disk) return context.skip('not permitted here');
      onTestFinished(() => disk.remove());
      const environment = { DATA_DIR: disk.dataDir };
      const first = startMain(place, environment);
      await listening(first);
      first.child.kill('SIGTERM');
      expect(await first.ended).toBe(0);
      await promisify(execFile)('mount', ['-o', 'remount,ro', disk.dataDir]);
      const { output, ended } = startMain(place, environment);
      expect(await ended).toBe(1);
      expect(output.err).toMatch(new RegExp(`^The data folder ${disk.dataDir} cannot be written \\(EROFS\\);`));
    },
  );

  test('an occupied port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expectRefusal(
      { PORT: String(port) },
      new RegExp(`^Alertdesk cannot listen on 127.0.0.1:${port}: the port is occupied`),
    );
    other.close();
  });
});
