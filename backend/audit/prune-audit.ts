import { deleteHistoryBefore } from '#backend/alerts/deleted-alerts.ts';
import type { Database } from '#backend/database/database.ts';
import { firstIdAt } from '#backend/database/first-id-at.ts';
import { prune } from '#backend/database/prune.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How often old entries are looked for, in milliseconds. */
export const AUDIT_PRUNE_MS = 60 * 60 * 1000;

/** Deletes entries of the audit trail, and the history of alerts that were deleted, when they are so many days old. */
export async function pruneAudit(
  database: Pick<Database, 'dialect' | 'reads' | 'transaction'>,
  days: number,
  stopping: AbortSignal,
): Promise<void> {
  const before = Date.now() - days * DAY_MS;
  await prune(database, { table: 'audit_log', column: 'id' }, firstIdAt(before), stopping);
  await deleteHistoryBefore(database, before, stopping);
}
