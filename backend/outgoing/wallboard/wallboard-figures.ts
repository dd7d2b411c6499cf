import { In, IsNull } from 'typeorm';
import { AlertEntity, type StoredAlert } from '#backend/alerts/alert/alert.ts';
import { isFlapping } from '#backend/alerts/alert/rhythm.ts';
import { BY_NAME, WHOLE, countAlerts } from '#backend/alerts/alert/alert-counts.ts';
import { INBOX_STATUS } from '#backend/alerts/alert/stored-status.ts';
import type { InsightKeeper } from '#backend/alerts/insight/insight.ts';
import { branchesOf, readBranches } from '#backend/alerts/lists/alert-branches.ts';
import { OccurrenceEntity } from '#backend/alerts/maintenance/window-entities.ts';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import { byName } from '#backend/contract/name.ts';
import {
  type Wallboard,
  type WallboardRow,
  WALLBOARD_ROWS,
  WALLBOARD_SEVERITIES,
} from '#backend/contract/wallboard.ts';
import { HeartbeatEntity } from '#backend/intake/heartbeats/heartbeat-entities.ts';
import { presentSource } from '#backend/intake/sources/present-source.ts';
import type { SourceRegistry } from '#backend/intake/sources/source-registry.ts';
import type { SourceStatsKeeper } from '#backend/intake/sources/source-stats.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { LongReads } from '#backend/platform/database/long-read-thread.ts';
import { followArrivals } from './arrivals.ts';
import { keepFigure } from './keep-figure.ts';

/** Who is on now by calendars. */
export type OnNow = () => Promise<Wallboard['onNow']>;

/** Dependencies of the wallboard. */
export interface WallboardDeps {
  database: Database;
  insight: Pick<InsightKeeper, 'ask'>;
  sources: Pick<SourceRegistry, 'all'>;
  sourceStats: Pick<SourceStatsKeeper, 'read'>;
  onNow: OnNow;
}

/** Customers that are named. */
const NAMED_CUSTOMERS = 3;

/** So long it is kept who is on, in milliseconds: a calendar that is too slow keeps the others, and ladders, from theirs. */
const ON_NOW_MS = 30_000;

/** Reads the figures; what changes slowly is kept for a while. */
export function createWallboardFigures(deps: WallboardDeps): (now: number) => Promise<Omit<Wallboard, 'name'>> {
  const readArrivals = followArrivals(deps.insight);
  const followOnNow = keepFigure<Wallboard['onNow']>(async (now) => {
    // The other figures are worth seeing also where calendars cannot be read.
    const figure = await deps.onNow().catch(() => null);
    return { figure, keptMs: figure ? Math.min(ON_NOW_MS, Date.parse(figure.until) - now) : ON_NOW_MS };
  });
  const readOnNow = async (now: number): Promise<Wallboard['onNow']> => {
    const figure = (await followOnNow(now))?.figure;
    // What is known may be of long ago, when reading takes long now: whose shift is over is not on.
    return figure && now < Date.parse(figure.until) ? figure : null;
  };
  return async (now) => {
    const { reads } = deps.database;
    const quiet = await readQuiet(deps);
    const loudOf = readLoud(deps, quiet);
    const [waiting, rows, arrivals, onNow] = await Promise.all([
      readWaiting(deps, loudOf),
      readRows(loudOf),
      readArrivals(now),
      readOnNow(now),
    ]);
    return {
      at: new Date(now).toISOString(),
      customers: await readCustomers(deps, quiet.size > 0),
      waiting,
      inProgress: await readInProgress(deps),
      rows,
      arrivals,
      onNow,
      windows: (
        await reads
          .getRepository(OccurrenceEntity)
          .find({ where: { state: In(['on', 'ending']) }, order: { endsAt: 'ASC', id: 'ASC' } })
      ).map(({ name, endsAt, kept }) => ({ name, endsAt: new Date(endsAt).toISOString(), kept })),
      heartbeats: await readHeartbeats(deps),
      sources: await readSources(deps, now),
    };
  };
}

/** What maintenance windows keep quiet in the inbox. A window may do so with all that arrives: to be read beside the event loop. */
const IS_QUIET =
  'FROM quiet_alerts q JOIN alerts a ON a.id = q.alert_id WHERE a.status = ? AND a.quiet_by_id = q.occurrence_id';

/** How many alerts of each severity are quiet: they wait for nobody yet, and are counted in the inbox. */
async function readQuiet({
  database: { reads, longReads },
}: WallboardDeps): Promise<ReadonlyMap<AlertSeverity, number>> {
  const [first]: unknown[] = await reads.query('SELECT alert_id FROM quiet_alerts LIMIT 1');
  if (first === undefined) return new Map();
  const rows = await longReads.query<{ severity: AlertSeverity | null; alerts: unknown }>(
    `SELECT a.severity AS severity, COUNT(*) AS alerts ${IS_QUIET} GROUP BY a.severity`,
    [INBOX_STATUS],
  );
  return new Map(rows.map(({ severity, alerts }) => [severity ?? 'none', Number(alerts)]));
}

/** What no window keeps quiet. */
const IS_LOUD = {
  sql:
    '(quiet_by_id IS NULL OR NOT EXISTS (SELECT 1 FROM quiet_alerts q ' +
    'WHERE q.occurrence_id = alerts.quiet_by_id AND q.alert_id = alerts.id))',
  values: [],
};

/** What waits in the inbox of a severity, without what is quiet: how many, and the oldest, as many as are listed at most. */
type LoudOf = (severity: AlertSeverity) => Promise<{ alerts: number; oldest: WallboardRow[] }>;

/** Reads each severity that is asked for once, and its alerts by one statement, however many quiet ones that passes. */
function readLoud(
  { database: { reads, longReads, dialect } }: WallboardDeps,
  quiet: ReadonlyMap<AlertSeverity, number>,
): LoudOf {
  const known = new Map<AlertSeverity, ReturnType<LoudOf>>();
  const read: LoudOf = async (severity) => {
    const all = await countAlerts(reads, { list: 'inbox' }, { severity: [severity] });
    const places = await readBranches(
      quiet.has(severity) ? longReads : reads,
      dialect,
      branchesOf({ list: 'inbox' }, { severity: [severity] }, 'oldest'),
      {
        bounds: [],
        order: 'ASC',
        rows: WALLBOARD_ROWS,
        condition: IS_LOUD,
      },
    );
    const alerts = await reads.getRepository(AlertEntity).find({
      select: {
        id: true,
        title: true,
        customer: true,
        alertType: true,
        receivedAt: true,
        status: true,
        flappingSince: true,
      },
      where: { id: In(places.map(({ id }) => id)) },
      order: { id: 'ASC' },
    });
    // Both were counted before: what a window has released since is there, too.
    const loud = Math.max(alerts.length, all - (quiet.get(severity) ?? 0));
    return { alerts: loud, oldest: alerts.map((alert) => presentRow(alert, severity)) };
  };
  return (severity) => {
    const reading = known.get(severity) ?? read(severity);
    known.set(severity, reading);
    return reading;
  };
}

const presentRow = (
  {
    id,
    title,
    customer,
    alertType,
    receivedAt,
    ...rhythm
  }: Pick<StoredAlert, 'id' | 'title' | 'customer' | 'alertType' | 'receivedAt' | 'status' | 'flappingSince'>,
  severity: AlertSeverity,
): WallboardRow => ({
  id,
  title,
  severity,
  customer,
  alertType,
  arrivedAt: new Date(receivedAt).toISOString(),
  ...(isFlapping(rhythm) && { isFlapping: true as const }),
});

async function readWaiting(deps: WallboardDeps, loudOf: LoudOf): Promise<Wallboard['waiting']> {
  const { reads } = deps.database;
  const onLadder: { severity: string | null; alerts: unknown }[] = await reads.query(
    'SELECT a.severity AS severity, COUNT(DISTINCT a.id) AS alerts FROM ladder_runs r JOIN alerts a ON a.id = r.alert_id ' +
      "WHERE r.state = 'running' AND a.status = ? GROUP BY a.severity",
    [INBOX_STATUS],
  );
  const ladders = new Map(onLadder.map(({ severity, alerts }) => [severity, Number(alerts)]));
  return Promise.all(
    WALLBOARD_SEVERITIES.map(async (severity) => {
      const { alerts, oldest } = await loudOf(severity);
      return {
        severity,
        alerts,
        oldestAt: oldest[0]?.arrivedAt ?? null,
        onLadder: ladders.get(severity) ?? 0,
      };
    }),
  );
}

/** The oldest of the most severe: what is less severe is read only where there is room left. */
async function readRows(loudOf: LoudOf): Promise<WallboardRow[]> {
  const rows: WallboardRow[] = [];
  for (const severity of SHOWN_SEVERITIES) {
    if (rows.length >= WALLBOARD_ROWS) break;
    rows.push(...(await loudOf(severity)).oldest);
  }
  return rows.slice(0, WALLBOARD_ROWS);
}

const SHOWN_SEVERITIES: readonly AlertSeverity[] = [...WALLBOARD_SEVERITIES, 'low', 'info', 'none'];

async function readCustomers(
  { database: { reads, longReads } }: WallboardDeps,
  isAnyQuiet: boolean,
): Promise<Wallboard['customers']> {
  // What is in the inbox is nobody's and in no folder: this is one range of the table's key.
  const all =
    "SELECT customer, alerts FROM alert_counts WHERE detail = ? AND owner_id = '' AND folder_id = '' AND status = ? " +
    "AND customer <> ''";
  const quiet = `SELECT a.customer AS customer, -COUNT(*) AS alerts ${IS_QUIET} AND a.customer IS NOT NULL GROUP BY a.customer`;
  const from: LongReads = isAnyQuiet ? longReads : reads;
  const rows = await from.query<{ customer: string; customers: unknown }>(
    'SELECT customer, COUNT(*) OVER () AS customers, SUM(alerts) AS total ' +
      `FROM (${all}${isAnyQuiet ? ` UNION ALL ${quiet}` : ''}) AS waiting ` +
      `GROUP BY customer HAVING SUM(alerts) > 0 ORDER BY total DESC, customer LIMIT ${NAMED_CUSTOMERS}`,
    [BY_NAME, INBOX_STATUS, ...(isAnyQuiet ? [INBOX_STATUS] : [])],
  );
  const names = rows.map(({ customer }) => customer);
  return { names, more: Number(rows[0]?.customers ?? 0) - names.length };
}

async function readInProgress({ database: { reads } }: WallboardDeps): Promise<Wallboard['inProgress']> {
  const rows: { alerts: unknown }[] = await reads.query(
    "SELECT owner_id, SUM(alerts) AS alerts FROM alert_counts WHERE detail = ? AND status = 'in-progress' " +
      'GROUP BY owner_id HAVING SUM(alerts) > 0',
    [WHOLE],
  );
  return { alerts: rows.reduce((sum, { alerts }) => sum + Number(alerts), 0), people: rows.length };
}

async function readHeartbeats({ database: { reads } }: WallboardDeps): Promise<Wallboard['heartbeats']> {
  const heartbeats = reads.getRepository(HeartbeatEntity);
  const where = { status: 'down', pausedAt: IsNull() } as const;
  const [first] = await heartbeats.find({
    select: { id: true, name: true, downSince: true },
    where,
    order: { downSince: 'ASC', id: 'ASC' },
    take: 1,
  });
  return {
    down: await heartbeats.countBy(where),
    all: await heartbeats.countBy({ pausedAt: IsNull() }),
    name: first?.name ?? null,
    since: first?.downSince == null ? null : new Date(first.downSince).toISOString(),
  };
}

async function readSources({ sources, sourceStats }: WallboardDeps, now: number): Promise<Wallboard['sources']> {
  const all = [...sources.all()].toSorted((one, other) => byName(one.name, other.name));
  const stats = await sourceStats.read(all.map(({ id }) => id));
  const states = all.flatMap((source) => {
    const own = stats.get(source.id);
    return own ? [{ name: source.name, state: presentSource(source, own, undefined, now).health.state }] : [];
  });
  const inState = (state: string): string[] => states.filter((one) => one.state === state).map(({ name }) => name);
  const [refusing, silent] = [inState('refusing'), inState('silent')];
  return { refusing: refusing.length, silent: silent.length, names: [...refusing, ...silent] };
}
