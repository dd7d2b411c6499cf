import { describe, expect, onTestFinished, test } from 'vitest';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { expectToSurviveFullDisk } from '#tests/support/full-disk.ts';
import { keepMailing, newLedger, reportOf } from '#tests/support/ledger.ts';
import { startMain } from '#tests/support/main-process.ts';
import { freePort } from '#tests/support/plain-proxy.ts';
import { readInbox } from '#tests/support/read-inbox.ts';
import { startServerProcess } from '#tests/support/server-process.ts';
import { limitFileSizes, mountSmallDisk } from '#tests/support/small-disk.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const KIB = 1024;

/** Waits until there are so many more. */
const more = (of: () => number, by: number) => {
  const enough = of() + by;
  return waitFor(() => expect(of()).toBeGreaterThan(enough), { timeout: 60_000, interval: 20 });
};

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

test('emails that a full disk has no room for are put off, and none that was answered 250 is lost', async (context) => {
  const disk = await mountSmallDisk();
  if (!disk) return context.skip('not permitted here');
  onTestFinished(() => disk.remove());
  const port = await freePort();
  const environment = { SMTP_PORT: String(port), SMTP_DOMAIN: 'alerts.example.com' };
  const server = await startServerProcess({ dataDir: disk.dataDir, environment });
  onTestFinished(() => server.dispose());
  const { admin } = await readInbox(server.url);
  const made = await admin.send('POST', '/api/sources', { name: 'Mailed' });
  const to = sourceWithSecretsSchema.parse(await made.json()).source.mailAddress ?? '';
  const mails = newLedger();
  const done = new AbortController();
  const text = 'x'.repeat(4_000);
  const senders = Array.from({ length: 4 }, (_, sender) =>
    keepMailing(mails, done.signal, port, (number) => ({
      to,
      text,
      subject: `Disk of node-${sender}-${number} is full`,
    })),
  );
  try {
    await more(() => mails.acknowledged.length, 20);
    await disk.leave(600 * KIB, server.pid);
    await more(() => mails.refused, 10);
    await disk.free(server.pid);
    await more(() => mails.acknowledged.length, 20);
  } finally {
    done.abort();
    await Promise.all(senders);
  }
  expect(mails.unexpected).toEqual([]);
  await server.end('SIGKILL');
  await server.start();
  const { titles: stored } = await readInbox(server.url);
  expect(mails.acknowledged.filter((title) => !stored.includes(title))).toEqual([]);
  expect(new Set(stored).size).toBe(stored.length);
  await context.annotate(`emails ${reportOf(mails)}`);
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
