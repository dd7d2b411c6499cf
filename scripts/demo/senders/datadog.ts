import { type Sender, jsonRequest } from '#scripts/demo/webhook-request.ts';
import { CUSTOMERS, HOSTS, REGIONS } from '#scripts/demo/world.ts';

const MONITORS = [
  { title: 'CPU load is high', unit: 'load', low: 4, high: 22 },
  { title: 'Free memory is low', unit: 'GB free', low: 0.1, high: 0.9 },
  { title: 'Error rate is high', unit: '% of requests', low: 2, high: 35 },
] as const;

/** Datadog's webhook integration: its default template with two lines that this team added, customer and alert_type. */
export const datadog: Sender = (random, now) => {
  const monitor = random.pick(MONITORS);
  const state = random.pick(['Triggered', 'Triggered', 'Warn', 'Recovered']);
  const host = random.pick(HOSTS);
  const value = random.decimal(monitor.low, monitor.high, 2);
  const id = random.whole(10_000_000, 99_999_999);
  const time = String(now.getTime());
  const body = {
    body: `%%%\n${monitor.title} on ${host}: ${value} ${monitor.unit}.\n\n[[Monitor Status](https://app.datadoghq.eu/monitors/${id})]\n%%%`,
    last_updated: time,
    event_type: 'query_alert_monitor',
    title: `[${state}] ${monitor.title} on ${host}`,
    date: time,
    org: { id: '415600', name: 'Lakeside Works' },
    id: String(random.whole(1_000_000_000_000, 9_000_000_000_000)),
    customer: random.pick(CUSTOMERS),
    alert_type: { Triggered: 'error', Warn: 'warning', Recovered: 'success' }[state],
    host,
    region: random.pick(REGIONS),
    link: `https://app.datadoghq.eu/monitors/${id}`,
  };
  return jsonRequest('Datadog', body);
};
