import type { AlertStatus } from '#backend/contract/alert.ts';
import type { InsightQuery, InsightTimes } from '#backend/contract/insight.ts';
import type { Database } from '#backend/platform/database/database.ts';

/** What is read of an alert. */
interface Row {
  id: string;
  receivedAt: unknown;
  severity: string | null;
  status: AlertStatus;
  customer: string | null;
  alertType: string | null;
  sourceId: string | null;
  ownerId: string | null;
  resolvedAt: unknown;
  completedAt: unknown;
  occurrences: number;
  quietByName: string | null;
  dedupKey: string | null;
  title: string | null;
}

interface Entry {
  alertId: string;
  action: string;
  previousStatus: string | null;
  userDisplayName: string;
  createdAt: unknown;
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Date and hour of the week that a clock on the wall shows. */
function clockOf(moment: number, clock: Intl.DateTimeFormat) {
  const parts = clock.formatToParts(moment);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return {
    date: `${of('year')}-${of('month')}-${of('day')}`,
    weekHour: WEEKDAYS.indexOf(of('weekday')) * 24 + Number(of('hour')),
  };
}

/** Median and ninetieth percentile: the least value that is not below half, or nine tenths, of all. */
function timesOf(durations: number[]): InsightTimes {
  const sorted = durations.toSorted((one, other) => one - other);
  const least = (part: number) =>
    sorted.find((value) => sorted.findLastIndex((other) => other === value) + 1 >= part * sorted.length) ?? null;
  return { alerts: sorted.length, median: least(0.5), ninetieth: least(0.9) };
}

/** Counts again what insight answers, from the alerts and their histories, one by one. */
export async function countNaively({ reads }: Pick<Database, 'reads'>, query: InsightQuery) {
  const { from, to, timeZone = 'UTC' } = query;
  const rows: Row[] = await reads.query(
    'SELECT id, received_at AS receivedAt, severity, status, customer, alert_type AS alertType, source_id AS sourceId, ' +
      'owner_id AS ownerId, resolved_at AS resolvedAt, completed_at AS completedAt, ' +
      'occurrences, quiet_by_name AS quietByName, dedup_key AS dedupKey, title FROM alerts',
  );
  const entries: Entry[] = await reads.query(
    'SELECT alert_id AS alertId, action, previous_status AS previousStatus, user_display_name AS userDisplayName, ' +
      'created_at AS createdAt FROM alert_history ORDER BY id',
  );
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  });
  const hits: { ruleId: string; alertId: string }[] = await reads.query(
    'SELECT rule_id AS ruleId, alert_id AS alertId FROM rule_hits',
  );
  const rulesOf = Map.groupBy(hits, ({ alertId }) => alertId);
  const entriesOf = Map.groupBy(entries, ({ alertId }) => alertId);
  const alerts = rows
    .map((row) => {
      const receivedAt = Number(row.receivedAt);
      const own = entriesOf.get(row.id) ?? [];
      const returned = own.findLastIndex(({ action }) => action === 'unaccepted' || action === 'returned');
      const taken = own
        .slice(returned + 1)
        .findLast(
          ({ action, previousStatus }) =>
            action === 'accepted' || (action === 'assigned' && previousStatus === 'pending'),
        );
      const acceptedAt = row.ownerId !== null && taken ? Number(taken.createdAt) : null;
      const before = own.filter(({ createdAt }) => Number(createdAt) <= Number(row.resolvedAt));
      const moved = before.findLast(
        ({ action, previousStatus }) =>
          ['accepted', 'unaccepted', 'returned'].includes(action) ||
          (action === 'assigned' && previousStatus === 'pending'),
      );
      const isTakenThen = moved?.action === 'accepted' || moved?.action === 'assigned';
      const isDone = row.status === 'completed' && row.ownerId !== null;
      return Object.assign(row, clockOf(receivedAt, clock), {
        accept: acceptedAt === null ? null : acceptedAt - receivedAt,
        window: row.quietByName ?? own.findLast(({ action }) => action === 'kept_quiet')?.userDisplayName ?? null,
        flapped: own.filter(({ action }) => action === 'flapping').length,
        rules: (rulesOf.get(row.id) ?? []).map(({ ruleId }) => ruleId),
        problem: JSON.stringify(
          row.dedupKey === null ? [row.customer, row.alertType, row.sourceId, row.title] : [row.sourceId, row.dedupKey],
        ),
        complete: isDone ? Number(row.completedAt) - receivedAt : null,
        isResolvedFirst: row.resolvedAt !== null && (row.ownerId === null || taken !== undefined) && !isTakenThen,
      });
    })
    .filter(
      ({ date, customer, alertType, sourceId, ownerId }) =>
        date >= from &&
        date <= to &&
        (query.customer === undefined || customer === query.customer) &&
        (query.alertType === undefined || alertType === query.alertType) &&
        (query.sourceId === undefined || sourceId === query.sourceId) &&
        (query.personId === undefined || ownerId === query.personId),
    );
  type Counted = (typeof alerts)[number];
  const figuresOf = (some: Counted[]) => ({
    arrived: some.length,
    repeats: some.reduce((sum, { occurrences }) => sum + occurrences - 1, 0),
    flapped: some.reduce((sum, { flapped }) => sum + flapped, 0),
    suppressed: some.filter(({ window }) => window !== null).length,
    accept: timesOf(some.flatMap(({ accept }) => accept ?? [])),
    complete: timesOf(some.flatMap(({ complete }) => complete ?? [])),
  });
  const groupOf = (idOf: (alert: Counted) => string | null) =>
    new Map([...Map.groupBy(alerts, idOf)].map(([id, some]) => [id, figuresOf(some)]));
  return {
    totals: { ...figuresOf(alerts), resolvedFirst: alerts.filter(({ isResolvedFirst }) => isResolvedFirst).length },
    days: new Map(
      [...Map.groupBy(alerts, ({ date }) => date)].map(([date, some]) => {
        const { accept, complete } = figuresOf(some);
        const of = (...severities: (string | null)[]) =>
          some.filter(({ severity }) => severities.includes(severity)).length;
        const others = of('low', 'info', null);
        return [
          date,
          { date, critical: of('critical'), high: of('high'), warning: of('warning'), others, accept, complete },
        ];
      }),
    ),
    week: Array.from({ length: 168 }, (_, hour) => alerts.filter(({ weekHour }) => weekHour === hour).length),
    groups: {
      customer: groupOf(({ customer }) => customer),
      alertType: groupOf(({ alertType }) => alertType),
      source: groupOf(({ sourceId }) => sourceId),
      person: groupOf(({ ownerId }) => ownerId),
      window: groupOf(({ window }) => window),
      rule: new Map(
        [...new Set(alerts.flatMap(({ rules }) => rules))].map((rule) => [
          rule as string | null,
          figuresOf(alerts.filter(({ rules }) => rules.includes(rule))),
        ]),
      ),
    },
    /** Deliveries of each problem, the most first. */
    deliveries: [...Map.groupBy(alerts, ({ problem }) => problem).values()]
      .map((some) => some.reduce((sum, { occurrences }) => sum + occurrences, 0))
      .toSorted((one, other) => other - one),
  };
}
