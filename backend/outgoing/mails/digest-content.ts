import { marksOf } from '#backend/platform/database/conditions.ts';
import { WHOLE } from '#backend/alerts/alert/alert-counts.ts';
import { type StoredAlert, rankOfSeverity } from '#backend/alerts/alert/alert.ts';
import {
  INBOX_STATUS,
  OPEN_STATUSES,
  type StoredStatus,
  visibleStatusOf,
} from '#backend/alerts/alert/stored-status.ts';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { SqlValue } from '#backend/platform/database/dialect.ts';
import { idsBetween, inRange } from '#backend/platform/database/id-times.ts';
import { IS_MUTED } from '#backend/alerts/mutes/mute-ends.ts';
import { endOfDay } from '#backend/outgoing/notifications/digest-time.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** As many alerts of a kind as are counted; beyond it is said that there are more. */
export const MAX_COUNTED = 1_000;

type DigestReads = Pick<Database, 'dialect' | 'reads' | 'longReads'>;

/** Alerts that a digest names. */
const MAX_NAMED = 10;

/** An open alert of the member's, by which they know it. */
export interface NamedAlert {
  id: string;
  headline: string;
  severity: AlertSeverity;
}

/**
 * What a digest says of one member's alerts. Their own accepted ones and those in progress are exact; the other numbers are at
 * most {@link MAX_COUNTED} and one more.
 */
export interface Digest {
  /** In the inbox since a day ago, without what the member has muted. */
  newAlerts: number;
  accepted: number;
  inProgress: number;
  /** Snoozed alerts of theirs that wake before their day ends. */
  waking: number;
  /** Open alerts of theirs that nobody has touched for a day, snoozed ones left out. */
  untouched: number;
  /** Open alerts of theirs whose sender says that the problem is over. */
  resolved: number;
  /** The most severe of their open alerts, of the same severity the oldest first. */
  named: NamedAlert[];
}

/** Alerts of a member's that are open and not snoozed. */
const AWAKE = "a.owner_id = ? AND a.status IN ('accepted', 'in-progress')";

/** What there is to say to a member at this moment; undefined when there is nothing. */
export async function readDigest(
  database: DigestReads,
  userId: string,
  timeZone: string,
  now: number,
): Promise<Digest | undefined> {
  const { accepted, inProgress } = await countOwn(database, userId);
  const count = (where: string, ...values: SqlValue[]) => countUpTo(database, where, [userId, ...values]);
  const snoozed = OPEN_STATUSES.filter((status) => visibleStatusOf(status) !== status);
  const places = marksOf(snoozed);
  const waking = `a.owner_id = ? AND a.status IN (${places}) AND a.snoozed_until < ?`;
  const digest: Digest = {
    newAlerts: await countNew(database, userId, now),
    accepted,
    inProgress,
    waking: await count(waking, ...snoozed, endOfDay(now, timeZone)),
    untouched: await count(`${AWAKE} AND a.touched_at < ?`, now - DAY_MS),
    resolved: await count(`${AWAKE} AND a.state = 'resolved'`),
    named: accepted + inProgress === 0 ? [] : await findMostSevere(database, userId),
  };
  return digest.newAlerts + accepted + inProgress + digest.waking === 0 ? undefined : digest;
}

/** Alerts of a member that are not snoozed, however many there are. */
async function countOwn({ reads }: DigestReads, userId: string): Promise<Pick<Digest, 'accepted' | 'inProgress'>> {
  const rows: { status: StoredStatus; alerts: unknown }[] = await reads.query(
    'SELECT status, SUM(alerts) AS alerts FROM alert_counts WHERE detail = ? AND owner_id = ? GROUP BY status',
    [WHOLE, userId],
  );
  const of = (status: StoredStatus): number => Number(rows.find((row) => row.status === status)?.alerts ?? 0);
  return { accepted: of('accepted'), inProgress: of('in-progress') };
}

/** Counts alerts of a member, up to the limit. */
async function countUpTo({ longReads, dialect }: DigestReads, where: string, values: SqlValue[]): Promise<number> {
  const [row] = await longReads.query<{ alerts: unknown }>(
    `SELECT COUNT(*) AS alerts FROM (SELECT a.id FROM alerts a ${dialect.byIndex('alerts_queue')} WHERE ${where} ` +
      `LIMIT ${MAX_COUNTED + 1}) counted`,
    values,
  );
  return Number(row?.alerts ?? 0);
}

async function findMostSevere({ longReads, dialect }: DigestReads, userId: string): Promise<NamedAlert[]> {
  const rows = await longReads.query<
    Pick<StoredAlert, 'id' | 'title' | 'alertType'> & { severity: AlertSeverity | null }
  >(
    'SELECT a.id AS id, a.title AS title, a.alert_type AS alertType, a.severity AS severity ' +
      `FROM alerts a ${dialect.byIndex('alerts_queue')} WHERE ${AWAKE} ` +
      `ORDER BY ${rankOfSeverity('a.severity')}, a.id LIMIT ${MAX_NAMED}`,
    [userId],
  );
  return rows.map(({ id, title, alertType, severity }) => ({
    id,
    headline: title ?? alertType ?? 'Alert without a title',
    severity: severity ?? 'none',
  }));
}

/** Alerts that came to the inbox since a day ago and are there, but those that the member has muted. */
async function countNew({ dialect, reads }: DigestReads, userId: string, now: number): Promise<number> {
  const notMuted = [
    `NOT EXISTS (SELECT 1 FROM customer_mutes m JOIN customers c ON c.id = m.customer_id WHERE m.user_id = ? AND c.name = a.customer AND ${IS_MUTED})`,
    `NOT EXISTS (SELECT 1 FROM alert_type_mutes m WHERE m.user_id = ? AND m.alert_type = a.alert_type AND ${IS_MUTED})`,
    `NOT EXISTS (SELECT 1 FROM source_mutes m WHERE m.user_id = ? AND m.source_id = a.source_id AND ${IS_MUTED})`,
  ].join(' AND ');
  const isNew = inRange(await idsBetween(reads, { from: now - DAY_MS }), 'a.id', 'a.received_at');
  const sql =
    `SELECT COUNT(*) AS alerts FROM (SELECT a.id FROM alerts a ${dialect.byIndex('alerts_by_status')} ` +
    `WHERE a.status = '${INBOX_STATUS}' AND ${isNew.sql} AND ${notMuted} LIMIT ${MAX_COUNTED + 1}) counted`;
  const [row]: { alerts: string | number }[] = await reads.query(sql, [
    ...isNew.values,
    userId,
    now,
    userId,
    now,
    userId,
    now,
  ]);
  return Number(row?.alerts ?? 0);
}
