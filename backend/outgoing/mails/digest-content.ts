import {
  INBOX_STATUS,
  OPEN_STATUSES,
  type StoredStatus,
  visibleStatusOf,
} from '#backend/alerts/alert/stored-status.ts';
import { type AlertSeverity, alertSeveritySchema } from '#backend/contract/alert.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { idsBetween, inRange } from '#backend/platform/database/id-times.ts';
import { IS_MUTED } from '#backend/alerts/mutes/mute-ends.ts';
import { endOfDay } from '#backend/outgoing/notifications/digest-time.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** As many alerts of a kind as are counted; beyond it is said that there are more. */
export const MAX_COUNTED = 1_000;

/** Alerts that a digest names. */
const MAX_NAMED = 10;

/** An open alert of the member's, by which they know it. */
export interface NamedAlert {
  id: string;
  headline: string;
  severity: AlertSeverity;
}

/** What a digest says of one member's alerts. Numbers are at most {@link MAX_COUNTED} and one more. */
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

interface OwnRow {
  id: string;
  title: string | null;
  alertType: string | null;
  severity: AlertSeverity | null;
  status: StoredStatus;
  state: string | null;
  snoozedUntil: string | number | null;
  touchedAt: string | number | null;
}

/** The most severe first; the contract names them in this order. */
const rankOf = ({ severity }: OwnRow): number => alertSeveritySchema.options.indexOf(severity ?? 'none');

/** What there is to say to a member at this moment; undefined when there is nothing. */
export async function readDigest(
  database: Pick<Database, 'dialect' | 'reads'>,
  userId: string,
  timeZone: string,
  now: number,
): Promise<Digest | undefined> {
  const { reads } = database;
  const rows: OwnRow[] = await reads.query(
    'SELECT id, title, alert_type AS alertType, severity, status, state, snoozed_until AS snoozedUntil, ' +
      `touched_at AS touchedAt FROM alerts WHERE owner_id = ? AND status IN (${OPEN_STATUSES.map(() => '?').join(', ')}) ` +
      `ORDER BY id LIMIT ${MAX_COUNTED + 1}`,
    [userId, ...OPEN_STATUSES],
  );
  const awake = rows.filter(({ snoozedUntil }) => snoozedUntil === null);
  const dayEnd = endOfDay(now, timeZone);
  const count = (some: readonly OwnRow[], is: (row: OwnRow) => boolean) => some.filter(is).length;
  const digest: Digest = {
    newAlerts: await countNew(database, userId, now),
    accepted: count(awake, ({ status }) => visibleStatusOf(status) === 'accepted'),
    inProgress: count(awake, ({ status }) => visibleStatusOf(status) === 'in-progress'),
    waking: count(rows, ({ snoozedUntil }) => snoozedUntil !== null && Number(snoozedUntil) < dayEnd),
    untouched: count(awake, ({ touchedAt }) => touchedAt !== null && Number(touchedAt) < now - DAY_MS),
    resolved: count(awake, ({ state }) => state === 'resolved'),
    named: awake
      .toSorted((one, other) => rankOf(one) - rankOf(other) || (one.id < other.id ? -1 : 1))
      .slice(0, MAX_NAMED)
      .map((row) => ({
        id: row.id,
        headline: row.title ?? row.alertType ?? 'Alert without a title',
        severity: row.severity ?? 'none',
      })),
  };
  const { newAlerts, accepted, inProgress, waking } = digest;
  return newAlerts + accepted + inProgress + waking === 0 ? undefined : digest;
}

/** Alerts that came to the inbox since a day ago and are there, but those that the member has muted. */
async function countNew(
  { dialect, reads }: Pick<Database, 'dialect' | 'reads'>,
  userId: string,
  now: number,
): Promise<number> {
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
