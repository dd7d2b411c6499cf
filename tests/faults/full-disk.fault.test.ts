import { describe, expect, onTestFinished, test } from 'vitest';
import { expectToSurviveFullDisk } from '#tests/support/full-disk.ts';
import { startMain } from '#tests/support/main-process.ts';
import { startServerProcess } from '#tests/support/server-process.ts';
import { limitFileSizes, mountSmallDisk } from '#tests/support/small-disk.ts';

const KIB = 1024;

describe.each([
  ['a full disk', mountSmallDisk],
  ['a disk that takes no more of a file', limitFileSizes],
])('%s', (name, makeDisk) => {
  test('loses nothing that was answered; reads go on, and writes return without a restart', async (context) => {
    const disk = await makeDisk();
    if (!disk) return context.skip('not permitted here');
    onTestFinished(() => disk.remove());
    const server = await startServerProcess({ dataDir: disk.dataDir, launcher: disk.launcher });
    onTestFinished(() => server.dispose());
    const report = await expectToSurviveFullDisk(server, {
      rounds: 2,
      fill: () => disk.leave(600 * KIB, server.pid),
      free: () => disk.free(server.pid),
    });
    await context.annotate(`${name}: ${report}`);
  });
});

describe.each([0, 40, 250])('a start that finds %i KiB on its disk', (left) => {
  test('says so in one sentence', async (context) => {
    const disk = await mountSmallDisk();
    if (!disk) return context.skip('not permitted here');
    onTestFinished(() => disk.remove());
    await disk.leave(left * KIB);
    const { output, ended } = startMain({ dataDir: disk.dataDir, databaseUrl: undefined }, {});
    expect(await ended).toBe(1);
    expect(output).toEqual({
      out: '',
      err: `The disk of the data folder ${disk.dataDir} is full; free some space, then start again.\n`,
    });
  });
});
