import { EntitySchema, type FindOptionsWhere, In, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { AlertEntity, type StoredAlert } from '#backend/alerts/alert/alert.ts';
import type { MemberNotice } from '#backend/contract/live-event.ts';
import { MAX_MARKED_NOTICES, type MarkedNotices, NOTICE_DAYS, type NoticeMark } from '#backend/contract/notice.ts';
import { SessionEntity } from '#backend/identity/sessions/session-store.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { inSizes } from '#backend/platform/database/dialect.ts';
import { idsBetween, timedCondition } from '#backend/platform/database/id-times.ts';
import { prune } from '#backend/platform/database/prune.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { announce } from '#backend/platform/live/event-bus.ts';

/** What of an alert a notice keeps: the alert may be deleted, or be somebody else's, before the member reads it. */
type KeptAlert = Pick<StoredAlert, 'customer' | 'severity' | 'state'>;

/** A stored notice: something that a colleague did for a member. Names are as they were at the time. */
export interface StoredNotice extends KeptAlert {
  /** The same as in the live event and the push. */
  id: string;
  userId: string;
  kind: MemberNotice['kind'];
  byName: string;
  toName: string | null;
  /** The note of a mention. */
  noteId: string | null;
  text: string;
  alerts: number;
  alertId: string;
  alertTitle: string | null;
  wasSignedOut: boolean;
  createdAt: number;
  readAt: number | null;
}

export const NoticeEntity = new EntitySchema<StoredNotice>({
  name: 'Notice',
  tableName: 'notices',
  columns: {
    id: primary(idColumn('id')),
    userId: idColumn('user_id'),
    kind: textColumn('kind', 16),
    byName: textColumn('by_name', 100),
    toName: nullable(textColumn('to_name', 100)),
    noteId: nullable(idColumn('note_id')),
    text: longTextColumn('text'),
    alerts: { type: 'int', name: 'alerts' },
    alertId: idColumn('alert_id'),
    alertTitle: nullable(textColumn('alert_title', 300)),
    customer: nullable(textColumn('customer', 200)),
    severity: nullable(textColumn('severity', 8)),
    state: nullable(textColumn('state', 12)),
    wasSignedOut: { type: 'boolean', name: 'was_signed_out' },
    createdAt: timeColumn('created_at'),
    readAt: nullable(timeColumn('read_at')),
  },
});

/** A notice, and the member whom it is for. */
export interface Notified {
  userId: string;
  notice: MemberNotice;
  /** The note of a mention. */
  noteId?: string;
}

/**
 * Notifies members: keeps the notices for them, and announces them to their pages and devices. A notice that is kept
 * already, because the same change is dealt with again, is neither kept nor announced a second time.
 */
export async function notifyMembers(tx: Transaction, notified: readonly Notified[]): Promise<void> {
  // A statement of SQLite takes 32,766 values.
  for (const some of inSizes(notified)) await notifySome(tx, some);
}

async function notifySome(tx: Transaction, notified: readonly Notified[]): Promise<void> {
  const stored = tx.getRepository(NoticeEntity);
  const ids = notified.map(({ notice }) => notice.id);
  const known = await stored.find({ select: { id: true }, where: { id: In(ids) } });
  const added = notified.filter(({ notice }) => !known.some(({ id }) => id === notice.id));
  if (added.length === 0) return;
  const alerts = await tx.getRepository(AlertEntity).find({
    select: { id: true, title: true, alertType: true, customer: true, severity: true, state: true },
    where: { id: In(added.map(({ notice }) => notice.alertId)) },
  });
  const sessions = await tx
    .getRepository(SessionEntity)
    .find({ select: { id: true, userId: true }, where: { userId: In(added.map(({ userId }) => userId)) } });
  await stored.insert(
    added.map(({ userId, notice, noteId = null }): StoredNotice => {
      const alert = alerts.find(({ id }) => id === notice.alertId);
      return {
        id: notice.id,
        userId,
        kind: notice.kind,
        byName: notice.byName,
        toName: notice.toName ?? null,
        noteId,
        text: notice.text,
        alerts: notice.alerts ?? 1,
        alertId: notice.alertId,
        alertTitle: alert?.title ?? alert?.alertType ?? notice.alertTitle,
        customer: alert?.customer ?? null,
        severity: alert?.severity ?? null,
        state: alert?.state ?? null,
        wasSignedOut: !sessions.some((session) => session.userId === userId),
        createdAt: Date.now(),
        readAt: null,
      };
    }),
  );
  announce(tx, ...added.map(({ userId, notice }) => ({ type: 'member_notified', userId, notice }) as const));
}

/** Has the notices of a note say what it says by now; nothing of one that its author has deleted. */
export async function rewriteNotices(tx: Transaction, noteId: string, text: string): Promise<void> {
  await tx.getRepository(NoticeEntity).update({ noteId }, { text });
}

/**
 * Marks notices of the member as read, or as unread again. What is so already, and what is somebody else's, stays as it is.
 * Their other pages are notified of what has changed.
 */
export const markNotices = (database: Database, actor: Actor, asked: NoticeMark): Promise<MarkedNotices> =>
  onBehalfOf(database, actor).transaction((tx) => mark(tx, actor.id, asked));

/** Marks the member's unread notices of a list up to one, the newest of them first, as many as one call marks. */
export const markAllRead = (
  database: Database,
  actor: Actor,
  upTo: string,
  list: FindOptionsWhere<StoredNotice>,
): Promise<MarkedNotices> =>
  onBehalfOf(database, actor).transaction(async (tx) => {
    const unread = await tx.getRepository(NoticeEntity).find({
      select: { id: true },
      where: { ...list, userId: actor.id, readAt: IsNull(), id: LessThanOrEqual(upTo) },
      order: { id: 'DESC' },
      take: MAX_MARKED_NOTICES + 1,
    });
    const ids = unread.slice(0, MAX_MARKED_NOTICES).map(({ id }) => id);
    const marked = ids.length === 0 ? { ids, hasMore: false } : await mark(tx, actor.id, { ids, isRead: true });
    return { ...marked, hasMore: unread.length > MAX_MARKED_NOTICES };
  });

async function mark(tx: Transaction, userId: string, asked: NoticeMark): Promise<MarkedNotices> {
  const { isRead } = asked;
  const which = 'ids' in asked ? { id: In(asked.ids) } : { alertId: asked.alertId, alerts: 1 };
  const rows = await tx.lockRows(NoticeEntity, { ...which, userId, readAt: isRead ? IsNull() : Not(IsNull()) }, ['id']);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) {
    await tx.getRepository(NoticeEntity).update({ id: In(ids) }, { readAt: isRead ? Date.now() : null });
    announce(tx, { type: 'notices_changed', userId, noticeIds: ids, isRead });
  }
  return { ids, hasMore: false };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** How often old notices are looked for, in milliseconds. */
export const NOTICE_PRUNE_MS = 60 * 60 * 1000;

/** Deletes the notices that have been kept for {@link NOTICE_DAYS}. */
export async function pruneNotices(database: Database, stopping: AbortSignal, now: number): Promise<void> {
  const { below = '', ...range } = await idsBetween(database.reads, { to: now - NOTICE_DAYS * DAY_MS });
  const only = timedCondition(range, 'id', 'created_at');
  await prune(database, { table: 'notices', column: 'id' }, below, stopping, only);
}
