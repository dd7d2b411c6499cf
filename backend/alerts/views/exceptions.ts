import { marksOf } from '#backend/platform/database/conditions.ts';
import type { EntityManager } from 'typeorm';
import { exceptionKey } from '#backend/contract/mute.ts';
import { byName } from '#backend/contract/name.ts';
import {
  type ExceptionKind,
  MAX_LISTED_EXCEPTIONS,
  type NotificationException,
} from '#backend/contract/notification-exception.ts';
import type { NoticeLevel } from '#backend/contract/notification-settings.ts';
import { IS_IN_FORCE } from '#backend/alerts/mutes/mute-ends.ts';
import type { MuteKind } from '#backend/alerts/mutes/mute-entities.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { findViewNotices, findViews } from './view.ts';

/** The order of a list of exceptions. */
const ORDER: readonly ExceptionKind[] = ['view', 'source', 'customer', 'alert_type'];

/** Exceptions of each kind by what they are of, with the name that people know it by. */
const SQL: Record<MuteKind, string> = {
  source:
    'SELECT e.user_id AS userId, e.source_id AS id, s.name AS name, e.level AS level, e.muted_until AS ends ' +
    'FROM source_mutes e JOIN sources s ON s.id = e.source_id',
  customer:
    'SELECT e.user_id AS userId, e.customer_id AS id, c.name AS name, e.level AS level, e.muted_until AS ends ' +
    'FROM customer_mutes e JOIN customers c ON c.id = e.customer_id',
  alert_type:
    'SELECT e.user_id AS userId, e.alert_type AS id, e.alert_type AS name, e.level AS level, e.muted_until AS ends ' +
    'FROM alert_type_mutes e',
};

interface ExceptionRow {
  userId: string;
  id: string;
  name: string;
  level: NoticeLevel;
  ends: number | string | null;
}

/** A member's exceptions that have not ended, and how many there are with the mutes that are left out. */
export async function findExceptions(
  reads: EntityManager,
  actor: Pick<Actor, 'id' | 'role'>,
  now: number,
): Promise<{ exceptions: NotificationException[]; total: number }> {
  const notices = await findViewNotices(reads, actor.id);
  const found: NotificationException[] = (await findViews(reads, actor)).flatMap(({ id, name }) => {
    const level = notices.get(id);
    return level === undefined ? [] : [{ kind: 'view', id, name, level }];
  });
  let total = found.length;
  for (const [kind, sql] of Object.entries(SQL) as [MuteKind, string][]) {
    const where = `WHERE e.user_id = ? AND ${IS_IN_FORCE}`;
    // Other levels first: they are few, and mutes may be thousands.
    const rows: ExceptionRow[] = await reads.query(
      `${sql} ${where} ORDER BY CASE WHEN e.level = 'never' THEN 1 ELSE 0 END, id LIMIT ${MAX_LISTED_EXCEPTIONS}`,
      [actor.id, now],
    );
    found.push(...rows.map((row) => present(kind, row)));
    total += rows.length < MAX_LISTED_EXCEPTIONS ? rows.length : await countOf(reads, `${sql} ${where}`, actor.id, now);
  }
  const kept = [...found.filter((one) => !isMute(one)), ...found.filter(isMute)].slice(0, MAX_LISTED_EXCEPTIONS);
  const exceptions = kept.toSorted(
    (one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind) || byName(one.name, other.name),
  );
  return { exceptions, total };
}

const isMute = ({ kind, level }: NotificationException): boolean => kind !== 'view' && level === 'never';

const present = (kind: MuteKind, { id, name, level, ends }: ExceptionRow): NotificationException => ({
  kind,
  id,
  name,
  level,
  ...(ends !== null && { until: new Date(Number(ends)).toISOString() }),
});

async function countOf(reads: EntityManager, sql: string, userId: string, now: number): Promise<number> {
  const [row]: { total: unknown }[] = await reads.query(`SELECT COUNT(*) AS total FROM (${sql}) all_of_them`, [
    userId,
    now,
  ]);
  return Number(row?.total ?? 0);
}

/**
 * Every exception of these members but those of views, by the member's id, as the decision about an alert reads them: however
 * many mutes there are.
 */
export async function findLevels(
  reads: EntityManager,
  userIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, ReadonlyMap<string, NoticeLevel>>> {
  const levels = new Map<string, Map<string, NoticeLevel>>();
  for (const [kind, sql] of Object.entries(SQL) as [MuteKind, string][]) {
    const rows: ExceptionRow[] = await reads.query(
      `${sql} WHERE e.user_id IN (${marksOf(userIds)}) AND ${IS_IN_FORCE}`,
      [...userIds, now],
    );
    for (const { userId, id, name, level } of rows) {
      const own = levels.get(userId) ?? new Map<string, NoticeLevel>();
      levels.set(userId, own.set(exceptionKey(kind, kind === 'source' ? id : name), level));
    }
  }
  return levels;
}
