import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startMain } from '#tests/support/main-process.ts';
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
