import type { NarrowedList } from '#backend/alerts/alert/alert-list.ts';
import { compileRule, createRuleSet } from '#backend/alerts/rules/rule-set.ts';

/**
 * What rules on arriving alerts cost: processor time for each alert with no rule, 10 and 100, none of which is about it, or one in
 * a hundred. Half of the rules name a customer, a quarter a type and a text, a quarter a text alone. By hand:
 * `node bench/measure-arrival-rules.ts`.
 */
const ALERTS = 200_000;
const ROUNDS = 7;

const listOf = (filter: NarrowedList['parts'][number]['filter'], texts: string[]): NarrowedList => ({
  parts: [{ list: { list: 'all' }, filter }],
  alternatives: [],
  texts,
  labels: [],
  traits: [],
  range: {},
});
const ruleAt = (at: number) => {
  const list =
    at % 2 === 0
      ? listOf({ customer: `Customer ${at}` }, [])
      : listOf(at % 4 === 1 ? { alertType: `type-${at}` } : {}, [`machine-${at}.example`]);
  return compileRule({ id: String(at), name: `Rule ${at}`, version: 1 }, { severity: 'low' }, list);
};

const payload = JSON.stringify({
  host: 'db-7.frankfurt.example.com',
  summary: 'The disk that holds the database is almost full',
  labels: { team: 'storage', region: 'eu-central-1', cluster: 'production', instance: '10.0.4.17:9100' },
  annotations: { runbook: 'https://runbooks.example.com/disk', value: '91.4', threshold: '90' },
  startsAt: '2026-11-27T08:00:00.000Z',
  description: 'Used space has been over the threshold for fifteen minutes on /var/lib/data',
});
/** Every hundredth alert is of a customer that a rule names. */
const reports = Array.from({ length: 100 }, (_, at) => ({
  customer: at === 0 ? 'Customer 0' : `Another ${at}`,
  alertType: 'disk',
  sourceId: 'source',
  severity: 'warning' as const,
  label: null,
  title: 'Disk almost full on db-7',
  url: '/webhook',
  payload,
  isTest: false,
}));

/** Microseconds of processor time for each alert. */
function measure(rules: number): number {
  const set = createRuleSet(
    Array.from({ length: rules }, (_, at) => ruleAt(at)),
    () => undefined,
  );
  const began = process.cpuUsage();
  for (let at = 0; at < ALERTS; at += 1) {
    const report = reports[at % reports.length];
    if (report) set.judge(report);
  }
  const { user, system } = process.cpuUsage(began);
  return (user + system) / ALERTS;
}

const COUNTS = [0, 10, 100];
const figures = new Map(COUNTS.map((count) => [count, [] as number[]]));
for (let round = 0; round <= ROUNDS; round += 1) {
  // The first round warms up.
  for (const count of COUNTS) {
    const taken = measure(count);
    if (round > 0) figures.get(count)?.push(taken);
  }
}
for (const [count, taken] of figures) {
  const median = taken.toSorted((one, other) => one - other)[Math.floor(taken.length / 2)] ?? 0;
  process.stdout.write(
    `${count} rules: ${median.toFixed(2)} µs an alert of ${payload.length} bytes (median of ${ROUNDS})\n`,
  );
}
