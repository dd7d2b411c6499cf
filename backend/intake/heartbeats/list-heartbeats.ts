import { marksOf } from '#backend/platform/database/conditions.ts';
import { In } from 'typeorm';
import {
  type Beat,
  type Downtime,
  type Heartbeat,
  type HeartbeatList,
  type HeartbeatState,
  type HeartbeatsQuery,
  heartbeatStateSchema,
} from '#backend/contract/heartbeat.ts';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import { BUILT_IN_SOURCE } from '#backend/intake/write/incoming-delivery.ts';
import type { DatabaseClock } from '#backend/platform/cluster/database-clock.ts';
import type { Database } from '#backend/platform/database/database.ts';
import {
  BeatEntity,
  DowntimeEntity,
  HeartbeatEntity,
  type StoredBeat,
  type StoredHeartbeat,
  scheduleOf,
} from './heartbeat-entities.ts';
import { heartbeatKey } from './report-heartbeats.ts';

/** Dependencies of reading heartbeats. */
export interface ReadDeps {
  database: Database;
  clock: DatabaseClock;
}

/** The states in the order of lists. */
const STATES = heartbeatStateSchema.options;

/** How a heartbeat stands at a moment. {@link STATE_SQL} says the same. */
export function stateOf(stored: StoredHeartbeat, now: number): HeartbeatState {
  const { status, downReason, pausedAt, startedAt, lateAt } = stored;
  if (pausedAt !== null) return 'paused';
  if (status === 'down') return downReason === 'failed' ? 'failed' : 'missing';
  if (startedAt !== null) return 'running';
  if (status === 'new') return 'new';
  return lateAt !== null && lateAt < now ? 'late' : 'ok';
}

/** The place of a heartbeat's state in lists; its parameter is the time. */
const STATE_SQL =
  `CASE WHEN paused_at IS NOT NULL THEN ${STATES.indexOf('paused')} ` +
  `WHEN status = 'down' AND down_reason = 'failed' THEN ${STATES.indexOf('failed')} ` +
  `WHEN status = 'down' THEN ${STATES.indexOf('missing')} ` +
  `WHEN started_at IS NOT NULL THEN ${STATES.indexOf('running')} ` +
  `WHEN status = 'new' THEN ${STATES.indexOf('new')} ` +
  `WHEN late_at < ? THEN ${STATES.indexOf('late')} ELSE ${STATES.indexOf('ok')} END`;

/** How many heartbeats have which state at a moment. */
export async function countByState(
  { reads }: Pick<Database, 'reads'>,
  now: number,
): Promise<Record<HeartbeatState, number>> {
  const rows: { state: unknown; heartbeats: unknown }[] = await reads.query(
    `SELECT ${STATE_SQL} AS state, COUNT(*) AS heartbeats FROM heartbeats GROUP BY 1`,
    [now],
  );
  const counts = new Map(rows.map(({ state, heartbeats }) => [STATES[Number(state)], Number(heartbeats)]));
  return Object.fromEntries(STATES.map((state) => [state, counts.get(state) ?? 0])) as Record<HeartbeatState, number>;
}

/** Lists heartbeats by state, then by name. */
export async function listHeartbeats(deps: ReadDeps, query: HeartbeatsQuery): Promise<HeartbeatList> {
  const { reads, dialect } = deps.database;
  const now = Math.round(deps.clock.now());
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  if (query.q !== undefined && query.q !== '') {
    const { sql, values: texts } = dialect.contains(['name', "COALESCE(customer, '')"], [query.q]);
    conditions.push(sql);
    values.push(...(texts as string[]));
  }
  if (query.state !== undefined) {
    conditions.push(`${STATE_SQL} = ?`);
    values.push(now, STATES.indexOf(query.state));
  }
  if (query.ids !== undefined) {
    const ids = query.ids.split(',');
    conditions.push(`id IN (${marksOf(ids)})`);
    values.push(...ids);
  }
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const counted: { state: unknown; heartbeats: unknown }[] = await reads.query(
    `SELECT ${STATE_SQL} AS state, COUNT(*) AS heartbeats FROM heartbeats GROUP BY state`,
    [now],
  );
  const ofState = (state: HeartbeatState): number =>
    Number(counted.find((one) => STATES[Number(one.state)] === state)?.heartbeats ?? 0);
  const [matching]: { total: unknown }[] =
    conditions.length === 0 ? [] : await reads.query(`SELECT COUNT(*) AS total FROM heartbeats${where}`, values);
  const found: { id: string }[] = await reads.query(
    `SELECT id FROM heartbeats${where} ORDER BY ${STATE_SQL}, sort_key, id LIMIT ? OFFSET ?`,
    [...values, now, query.limit, query.offset],
  );
  return {
    heartbeats: await presentHeartbeats(
      deps,
      found.map(({ id }) => id),
    ),
    total: matching ? Number(matching.total) : STATES.reduce((sum, state) => sum + ofState(state), 0),
    counts: {
      missing: ofState('missing'),
      late: ofState('late'),
      failed: ofState('failed'),
      running: ofState('running'),
      ok: ofState('ok'),
      paused: ofState('paused'),
      new: ofState('new'),
    },
    downtimes: await listDowntimes(deps.database),
  };
}

/** Heartbeats with their beats and open alerts, in the order of the ids. */
export async function presentHeartbeats({ database, clock }: ReadDeps, ids: readonly string[]): Promise<Heartbeat[]> {
  if (ids.length === 0) return [];
  const { reads } = database;
  const now = clock.now();
  const stored = await reads.getRepository(HeartbeatEntity).findBy({ id: In([...ids]) });
  const beats = Map.groupBy(
    await reads.getRepository(BeatEntity).find({
      where: { heartbeatId: In([...ids]) },
      select: {
        heartbeatId: true,
        slot: true,
        number: true,
        at: true,
        kind: true,
        durationMs: true,
        exitCode: true,
        line: true,
      },
    }),
    ({ heartbeatId }) => heartbeatId,
  );
  const alerts = await findOpenAlerts(database, ids);
  return ids.flatMap((id) => {
    const one = stored.find((row) => row.id === id);
    return one ? [presentHeartbeat(one, beats.get(id) ?? [], alerts.get(heartbeatKey(id)), now)] : [];
  });
}

/** The alerts of heartbeats that are open, by the keys of their problems. */
async function findOpenAlerts({ reads }: Database, ids: readonly string[]) {
  const rows: { dedupKey: string; id: string; severity: AlertSeverity | null }[] = await reads.query(
    'SELECT p.dedup_key AS dedupKey, a.id AS id, a.severity AS severity FROM problems p JOIN alerts a ON a.id = p.alert_id ' +
      `WHERE p.source_id = ? AND p.dedup_key IN (${marksOf(ids)}) AND a.status <> 'completed'`,
    [BUILT_IN_SOURCE, ...ids.map(heartbeatKey)],
  );
  return new Map(rows.map(({ dedupKey, id, severity }) => [dedupKey, { id, severity }]));
}

function presentHeartbeat(
  stored: StoredHeartbeat,
  beats: readonly StoredBeat[],
  alert: Heartbeat['alert'] | undefined,
  now: number,
): Heartbeat {
  const state = stateOf(stored, now);
  const sorted = beats.toSorted((one, other) => one.number - other.number);
  return {
    id: stored.id,
    name: stored.name,
    customer: stored.customer,
    schedule: scheduleOf(stored),
    graceSeconds: stored.graceSeconds,
    severity: stored.severity,
    sourceId: stored.sourceId,
    state,
    since: timeText(sinceOf(stored, state)),
    dueAt: timeText(stored.dueAt),
    judgedAt: timeText(stored.judgeAt),
    lastBeatAt: timeText(stored.lastBeatAt),
    usualMs: median(sorted.flatMap(({ durationMs }) => durationMs ?? [])),
    pausedBy: stored.pausedBy,
    alert: alert ?? null,
    addressHint: stored.tokenHint,
    beats: sorted.map(presentBeat),
    changedBy: stored.changedBy,
    changedAt: new Date(stored.changedAt).toISOString(),
    version: stored.version,
  };
}

const timeText = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

function sinceOf(stored: StoredHeartbeat, state: HeartbeatState): number | null {
  switch (state) {
    case 'missing':
    case 'failed':
      return stored.downSince;
    case 'late':
      return stored.dueAt;
    case 'running':
      return stored.startedAt;
    case 'paused':
      return stored.pausedAt;
    default:
      return null;
  }
}

const presentBeat = ({ number, at, kind, durationMs, exitCode, line }: StoredBeat): Beat => ({
  number,
  at: new Date(at).toISOString(),
  kind,
  ...(durationMs !== null && { durationMs }),
  ...(exitCode !== null && { exitCode }),
  ...(line !== null && { line }),
});

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** The times without a server that nobody has closed yet, the newest first. */
async function listDowntimes({ reads }: Database): Promise<Downtime[]> {
  const stored = await reads
    .getRepository(DowntimeEntity)
    .find({ where: { isSettled: true }, order: { id: 'DESC' }, take: 20 });
  if (stored.length === 0) return [];
  const left: { id: string; isMissing: unknown; heartbeats: unknown }[] = await reads.query(
    "SELECT downtime_id AS id, status = 'down' AND down_reason <> 'failed' AS isMissing, COUNT(*) AS heartbeats FROM heartbeats " +
      `WHERE downtime_id IN (${marksOf(stored)}) AND paused_at IS NULL GROUP BY downtime_id, isMissing`,
    stored.map(({ id }) => id),
  );
  return stored.map(({ id, fromAt, toAt, heartbeats }) => {
    const own = left.filter((one) => one.id === id);
    const count = (isMissing: boolean): number =>
      own
        .filter((one) => Boolean(Number(one.isMissing)) === isMissing)
        .reduce((sum, one) => sum + Number(one.heartbeats), 0);
    return {
      id,
      from: new Date(fromAt).toISOString(),
      to: new Date(toAt).toISOString(),
      heartbeats,
      missing: count(true),
      waiting: count(false),
    };
  });
}
