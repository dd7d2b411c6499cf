import { marksOf } from '#backend/platform/database/conditions.ts';
import { OPEN_STATUSES } from '#backend/alerts/alert/stored-status.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { addSilences, scheduleNow } from './schedule-silences.ts';
import { SilencingEntity, type StoredSilencing } from './silence-entities.ts';

/** Alerts of one step. */
const ALERTS_AT_ONCE = 100;

/** Most pending silences of a source for which older alerts are added: alerts that are accepted now go first. */
const MAX_PENDING = 100;

/** An id that no alert reaches: from here the newest alerts are caught up with first. */
export const FROM_NEWEST = 'g';

/**
 * Adds silences of alerts that were accepted before silencing was switched on: one batch, the newest first. The position is
 * stored in the same transaction, so a kill skips none.
 */
export async function catchUp(database: Database, { id, catchUpBefore }: StoredSilencing): Promise<void> {
  const [count]: { pending: unknown }[] = await database.reads.query(
    "SELECT COUNT(*) AS pending FROM silences WHERE source_id = ? AND state = 'waiting' AND finished_at IS NULL",
    [id],
  );
  if (Number(count?.pending ?? 0) >= MAX_PENDING) return;
  const found: { id: string }[] = await database.reads.query(
    `SELECT id FROM alerts WHERE source_id = ? AND id < ? AND status IN (${marksOf(OPEN_STATUSES)}) ` +
      `AND owner_id IS NOT NULL AND is_test = 0 AND state IN ('firing', 'acknowledged') ` +
      `ORDER BY id DESC LIMIT ${ALERTS_AT_ONCE}`,
    [id, catchUpBefore, ...OPEN_STATUSES],
  );
  const last = found.length < ALERTS_AT_ONCE ? null : (found.at(-1)?.id ?? null);
  const ids = found.map((alert) => alert.id);
  await database.transaction(async (tx) => {
    const [setting] = await tx.lockRows(SilencingEntity, { id });
    // The settings were saved again in the meantime: that started over.
    if (!setting?.isOn || setting.catchUpBefore !== catchUpBefore) return;
    await addSilences(tx, { sourceIds: [id], resolving: [] }, ids);
    // Those that were ended when it was switched off.
    await scheduleNow(tx, ids);
    await tx.getRepository(SilencingEntity).update({ id }, { catchUpBefore: last });
  });
}
