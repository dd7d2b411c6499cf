import { isCompletedUntaken } from '#backend/contract/alert-place.ts';
import { type EntityManager, type FindOptionsWhere, In, IsNull } from 'typeorm';
import { AlertEntity, type StoredAlert, canSee } from '#backend/alerts/alert/alert.ts';
import { HistoryEntity } from '#backend/alerts/alert/history.ts';
import {
  type Notice,
  type NoticeFilter,
  type UnreadNotices,
  markedNoticesSchema,
  noticeListQuerySchema,
  noticeListSchema,
  noticeMarkSchema,
  noticeReadAllSchema,
  unreadNoticesSchema,
} from '#backend/contract/notice.ts';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { readIdPage } from '#backend/platform/database/id-pages.ts';
import { type Actor, type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { NoticeEntity, type StoredNotice, markAllRead, markNotices } from './notice.ts';

/** What colleagues did for the member, kept for them ([0091](../../../docs/decisions/0091-kept-notices.md)). */
export function noticeRoutes({ database }: { database: Database }): Endpoint[] {
  const { reads } = database;
  return [
    endpoint({
      method: 'GET',
      path: '/api/notices',
      tag: 'notifications',
      summary: 'Lists what colleagues did for the member in the last 30 days, newest first: mentions and given alerts.',
      access: 'member',
      isList: true,
      query: noticeListQuerySchema,
      responses: { 200: noticeListSchema },
      responseHeaders: ['Link'],
      handle: async ({ actor, query: { only, ...page } }) => {
        const where = { userId: actor.id, ...whereOf(only) };
        const path = `/api/notices${only === undefined ? '' : `?only=${only}`}`;
        const { rows, headers } = await readIdPage(reads, NoticeEntity, where, page, path);
        return ok(await presentNotices(reads, actor, rows), { headers });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/notices/unread',
      tag: 'notifications',
      summary: 'Counts the member’s unread notices.',
      access: 'member',
      responses: { 200: unreadNoticesSchema },
      handle: async ({ actor }) => ok(await countUnread(reads, actor.id)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/notices',
      tag: 'notifications',
      summary:
        'Marks notices of the member as read, or as unread again, and names those that were not so before. With `alertId` those that are about this alert alone.',
      access: 'member',
      body: noticeMarkSchema,
      responses: { 200: markedNoticesSchema },
      handle: async ({ actor, body }) => ok(await markNotices(database, actor, body)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/notices/read-all',
      tag: 'notifications',
      summary:
        'Marks up to 500 unread notices of the member as read, from the one in `upTo` back, and names them: to take that back, mark them as unread. With `only` those of that list alone.',
      access: 'member',
      body: noticeReadAllSchema,
      responses: { 200: markedNoticesSchema },
      handle: async ({ actor, body: { upTo, only } }) => ok(await markAllRead(database, actor, upTo, whereOf(only))),
    }),
  ];
}

const KINDS = {
  mentions: ['mentioned'],
  'hand-overs': ['handed_over'],
  assignments: ['assigned', 'reassigned'],
} as const satisfies Record<Exclude<NoticeFilter, 'unread'>, readonly StoredNotice['kind'][]>;

/** What a list has. */
function whereOf(only: NoticeFilter | undefined): FindOptionsWhere<StoredNotice> {
  if (only === undefined) return {};
  return only === 'unread' ? { readAt: IsNull() } : { kind: In([...KINDS[only]]) };
}

async function countUnread(reads: EntityManager, userId: string): Promise<UnreadNotices> {
  const rows: { kind: StoredNotice['kind']; unread: unknown }[] = await reads.query(
    'SELECT kind, COUNT(*) AS unread FROM notices WHERE user_id = ? AND read_at IS NULL GROUP BY kind',
    [userId],
  );
  const countOf = (kinds: readonly StoredNotice['kind'][]): number =>
    rows.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { unread }) => sum + Number(unread), 0);
  return {
    total: rows.reduce((sum, { unread }) => sum + Number(unread), 0),
    mentions: countOf(KINDS.mentions),
    handOvers: countOf(KINDS['hand-overs']),
    assignments: countOf(KINDS.assignments),
  };
}

/** What of an alert a notice shows. */
const SHOWN = ['id', 'status', 'ownerId', 'title', 'alertType', 'customer', 'severity', 'state'] as const;
type ShownAlert = Pick<StoredAlert, (typeof SHOWN)[number]>;

/** Notices as they leave the server, with their alerts as they are to the member by now. */
async function presentNotices(reads: EntityManager, actor: Actor, rows: readonly StoredNotice[]): Promise<Notice[]> {
  const ids = [...new Set(rows.map(({ alertId }) => alertId))];
  if (ids.length === 0) return [];
  const found: ShownAlert[] = await reads.getRepository(AlertEntity).find({
    select: Object.fromEntries(SHOWN.map((name) => [name, true])),
    where: { id: In(ids) },
  });
  const alerts = new Map(found.map((alert) => [alert.id, alert]));
  const hidden = found.filter((alert) => !canSee(actor, alert));
  const owners = await findDisplayNames(
    reads,
    hidden.flatMap(({ ownerId }) => ownerId ?? []),
  );
  const deleters = await findDeleters(
    reads,
    ids.filter((id) => !alerts.has(id)),
  );
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    byName: row.byName,
    ...(row.toName !== null && { toName: row.toName }),
    text: row.text,
    alerts: row.alerts,
    alert: presentAlertOf(row, { actor, alert: alerts.get(row.alertId), owners, deleters }),
    wasSignedOut: row.wasSignedOut,
    createdAt: new Date(row.createdAt).toISOString(),
    ...(row.readAt !== null && { readAt: new Date(row.readAt).toISOString() }),
  }));
}

interface Around {
  actor: Actor;
  alert: ShownAlert | undefined;
  /** Names by ids of members. */
  owners: ReadonlyMap<string, string>;
  /** Names by ids of alerts. */
  deleters: ReadonlyMap<string, string>;
}

/** What the member may not see by now is shown as it was when they were notified of it. */
function presentAlertOf(row: StoredNotice, { actor, alert, owners, deleters }: Around): Notice['alert'] {
  const isVisible = alert !== undefined && canSee(actor, alert);
  const { customer, severity, state } = isVisible ? alert : row;
  const ownerName = isVisible ? undefined : owners.get(alert?.ownerId ?? '');
  const deletedBy = deleters.get(row.alertId);
  return {
    id: row.alertId,
    title: isVisible ? (alert.title ?? alert.alertType) : row.alertTitle,
    customer,
    severity: severity ?? 'none',
    state: state ?? 'event',
    access: isVisible ? 'visible' : alert === undefined ? 'deleted' : 'taken',
    ...(!isVisible && alert && isCompletedUntaken(alert) && { isCompleted: true as const }),
    ...(ownerName !== undefined && { ownerName }),
    ...(deletedBy !== undefined && { deletedBy }),
  };
}

/** Who deleted alerts, by their ids, as far as histories still say it. */
async function findDeleters(reads: EntityManager, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const entries = await reads.getRepository(HistoryEntity).find({
    select: { alertId: true, id: true, userDisplayName: true },
    where: { alertId: In([...ids]), action: 'deleted' },
  });
  return new Map(entries.map(({ alertId, userDisplayName }) => [alertId, userDisplayName]));
}
