import { Gauge, type Registry } from 'prom-client';

/** How heartbeats and maintenance windows stand, as the database has it. */
export interface Standing {
  /** Heartbeats by their state. */
  heartbeats: Readonly<Record<string, number>>;
  /** Heartbeats whose time is over and that nobody has judged. */
  judgedLate: number;
  windowsOn: number;
  /** Alerts that windows kept quiet, of all times that are known. */
  suppressed: number;
}

/**
 * Registers them. All workers read one database: they agree, and are not added. While it is away nothing of this is reported.
 *
 * @param read undefined until the server is put together
 */
export function standingMetrics(registry: Registry, read: () => Promise<Standing> | undefined): void {
  // All gauges of a scrape are collected at once: the first one reads for all.
  let reading: Promise<Standing | undefined> | undefined;
  const current = (): Promise<Standing | undefined> =>
    (reading ??= Promise.resolve(read())
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      }));
  const gauge = (name: string, help: string, valueOf: (standing: Standing) => number): void => {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        aggregator: 'max',
        registers: [],
        async collect() {
          const standing = await current();
          this.reset();
          if (standing) this.set(valueOf(standing));
        },
      }),
    );
  };
  registry.registerMetric(
    new Gauge({
      name: 'alertdesk_heartbeats',
      help: 'Heartbeats by their state.',
      labelNames: ['state'],
      aggregator: 'max',
      registers: [],
      async collect() {
        const standing = await current();
        this.reset();
        for (const [state, count] of Object.entries(standing?.heartbeats ?? {})) this.set({ state }, count);
      },
    }),
  );
  gauge(
    'alertdesk_heartbeats_judged_late',
    'Heartbeats that have been due for two seconds and nobody has judged: 0 while all is well.',
    ({ judgedLate }) => judgedLate,
  );
  gauge('alertdesk_maintenance_windows_on', 'Maintenance windows that are on.', ({ windowsOn }) => windowsOn);
  gauge(
    'alertdesk_maintenance_suppressed_alerts',
    'Alerts that maintenance windows kept quiet in the last 400 days.',
    ({ suppressed }) => suppressed,
  );
}
