import { In, IsNull } from 'typeorm';
import { AlertEntity, type StoredAlert } from '#backend/alerts/alert/alert.ts';
import { isFlapping } from '#backend/alerts/alert/rhythm.ts';
import { BY_NAME, WHOLE, countAlerts } from '#backend/alerts/alert/alert-counts.ts';
import { INBOX_STATUS } from '#backend/alerts/alert/stored-status.ts';
import type { InsightKeeper } from '#backend/alerts/insight/insight.ts';
import { findAlertPage } from '#backend/alerts/lists/alert-pages.ts';
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
import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import { followArrivals } from './arrivals.ts';

/** Who is on now by calendars. */
export type OnNow = () => Promise<Wallboard['onNow']>;

/** Dependencies of the wallboard. */
export interface WallboardDeps {
  database: Database;
  search: SearchIndex;
  insight: Pick<InsightKeeper, 'ask'>;
  sources: Pick<SourceRegistry, 'all'>;
  sourceStats: Pick<SourceStatsKeeper, 'read'>;
  onNow: OnNow;
}

/** Customers that are named. */
const NAMED_CUSTOMERS = 3;

/** Reads the figures; what changes slowly is kept for a while. */
export function createWallboardFigures(deps: WallboardDeps): (now: number) => Promise<Omit<Wallboard, 'name'>> {
  const readArrivals = followArrivals(deps.insight);
  return async (now) => {
    const { reads } = deps.database;
    const [waiting, rows, arrivals] = await Promise.all([readWaiting(deps), readRows(deps), readArrivals(now)]);
    return {
      at: new Date(now).toISOString(),
      customers: await readCustomers(deps),
      waiting,
      inProgress: await readInProgress(deps),
      rows,
      arrivals,
      onNow: await deps.onNow(),
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

const inboxOf = (severity: AlertSeverity) => ({
  parts: [{ list: { list: 'inbox' as const }, filter: { severity: [severity] } }],
  alternatives: [],
  texts: [],
  labels: [],
  traits: [],
  range: {},
});

async function readWaiting({ database, search }: WallboardDeps): Promise<Wallboard['waiting']> {
  const onLadder: { severity: string | null; alerts: unknown }[] = await database.reads.query(
    'SELECT a.severity AS severity, COUNT(DISTINCT a.id) AS alerts FROM ladder_runs r JOIN alerts a ON a.id = r.alert_id ' +
      "WHERE r.state = 'running' AND a.status = ? GROUP BY a.severity",
    [INBOX_STATUS],
  );
  const ladders = new Map(onLadder.map(({ severity, alerts }) => [severity, Number(alerts)]));
  return Promise.all(
    WALLBOARD_SEVERITIES.map(async (severity) => {
      const { alerts } = await findAlertPage({ database, search }, inboxOf(severity), { sort: 'oldest', limit: 1 });
      const [oldest] = alerts;
      return {
        severity,
        alerts: await countAlerts(database.reads, { list: 'inbox' }, { severity: [severity] }),
        oldestAt: oldest ? new Date(oldest.receivedAt).toISOString() : null,
        onLadder: ladders.get(severity) ?? 0,
      };
    }),
  );
}

/** The oldest of the most severe: what is less severe is read only where there is room left. */
async function readRows(deps: WallboardDeps): Promise<WallboardRow[]> {
  const rows: WallboardRow[] = [];
  for (const severity of SHOWN_SEVERITIES) {
    const limit = WALLBOARD_ROWS - rows.length;
    if (limit === 0) break;
    const { alerts } = await findAlertPage(deps, inboxOf(severity), { sort: 'oldest', limit });
    for (const { id, customer, alertType, receivedAt } of alerts) {
      rows.push({ id, title: null, severity, customer, alertType, arrivedAt: new Date(receivedAt).toISOString() });
    }
  }
  const stored = await deps.database.reads.getRepository(AlertEntity).find({
    select: { id: true, title: true, status: true, flappingSince: true },
    where: { id: In(rows.map(({ id }) => id)) },
  });
  const alerts = new Map(stored.map((alert) => [alert.id, alert]));
  return rows.map((row) => withAlert(row, alerts.get(row.id)));
}

/** A row with what its alert says; it may have been deleted meanwhile. */
const withAlert = (
  row: WallboardRow,
  alert: Pick<StoredAlert, 'title' | 'status' | 'flappingSince'> | undefined,
): WallboardRow => ({
  ...row,
  title: alert?.title ?? null,
  ...(alert && isFlapping(alert) && { isFlapping: true as const }),
});

const SHOWN_SEVERITIES: readonly AlertSeverity[] = [...WALLBOARD_SEVERITIES, 'low', 'info', 'none'];

async function readCustomers({ database: { reads } }: WallboardDeps): Promise<Wallboard['customers']> {
  // What is in the inbox is nobody's and in no folder: this is one range of the table's key.
  const waiting =
    "FROM alert_counts WHERE detail = ? AND owner_id = '' AND folder_id = '' AND status = ? AND customer <> '' " +
    'GROUP BY customer HAVING SUM(alerts) > 0';
  const rows: { customer: string }[] = await reads.query(
    `SELECT customer, SUM(alerts) AS total ${waiting} ORDER BY total DESC, customer LIMIT ${NAMED_CUSTOMERS}`,
    [BY_NAME, INBOX_STATUS],
  );
  const [all]: { customers: unknown }[] = await reads.query(
    `SELECT COUNT(*) AS customers FROM (SELECT customer ${waiting}) AS named`,
    [BY_NAME, INBOX_STATUS],
  );
  const names = rows.map(({ customer }) => customer);
  return { names, more: Math.max(0, Number(all?.customers ?? 0) - names.length) };
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
