import type { ListPlace } from '#backend/contract/alert-place.ts';
import type { QueueProgress } from '#backend/contract/alert-totals.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { countByVisibleStatus } from '#backend/alerts/alert/alert-counts.ts';
import { allOf } from '#backend/platform/database/conditions.ts';
import { whereAt } from '#backend/alerts/alert/alert-list.ts';
import { COMPLETED_INDEX, IS_COMPLETED } from './completed-order.ts';

type OwnPlace = Extract<ListPlace, { list: 'mine' | 'folder' }>;

/** How far a member is with their queue or a folder: sums of counters, and ranges of the index of what is completed. */
export async function findProgress(
  { reads, dialect }: Pick<Database, 'reads' | 'dialect'>,
  place: OwnPlace,
  since: number,
): Promise<QueueProgress> {
  const { ownerId } = place;
  const table = `alerts ${dialect.byIndex(COMPLETED_INDEX)}`;
  const countSince = async (at: ListPlace): Promise<number> => {
    const { sql, values } = allOf([...whereAt(at), IS_COMPLETED, { sql: 'completed_at >= ?', values: [since] }]);
    const [row]: { total: unknown }[] = await reads.query(
      `SELECT COUNT(*) AS total FROM ${table} WHERE ${sql}`,
      values,
    );
    return Number(row?.total ?? 0);
  };
  /** Folder by folder, each a range of the index. */
  const countFiled = async (): Promise<number> => {
    const folders: { id: string }[] = await reads.query('SELECT id FROM folders WHERE owner_id = ?', [ownerId]);
    return folders.length === 0 ? 0 : countSince({ list: 'folder', ownerId, folderIds: folders.map(({ id }) => id) });
  };
  const oldest = async (): Promise<number | undefined> => {
    const { sql, values } = allOf([...whereAt(place), IS_COMPLETED]);
    const [row]: { at: number | string }[] = await reads.query(
      `SELECT completed_at AS at FROM ${table} WHERE ${sql} AND completed_at IS NOT NULL ORDER BY completed_at LIMIT 1`,
      values,
    );
    return row && Number(row.at);
  };
  const [counts, completedSince, inQueue, filed, oldestAt] = await Promise.all([
    countByVisibleStatus(reads, place),
    countSince(place),
    countSince({ list: 'mine', ownerId }),
    countFiled(),
    oldest(),
  ]);
  return {
    accepted: counts('accepted'),
    'in-progress': counts('in-progress'),
    completed: counts('completed'),
    completedSince,
    ownCompletedSince: inQueue + filed,
    ...(oldestAt !== undefined && { oldestCompletedAt: new Date(oldestAt).toISOString() }),
  };
}
