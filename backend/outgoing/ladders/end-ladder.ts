import type { LadderEnd } from '#backend/contract/ladder.ts';
import type { StoredAlert } from '#backend/alerts/alert/alert.ts';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { IS_FREE, freeAt } from '#backend/platform/database/claims.ts';
import { LADDER_KEY } from '#backend/outgoing/messages/message-entity.ts';
import { LadderRunEntity, type StoredLadderRun } from './ladder-entities.ts';

/** What decides whether an alert waits for somebody. */
type Place = Pick<StoredAlert, 'status' | 'ownerId' | 'snoozedUntil' | 'quietById'>;

/** Why a ladder of this alert is over; undefined while nobody has taken it. */
export function endOf({ status, snoozedUntil, quietById }: Place): LadderEnd | undefined {
  if (status === 'completed') return 'completed';
  if (snoozedUntil !== null) return 'snoozed';
  if (status !== 'pending') return 'accepted';
  return quietById === null ? undefined : 'maintenance';
}

/** Keys of the messages that a ladder makes begin with this. */
export const messageKeyOf = (runId: string, position: number | '' = ''): string => `${LADDER_KEY}${runId}:${position}`;

/** Ends a ladder that is locked: what it made and nobody has been sent yet is not sent any more. */
export async function endRun(
  tx: Transaction,
  { id, alertId }: Pick<StoredLadderRun, 'id' | 'alertId'>,
  { reason, by, at, ownerId }: { reason: LadderEnd; by: string | null; at: number; ownerId: string | null },
): Promise<void> {
  await tx
    .getRepository(LadderRunEntity)
    .update({ id }, { state: 'ended', endedAt: at, endReason: reason, endedBy: by });
  if (reason !== 'not-taken') {
    await tx.query(
      "UPDATE outgoing_messages SET state = 'replaced', finished_at = ? WHERE alert_id = ? AND event_key LIKE ? " +
        `AND state = 'waiting' AND ${IS_FREE}`,
      [at, alertId, `${messageKeyOf(id)}%`, ...freeAt()],
    );
  }
  announce(tx, { type: 'ladder_changed', alertId, ownerId });
}

/** Ends a locked ladder because somebody took its alert. */
export async function endTaken(
  tx: Transaction,
  run: Pick<StoredLadderRun, 'id' | 'alertId'>,
  alert: Place,
  reason: LadderEnd,
  at: number,
): Promise<void> {
  const names = await findDisplayNames(tx, alert.ownerId === null ? [] : [alert.ownerId]);
  await endRun(tx, run, { reason, by: names.get(alert.ownerId ?? '') ?? null, at, ownerId: alert.ownerId });
}
