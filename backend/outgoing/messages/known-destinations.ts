import type { PresentableAlert } from '#backend/alerts/alert/alert.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { completionKey } from './message-entity.ts';

/** What is read to know where an alert went. */
interface KnownDeps {
  database: Pick<Database, 'reads' | 'dialect'>;
}

/**
 * Whether an alert joined a group that others were in. Only its beginning says whether anybody is notified of it; what becomes of
 * it later goes where that went.
 */
export async function isLaterInGroup(
  { database: { reads, dialect } }: KnownDeps,
  { id, groupId }: Pick<PresentableAlert, 'id' | 'groupId'>,
): Promise<boolean> {
  if (groupId === null) return false;
  const earlier: unknown[] = await reads.query(
    `SELECT 1 FROM alerts ${dialect.byIndex('alerts_by_group')} WHERE group_id = ? AND id < ? LIMIT 1`,
    [groupId, id],
  );
  return earlier.length > 0;
}

/**
 * The destinations that were sent an alert, before a maintenance window began to keep it quiet or while it flapped. They are sent
 * what becomes of it: a ticket is not to stay open, nor a chat to wait for somebody. What is open there is remembered for longer
 * than the messages that were sent.
 */
export async function knownTo({ database }: KnownDeps, alertId: string): Promise<Set<string>> {
  const rows: { id: string }[] = await database.reads.query(
    'SELECT destination_id AS id FROM outgoing_messages WHERE alert_id = ? ' +
      'UNION SELECT destination_id FROM outgoing_live WHERE alert_id = ?',
    [alertId, alertId],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The destinations that were sent, or wait for, the message that an alert was completed at a moment. */
export async function endSentTo({ database }: KnownDeps, alertId: string, completedAt: number): Promise<Set<string>> {
  const rows: { id: string }[] = await database.reads.query(
    'SELECT destination_id AS id FROM outgoing_messages WHERE alert_id = ? AND event_key = ?',
    [alertId, completionKey(completedAt)],
  );
  return new Set(rows.map(({ id }) => id));
}
