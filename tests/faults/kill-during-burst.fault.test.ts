import process from 'node:process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { followFeed } from '#tests/support/feed-follower.ts';
import { readInbox } from '#tests/support/read-inbox.ts';
import { startDemo } from '#tests/support/run-demo.ts';
import { startServerProcess } from '#tests/support/server-process.ts';
import { makeMigratedPlace } from '#tests/support/test-place.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** After how many acknowledged alerts the server is killed, round by round. */
const ROUNDS = [200, 1_500, 4_000];

/** Requests that the demo has in flight at once: so many may be stored without having been acknowledged. */
const UNDER_WAY = 64;

const readLedger = async (path: string) => (await readFile(path, 'utf8').catch(() => '')).split('\n').filter(Boolean);

test('every acknowledged alert is there once after kill -9 during a burst, and on a page that was open', async () => {
  const place = await makeMigratedPlace();
  onTestFinished(() => place.remove());
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-faults-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const environment: Record<string, string> = place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {};
  const server = await startServerProcess({
    environment,
    ...(!place.databaseUrl && { dataDir: place.dataDir }),
  });
  onTestFinished(() => server.dispose());

  const { admin } = await readInbox(server.url);
  const page = followFeed(() => admin);
  onTestFinished(() => page.close());
  await expect.poll(() => page.readings).toBe(1);
  const acknowledged: string[] = [];
  for (const [round, killAfter] of ROUNDS.entries()) {
    const ledger = join(folder, `round-${round}`);
    // Each of the shop's events is an alert of its own; other senders repeat and resolve their problems.
    const burst = ['--burst', '1000000', '--sender', 'generic', '--ledger', ledger, '--concurrency', String(UNDER_WAY)];
    const demo = startDemo(server.url, ...burst);
    await waitFor(async () => expect(await readLedger(ledger)).not.toEqual([]), { timeout: 60_000, interval: 20 });
    const began = performance.now();
    await waitFor(async () => expect((await readLedger(ledger)).length).toBeGreaterThan(killAfter), {
      timeout: 60_000,
      interval: 20,
    });
    await server.end('SIGKILL');
    const seconds = (performance.now() - began) / 1000;
    const { code, output } = await demo.ended;
    expect(output).toContain(`The server at ${server.url.origin} is gone.`);
    expect(code).toBe(1);
    const ofRound = await readLedger(ledger);
    process.stdout.write(`killed at ${Math.round(ofRound.length / seconds)} alerts a second\n`);
    acknowledged.push(...ofRound);

    await server.start();
    const { ids, total } = await readInbox(server.url);
    const stored = new Set(ids);
    expect(stored.size).toBe(ids.length);
    expect(total).toBe(ids.length);
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    expect(ids.length - acknowledged.length).toBeLessThanOrEqual(UNDER_WAY * (round + 1));
    // More than 2,000 that were missed are read again.
    await expect.poll(() => ids.filter((id) => !page.versions.has(id)), { timeout: 20_000 }).toEqual([]);
    expect([...page.versions.keys()].filter((id) => !stored.has(id))).toEqual([]);
  }
});
