import { marksOf } from '#backend/platform/database/conditions.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AlertSeverity, alertSeveritySchema } from '#backend/contract/alert.ts';
import { judgeAt, noticeAbout } from '#backend/contract/announcement.ts';
import { exceptionKey } from '#backend/contract/mute.ts';
import { type NotificationException, type NotificationPreview } from '#backend/contract/notification-exception.ts';
import { DEFAULT_QUIET_HOURS, NOTICE_LEVELS, type NoticeLevel } from '#backend/contract/notification-settings.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type IdRange, inRange } from '#backend/platform/database/id-times.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import {
  type AlertRow,
  type Decided,
  type JudgeDeps,
  COLUMNS,
  announcedAlert,
  readsPayloads,
} from './judged-alerts.ts';

/** Alerts that are read before other work has its turn; fewer where their payloads are searched. */
const SLICE_ROWS = 2_000;
const SLICE_PAYLOADS = 100;

/** Own alerts whose changes are counted at most, the newest first. */
const OWN_ALERTS = 1_000;

/** Counts for every choice at once, in one pass over the alerts of the range. */
export async function countWeek(
  { database: { reads } }: JudgeDeps,
  actor: Actor,
  decided: Decided,
  range: IdRange,
): Promise<Pick<NotificationPreview, 'byLevel' | 'exceptions'>> {
  // How many a level lets through does not depend on when they came.
  const always = { ...decided.settings, quietHours: DEFAULT_QUIET_HOURS, pausedUntil: null };
  const judges = NOTICE_LEVELS.map((level) => ({ level, judge: judgeAt({ ...always, level }, 0) }));
  const byLevel: Record<NoticeLevel, number> = { always: 0, high: 0, critical: 0, mine: 0, never: 0 };
  const byException = new Map<string, number>();
  const addTo = (key: string, times: number): void => void byException.set(key, (byException.get(key) ?? 0) + times);
  const count = (row: AlertRow, ownerId: string | null, times: number): void => {
    const { alert, inViews } = announcedAlert(row, decided, ownerId);
    for (const { level, judge } of judges) {
      const { verdict, by } = judge(alert);
      if (verdict !== 'yes') continue;
      byLevel[level] += times;
      // An exception decides whatever the choice for all is: it is counted with one of them.
      if (level !== NOTICE_LEVELS[0]) continue;
      if (by === 'view') for (const { id } of inViews) addTo(keyOf({ kind: 'view', id }), times);
      else if (by !== 'all') addTo(nameKeyOf(by, row), times);
    }
  };

  const columns = readsPayloads(decided) ? `${COLUMNS}, url, payload` : COLUMNS;
  const rows = readsPayloads(decided) ? SLICE_PAYLOADS : SLICE_ROWS;
  const within = inRange(range, 'id', 'received_at');
  for (let after = ''; ;) {
    const slice: AlertRow[] = await reads.query(
      `SELECT ${columns} FROM alerts WHERE id > ? AND ${within.sql} ORDER BY id LIMIT ${rows}`,
      [after, ...within.values],
    );
    for (const row of slice) count(row, null, 1);
    const last = slice.at(-1);
    if (last === undefined || slice.length < rows) break;
    after = last.id;
    await nextTurn();
  }
  for (const { times, ...row } of await findOwnNews(reads, actor.id, range)) count(row, actor.id, times);
  const personal = await countNotices(reads, actor.id, range);
  for (const { level, judge } of judges) {
    if (judge(noticeAbout(true)).verdict === 'yes') byLevel[level] += personal;
  }
  return {
    byLevel,
    exceptions: decided.exceptions.map(({ kind, id, name }) => ({
      kind,
      id,
      notifications: byException.get(keyOf({ kind, id: kind === 'customer' ? name : id })) ?? 0,
    })),
  };
}

const keyOf = ({ kind, id }: { kind: NotificationException['kind']; id: string }): string =>
  kind === 'view' ? `view ${id}` : exceptionKey(kind, id);

/** The exception that decides about an alert, by its name or, of a source, its id. */
const nameKeyOf = (kind: 'customer' | 'alert_type' | 'source', row: AlertRow): string =>
  exceptionKey(kind, { customer: row.customer, alert_type: row.alertType, source: row.sourceId }[kind] ?? '');

/** The member's own alerts, with how often each of them notified in a range: it came back, woke, or became more severe. */
async function findOwnNews(
  reads: Database['reads'],
  userId: string,
  range: IdRange,
): Promise<(AlertRow & { times: number })[]> {
  const own: AlertRow[] = await reads.query(
    `SELECT ${COLUMNS} FROM alerts WHERE owner_id = ? ORDER BY id DESC LIMIT ${OWN_ALERTS}`,
    [userId],
  );
  if (own.length === 0) return [];
  const within = inRange(range, 'id', 'created_at');
  const news: OwnNews[] = await reads.query(
    'SELECT alert_id AS alertId, action, previous_severity AS severityBefore, new_severity AS severityAfter ' +
      `FROM alert_history WHERE alert_id IN (${marksOf(own)}) AND ${within.sql} ` +
      "AND action IN ('reopened', 'woken', 'severity_change')",
    [...own.map(({ id }) => id), ...within.values],
  );
  return own.flatMap((row) => {
    const times = news.filter((one) => one.alertId === row.id && isNotified(one)).length;
    return times === 0 ? [] : [{ ...row, times }];
  });
}

/** An entry in the history of an own alert. */
interface OwnNews {
  alertId: string;
  action: string;
  severityBefore: AlertSeverity | null;
  severityAfter: AlertSeverity | null;
}

/** The contract names severities with the most urgent first. */
const rankOf = (severity: AlertSeverity | null): number => alertSeveritySchema.options.indexOf(severity ?? 'none');

const isNotified = ({ action, severityBefore, severityAfter }: OwnNews): boolean =>
  action !== 'severity_change' || rankOf(severityAfter) < rankOf(severityBefore);

/** What colleagues did for a member in a range. */
async function countNotices(reads: Database['reads'], userId: string, range: IdRange): Promise<number> {
  const within = inRange(range, 'id', 'created_at');
  const [row]: { notices: unknown }[] = await reads.query(
    `SELECT COUNT(*) AS notices FROM notices WHERE user_id = ? AND ${within.sql}`,
    [userId, ...within.values],
  );
  return Number(row?.notices ?? 0);
}
