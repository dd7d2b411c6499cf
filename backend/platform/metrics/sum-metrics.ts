import { type Aggregator, AggregatorRegistry, Counter, Registry } from 'prom-client';

/** What one process counts, as values that can be added to those of others. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Counted by the primary process; a server by itself reports zero. */
export const WORKER_RESTARTS = {
  name: 'alertdesk_worker_restarts_total',
  help: 'Workers that ended by themselves and were started again.',
};

/**
 * How Node.js's own gauges are combined where prom-client would not do it so: of an event loop's delay the worst is what
 * rules ask for, and an average would hide one blocked worker of many.
 */
const COMBINED_BY: Record<string, Aggregator> = {
  nodejs_eventloop_lag_seconds: 'max',
  nodejs_eventloop_lag_mean_seconds: 'max',
  nodejs_eventloop_lag_stddev_seconds: 'max',
  nodejs_eventloop_lag_p50_seconds: 'max',
  nodejs_eventloop_lag_p90_seconds: 'max',
  nodejs_eventloop_lag_p99_seconds: 'max',
  process_start_time_seconds: 'max',
};

/** What all workers count, with those that have ended. */
export interface WorkerSums {
  /** Takes what a worker counts at the moment. */
  note(worker: number, values: MetricValues): void;
  /** A worker has ended: what it had counted when it was last noted stays in the sums. */
  retire(worker: number): void;
  /** A worker was started again. */
  restarted(): void;
  /**
   * The sums, in Prometheus's text format.
   *
   * @param fresh the workers whose values are of now. Of others only what never goes down counts, so that one that is
   *   slow for once is not taken for a restart.
   */
  text(fresh: ReadonlySet<number>): Promise<string>;
}

/** @returns sums of nothing. Workers are known by a number that none of them has twice. */
export function createWorkerSums(): WorkerSums {
  const own = new Registry();
  const restarts = new Counter({ ...WORKER_RESTARTS, registers: [own] });
  const latest = new Map<number, MetricValues>();
  let ended: Promise<MetricValues> = Promise.resolve([]);

  return {
    note: (worker, values) => void latest.set(worker, values),
    retire(worker) {
      const values = latest.get(worker);
      latest.delete(worker);
      if (values) ended = ended.then((before) => add([before, countersOf(values)]).getMetricsAsJSON());
    },
    restarted: () => restarts.inc(),
    async text(fresh) {
      const running = [...latest].map(([worker, values]) => (fresh.has(worker) ? values : countersOf(values)));
      // In the order of a worker's own text.
      return add([...running, await ended, await own.getMetricsAsJSON()]).metrics();
    },
  };
}

const add = (processes: readonly MetricValues[]): Registry =>
  AggregatorRegistry.aggregate(
    processes.map((values) =>
      values.map((metric) => ({ ...metric, aggregator: COMBINED_BY[metric.name] ?? metric.aggregator })),
    ),
  );

/** What never goes down: counters and histograms. */
const countersOf = (values: MetricValues): MetricValues =>
  // The package's types number what its values name.
  values.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
