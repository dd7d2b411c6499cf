import { setTimeout as wait } from 'node:timers/promises';

const QUARTER_MS = 15 * 60_000;

/**
 * Waits where a quarter of an hour ends within the next seconds, and with it perhaps an hour or a day: what a test counts
 * afterwards is counted in the same one.
 */
export async function waitOutQuarter(): Promise<void> {
  const left = QUARTER_MS - (Date.now() % QUARTER_MS);
  if (left < 15_000) await wait(left);
}
