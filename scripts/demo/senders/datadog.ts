import { type Sender, jsonRequest } from '#scripts/demo/webhook-request.ts';
import { CUSTOMERS, HOSTS, REGIONS } from '#scripts/demo/world.ts';

const MONITORS = [
  { title: 'CPU load is high', unit: 'load', low: 4, high: 22 },
  { title: 'Free memory is low', unit: 'GB free', low: 0.1, high: 0.9 },
  { title: 'Error rate is high', unit: '% of requests', low: 2, high: 35 },
] as const;

/** Datadog's webhook integration: its default template, with what this team wants to see first put in front. */
export const datadog: Sender = (random, now) => {
  const monitor = random.pick(MONITORS);
  const state = random.pick(['Triggered', 'Triggered', 'Warn', 'Recovered']);
  const host = random.pick(HOSTS);
  const value = random.decimal(monitor.low, monitor.high, 2);
  const id = random.whole(10_000_000, 99_999_999);
  const time = String(now.getTime());
  const body = {
    customer: random.pick(CUSTOMERS),
    alert_type: { Triggered: 'error', Warn: 'warning', Recovered: 'success' }[state],
    title: `[${state}] ${monitor.title}`,
    host,
    region: random.pick(REGIONS),
    value: `${value} ${monitor.unit}`,
    link: `https://app.datadoghq.eu/monitors/${id}`,
    body: `%%%\n${monitor.title} on ${host}: ${value} ${monitor.unit}.\n\n[[Monitor Status](https://app.datadoghq.eu/monitors/${id})]\n%%%`,
    last_updated: time,
    event_type: 'query_alert_monitor',
    date: time,
    alert_priority: state === 'Warn' ? 'P3' : 'P2',
    org: { id: '415600', name: 'Lakeside Works' },
    id: String(random.whole(1_000_000_000_000, 9_000_000_000_000)),
  };
  return jsonRequest('Datadog', body);
};
