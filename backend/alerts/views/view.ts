import { EntitySchema, type EntityManager } from 'typeorm';
import type { ListPlace } from '#backend/contract/alert-place.ts';
import { seesEverything } from '#backend/alerts/alert/alert.ts';
import type { AlertSort } from '#backend/contract/alert.ts';
import type { NoticeLevel } from '#backend/contract/notification-settings.ts';
import type { View, ViewList, ViewNotify } from '#backend/contract/view.ts';
import { idColumn, longTextColumn, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';

/** A stored view. `ownerId` is empty where it is everybody's. */
export interface StoredView {
  id: string;
  ownerId: string;
  name: string;
  /** The name in lower case: no two of one owner differ in their case alone. */
  nameKey: string;
  list: ViewList;
  search: string;
  sort: AlertSort;
  position: number;
  version: number;
  changedAt: number;
}

export const ViewEntity = new EntitySchema<StoredView>({
  name: 'View',
  tableName: 'views',
  columns: {
    id: primary(idColumn('id')),
    ownerId: idColumn('owner_id'),
    name: textColumn('name', 60),
    nameKey: textColumn('name_key', 180),
    list: textColumn('list', 8),
    search: longTextColumn('search'),
    sort: textColumn('sort', 16),
    position: { type: 'int', name: 'position' },
    version: { type: 'int', name: 'version' },
    changedAt: timeColumn('changed_at'),
  },
});

/** What one member chose for the alerts of one view. Who leaves it to their settings has no row. */
export interface StoredViewNotice {
  userId: string;
  viewId: string;
  notify: NoticeLevel;
  /** The time zone that the days of the view's search are meant in. */
  timeZone: string;
}

export const ViewNoticeEntity = new EntitySchema<StoredViewNotice>({
  name: 'ViewNotice',
  tableName: 'view_notices',
  columns: {
    userId: primary(idColumn('user_id')),
    viewId: primary(idColumn('view_id')),
    notify: textColumn('notify', 8),
    timeZone: textColumn('time_zone', 64),
  },
});

/** The owner of what is everybody's. */
export const EVERYBODY = '';

export const isShared = ({ ownerId }: Pick<StoredView, 'ownerId'>): boolean => ownerId === EVERYBODY;

/** Their own views and the shared ones; those of every alert only for members with access to every alert. */
export const canSeeView = (actor: Pick<Actor, 'id' | 'role'>, view: Pick<StoredView, 'ownerId' | 'list'>): boolean =>
  (isShared(view) || view.ownerId === actor.id) && (view.list !== 'all' || seesEverything(actor));

/** Their own, and of the shared ones those who see everything. */
export const canChangeView = (actor: Pick<Actor, 'id' | 'role'>, view: Pick<StoredView, 'ownerId' | 'list'>): boolean =>
  canSeeView(actor, view) && (!isShared(view) || seesEverything(actor));

/** A view as it leaves the server. */
export const presentView = (view: StoredView, notify: ViewNotify, alerts: number | null): View => ({
  id: view.id,
  name: view.name,
  isShared: isShared(view),
  list: view.list,
  search: view.search,
  sort: view.sort,
  version: view.version,
  notify,
  alerts,
});

/** What a member chose for views, by the view's id. */
export async function findViewNotices(
  manager: EntityManager,
  userId: string,
): Promise<ReadonlyMap<string, NoticeLevel>> {
  const notices = await manager.getRepository(ViewNoticeEntity).findBy({ userId });
  return new Map(notices.map(({ viewId, notify }) => [viewId, notify]));
}

/** Which list a view of somebody narrows. */
export const listOf = (list: ViewList, { id }: Pick<Actor, 'id'>): ListPlace =>
  list === 'mine' ? { list, ownerId: id } : { list };

/** The views that somebody sees: their own in their order, then the shared ones. */
export async function findViews(manager: EntityManager, actor: Pick<Actor, 'id' | 'role'>): Promise<StoredView[]> {
  const views = await manager.getRepository(ViewEntity).find({
    where: [{ ownerId: actor.id }, { ownerId: EVERYBODY }],
    order: { position: 'ASC', id: 'ASC' },
  });
  const seen = views.filter((view) => canSeeView(actor, view));
  return [...seen.filter((view) => !isShared(view)), ...seen.filter(isShared)];
}
