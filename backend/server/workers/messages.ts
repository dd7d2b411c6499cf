import type { MetricValues } from '#backend/platform/metrics/sum-metrics.ts';
import type { RunningServer } from '#backend/server/server-parts.ts';

/** What a start is announced with. */
export type StartedServer = Pick<RunningServer, 'url' | 'firstAdmin' | 'setupToken'>;

/**
 * What a worker reports to the primary process. Either may be of another release than the other, after workers were
 * restarted with new files: a type that is not known is ignored, and fields are only ever added.
 */
export type WorkerReport =
  /** It listens. */
  | { type: 'listening'; server: StartedServer }
  /** What it has counted so far: the answer to `count`, and the last word before it ends. */
  | { type: 'counted'; values: MetricValues }
  /** Somebody reads its `/metrics`. */
  | { type: 'scrape' };

/** What the primary process asks of a worker. */
export type PrimaryOrder =
  | { type: 'stop'; isReplaced: boolean }
  | { type: 'count' }
  /** The answer to `scrape`. */
  | { type: 'scraped'; text: string };

/** The variable that names a worker to itself, from 1 to WORKERS. */
export const WORKER_NUMBER = 'WORKER_NUMBER';
