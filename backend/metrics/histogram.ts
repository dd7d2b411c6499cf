import type { Metric, MetricValue, Registry } from 'prom-client';

/** One series of a histogram: what falls between its bounds, counted. */
export interface Series {
  observe(value: number): void;
}

/** What a histogram is called and how it is divided. */
interface HistogramOptions<L extends string> {
  name: string;
  help: string;
  labels?: readonly L[];
  /** Upper bounds of the buckets, ascending; one without end comes by itself. */
  bounds: readonly number[];
}

/**
 * A Prometheus histogram on a registry. prom-client's own hashes its labels at every observation (300 to 800 ns on the
 * machine where an alert costs 50 µs); this one is a loop over a few numbers, and makes its text when it is asked for.
 *
 * @returns gives the series of the label values, made when it is asked for the first time; the caller sees to it that
 * there are few of them
 */
export function createHistogram<L extends string = never>(
  registry: Registry,
  { name, help, labels = [], bounds }: HistogramOptions<L>,
): (...values: string[]) => Series {
  const all: Cells[] = [];
  const root: Branch = { next: new Map(), cells: undefined };
  const seriesOf = (...values: string[]): Cells => {
    // Label by label: a key put together from all of them would be a new text to hash each time.
    let branch = root;
    for (const value of values) {
      let next = branch.next.get(value);
      if (!next) {
        next = { next: new Map(), cells: undefined };
        branch.next.set(value, next);
      }
      branch = next;
    }
    if (branch.cells) return branch.cells;
    branch.cells = new Cells(bounds, Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ''])));
    all.push(branch.cells);
    return branch.cells;
  };
  if (labels.length === 0) seriesOf();

  const values = () => all.flatMap((cells) => cells.values(name));
  const metric = {
    name,
    help,
    type: 'histogram',
    get: async () => ({ name, help, type: 'histogram', values: values() }),
  };
  // A registry asks its metrics for nothing else, but its type names prom-client's own classes only.
  registry.registerMetric(metric as unknown as Metric);
  return seriesOf;
}

/** The series of the label values so far, and of what may follow. */
interface Branch {
  next: Map<string, Branch>;
  cells: Cells | undefined;
}

class Cells implements Series {
  readonly #labels: Record<string, string>;
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[], labels: Record<string, string>) {
    this.#bounds = bounds;
    this.#labels = labels;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] as number)) at += 1;
    this.#counts[at] = (this.#counts[at] as number) + 1;
    this.#sum += value;
  }

  values(name: string): (MetricValue<string> & { metricName: string })[] {
    const labels = this.#labels;
    let count = 0;
    const buckets = this.#counts.map((inBucket, at) => {
      count += inBucket;
      return { metricName: `${name}_bucket`, labels: { ...labels, le: this.#bounds[at] ?? '+Inf' }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
