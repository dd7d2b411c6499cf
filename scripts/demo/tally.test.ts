import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTally } from './tally.ts';

test('counts by answer and reports the median and the p99', () => {
  let time = 0;
  const tally = createTally(undefined, () => time);
  for (let count = 1; count <= 99; count += 1) tally.acknowledge(`id-${count}`, 2);
  tally.acknowledge('slow', 80);
  tally.refuse(503);
  tally.refuse(503);
  tally.refuse('no answer');
  time = 10_000;
  expect(tally.line()).toBe('103 sent, 100 acknowledged, 2 × 503, 1 × no answer (10.3 per second)');
  expect(tally.summary()).toBe(
    'Sent 103 alerts in 10.0 s: 100 acknowledged (202), 2 × 503, 1 × no answer.\nAnswered after 2.0 ms (median), 2.0 ms (p99).',
  );
});

test('the ledger holds every acknowledged id at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-ledger-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const tally = createTally(join(folder, 'ids'));
  tally.acknowledge('a', 1);
  tally.refuse(500);
  tally.acknowledge('b', 1);
  expect(await readFile(join(folder, 'ids'), 'utf8')).toBe('a\nb\n');
  tally.close();
});

test('says that the ledger cannot be written', () => {
  expect(() => createTally('/nowhere/at/all')).toThrow('The ledger /nowhere/at/all cannot be written (ENOENT).');
});
