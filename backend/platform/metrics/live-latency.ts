import { type RecordableHistogram, createHistogram, performance } from 'node:perf_hooks';
import { Histogram, type Registry } from 'prom-client';
import { ALERT_ORIGINS, type LiveObserver } from './observers.ts';

/** What is recent, and what is kept of it at once, in milliseconds. */
export const RECENT_MS = 5 * 60_000;
const SLOT_MS = 30_000;

/** Longer durations count as this one, in microseconds. */
const LONGEST_US = 60 * 60 * 1_000_000;

/** Durations of the last minutes, in seconds; null without any. */
export interface RecentDurations {
  samples: number;
  median: number | null;
  p95: number | null;
  p99: number | null;
}

/** How long webhooks took to live clients in the last minutes. */
export interface LiveLatency {
  /** To the sockets of all clients. */
  delivered: RecentDurations;
  /** To the screens of pages that reported it. */
  shown: RecentDurations;
}

/** Seconds: around the 15 and 30 ms within which an alert should reach a thousand clients. */
const DELIVERED_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Seconds: a screen draws every 8 to 17 ms, and networks differ. */
const SHOWN_BOUNDS = [0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2.5, 5, 10, 30];

/** Counts how long new alerts take from their webhook to live clients, for Prometheus and for the last minutes. */
export function createLatencyMetrics(registry: Registry): Pick<LiveObserver, 'delivered' | 'shown'> & {
  recent(): LiveLatency;
} {
  const deliveries = new Histogram({
    registers: [registry],
    name: 'alertdesk_live_delivery_seconds',
    help: 'Time from a webhook that was read to its new alert at the sockets of all live clients, by where it was stored.',
    labelNames: ['origin'],
    buckets: DELIVERED_BOUNDS,
  });
  for (const origin of ALERT_ORIGINS) deliveries.zero({ origin });
  const screens = new Histogram({
    registers: [registry],
    name: 'alertdesk_live_screen_seconds',
    help: 'Time from a webhook that was read to its new alert drawn on a page, of those that pages report now and then.',
    buckets: SHOWN_BOUNDS,
  });
  const [delivered, shown] = [createRecentDurations(), createRecentDurations()];
  return {
    delivered(seconds, origin) {
      deliveries.observe({ origin }, seconds);
      delivered.record(seconds);
    },
    shown(seconds) {
      screens.observe(seconds);
      shown.record(seconds);
    },
    recent: () => ({ delivered: delivered.read(), shown: shown.read() }),
  };
}

const newHistogram = (): RecordableHistogram => createHistogram({ lowest: 1, highest: LONGEST_US, figures: 2 });

/**
 * Percentiles of the last minutes, right to one in a hundred, in a memory that does not grow with what is recorded.
 *
 * @param now a clock that never goes back, in milliseconds.
 */
export function createRecentDurations(now: () => number = () => performance.now()): {
  record(seconds: number): void;
  read(): RecentDurations;
} {
  const slots = Array.from({ length: RECENT_MS / SLOT_MS }, () => ({ number: -1, histogram: newHistogram() }));
  const current = () => Math.floor(now() / SLOT_MS);
  return {
    record(seconds) {
      const number = current();
      const slot = slots[number % slots.length];
      if (!slot) return;
      if (slot.number !== number) {
        slot.histogram.reset();
        slot.number = number;
      }
      slot.histogram.record(Math.min(Math.max(Math.round(seconds * 1e6), 1), LONGEST_US));
    },
    read() {
      const oldest = current() - slots.length;
      const all = newHistogram();
      for (const { number, histogram } of slots) if (number > oldest) all.add(histogram);
      const samples = all.count;
      const at = (percent: number) => (samples === 0 ? null : all.percentile(percent) / 1e6);
      return { samples, median: at(50), p95: at(95), p99: at(99) };
    },
  };
}
