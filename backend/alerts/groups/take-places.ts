import { MAX_GROUP_ALERTS } from '#backend/contract/alert-group.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict, notFound } from '#backend/platform/endpoint/errors.ts';
import { AlertGroupEntity } from './group-entities.ts';

/**
 * Locks a group, into which a number of alerts are then put that are locked already: batches that store alerts lock in this order.
 *
 * @throws {ProblemError} 404 for a group that there is not, or not any more; 409 where it would have too many alerts
 */
export async function takePlaces(tx: Transaction, groupId: string, wanted: number): Promise<void> {
  const [group] = await tx.lockRows(AlertGroupEntity, { id: groupId }, ['id', 'alerts']);
  if (!group) throw notFound('This group no longer exists.');
  if (wanted === 0) return;
  const [row]: { alerts: unknown }[] = await tx.query(
    `SELECT COUNT(*) AS alerts FROM alerts ${tx.dialect.byIndex('alerts_by_group')} WHERE group_id = ?`,
    [groupId],
  );
  const present = Number(row?.alerts);
  const total = present + wanted;
  if (total > MAX_GROUP_ALERTS) {
    const [most, has] = [MAX_GROUP_ALERTS, present].map((count) => count.toLocaleString('en'));
    throw conflict(`A group has at most ${most} alerts. This one has ${has}.`);
  }
  // Those that join it later are limited by the number that it has had.
  if (total > group.alerts) await tx.getRepository(AlertGroupEntity).update({ id: groupId }, { alerts: total });
  else await tx.changeAndRestore('alert_groups', 'began_at', [groupId]);
}
