/** One metric as Prometheus reads it. */
export interface ReadMetric {
  type: string;
  help: string;
  /** Values by name and labels as they are written, e.g. `requests_total{method="GET"}`. */
  samples: Map<string, number>;
}

/**
 * Reads Prometheus's text format, version 0.0.4.
 *
 * @throws {Error} naming the line that a scraper would refuse
 */
export function readMetrics(text: string): Map<string, ReadMetric> {
  const metrics = new Map<string, ReadMetric>();
  let current: ReadMetric | undefined;
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const help = /^# HELP (?<name>[a-zA-Z_:][\w:]*) (?<help>.+)$/.exec(line)?.groups;
    const type = /^# TYPE (?<name>[a-zA-Z_:][\w:]*) (?<type>counter|gauge|histogram|summary|untyped)$/.exec(
      line,
    )?.groups;
    const sample = /^(?<series>[a-zA-Z_:][\w:]*(?:\{(?:\w+="(?:[^"\\]|\\.)*",?)*\})?) (?<value>\S+)$/.exec(
      line,
    )?.groups;
    if (help) {
      current = { type: '', help: help['help'] ?? '', samples: new Map() };
      metrics.set(help['name'] ?? '', current);
    } else if (type && current) {
      current.type = type['type'] ?? '';
    } else if (sample && current) {
      const { series = '', value } = sample;
      if (current.samples.has(series)) throw new Error(`${series} is there twice.`);
      current.samples.set(series, Number(value));
    } else {
      throw new Error(`This is no line of the text format: ${line}`);
    }
  }
  return metrics;
}

/** The value of one series, e.g. `alertdesk_live_sockets`; undefined when it is not there. */
export function metricValue(text: string, series: string): number | undefined {
  for (const { samples } of readMetrics(text).values()) if (samples.has(series)) return samples.get(series);
  return undefined;
}
