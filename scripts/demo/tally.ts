import { closeSync, openSync, writeSync } from 'node:fs';
import { createHistogram } from 'node:perf_hooks';
import { Complaint } from '#scripts/complaint.ts';

/** What became of the alerts so far. */
export interface Tally {
  /** The server has taken an alert: 202, which means that it is committed. Its id, where the answer has one. */
  acknowledge(id: string | undefined, milliseconds: number): void;
  /** The server has answered something else, or nothing (`no answer`). */
  refuse(status: number | 'no answer'): void;
  /** One line for while it runs. */
  line(): string;
  /** The lines at the end. */
  summary(): string;
  close(): void;
}

/**
 * Counts what became of the alerts and, with a ledger file, writes down every acknowledged id at once: a crash of the
 * server or of the demo leaves all of them in it.
 *
 * @throws {Complaint} when the ledger cannot be written
 */
export function createTally(ledger: string | undefined, now = () => performance.now()): Tally {
  const file = ledger === undefined ? undefined : openLedger(ledger);
  const started = now();
  const others = new Map<number | 'no answer', number>();
  const latencies = createHistogram();
  let acknowledged = 0;

  const sent = () => acknowledged + [...others.values()].reduce((sum, count) => sum + count, 0);
  const rate = () => (sent() / Math.max((now() - started) / 1000, 0.001)).toFixed(1);
  const otherAnswers = () => [...others].map(([status, count]) => `, ${count} × ${status}`).join('');
  const percentile = (share: number) => (latencies.percentile(share) / 1000).toFixed(1);

  return {
    acknowledge(id, milliseconds) {
      acknowledged += 1;
      latencies.record(Math.max(1, Math.round(milliseconds * 1000)));
      if (file !== undefined && id !== undefined) writeSync(file, `${id}\n`);
    },
    refuse(status) {
      others.set(status, (others.get(status) ?? 0) + 1);
    },
    line: () => `${sent()} sent, ${acknowledged} acknowledged${otherAnswers()} (${rate()} per second)`,
    summary: () => {
      const latency =
        acknowledged > 0 ? `\nAnswered after ${percentile(50)} ms (median), ${percentile(99)} ms (p99).` : '';
      const seconds = ((now() - started) / 1000).toFixed(1);
      return `Sent ${sent()} alerts in ${seconds} s: ${acknowledged} acknowledged (202)${otherAnswers()}.${latency}`;
    },
    close() {
      if (file !== undefined) closeSync(file);
    },
  };
}

function openLedger(path: string): number {
  try {
    return openSync(path, 'w');
  } catch (error) {
    throw new Complaint(`The ledger ${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`, {
      cause: error,
    });
  }
}
