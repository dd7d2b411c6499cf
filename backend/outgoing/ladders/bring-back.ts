import { In } from 'typeorm';
import { DestinationEntity } from '#backend/outgoing/destinations/destination-entity.ts';
import { KINDS } from '#backend/outgoing/destinations/kinds/all-kinds.ts';
import type { OutgoingState } from '#backend/contract/outgoing-receipt.ts';
import { IS_FREE, freeAt } from '#backend/platform/database/claims.ts';
import { setWaiting } from '#backend/outgoing/messages/send-again.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { messageKeyOf } from './end-ladder.ts';
import { noteCall } from './gather-calls.ts';
import { GatheredEntity, LadderCallEntity, type StoredLadderRun } from './ladder-entities.ts';

/**
 * Brings back what a ladder had made and nobody was sent, where somebody took its alert and gave it back a moment later: its steps
 * were taken and do not come again.
 */
export async function bringBack(
  tx: Transaction,
  run: Pick<StoredLadderRun, 'id' | 'alertId'>,
  now: number,
): Promise<void> {
  await bringMessagesBack(tx, run, now);
  await bringGatheredBack(tx, run);
}

/** A message that says that an alert needs somebody. */
interface News {
  id: string;
  destinationId: string;
  eventKey: string;
  state: OutgoingState;
}

/** To each destination that people read only the newest, which says all that those before it say. */
async function bringMessagesBack(
  tx: Transaction,
  { id: runId, alertId }: Pick<StoredLadderRun, 'id' | 'alertId'>,
  now: number,
): Promise<void> {
  const news: News[] = await tx.query(
    'SELECT id, destination_id AS destinationId, event_key AS eventKey, state FROM outgoing_messages ' +
      "WHERE alert_id = ? AND event IN ('new', 'escalated') ORDER BY id DESC",
    [alertId],
  );
  const isDropped = ({ eventKey, state }: News): boolean =>
    state === 'replaced' && eventKey.startsWith(messageKeyOf(runId));
  const byDestination = Map.groupBy(news, ({ destinationId }) => destinationId);
  const destinations = await tx
    .getRepository(DestinationEntity)
    .find({ select: { id: true, kind: true }, where: { id: In([...byDestination.keys()]) } });
  for (const { id: destinationId, kind } of destinations) {
    const { isForPeople } = KINDS[kind];
    const dropped = (byDestination.get(destinationId) ?? []).slice(0, isForPeople ? 1 : undefined).filter(isDropped);
    if (dropped.length === 0) continue;
    await setWaiting(
      tx,
      dropped.map(({ id }) => id),
    );
    // That somebody has it is not so any more, and would replace it.
    if (isForPeople) {
      await tx.query(
        "UPDATE outgoing_messages SET state = 'replaced', finished_at = ? WHERE alert_id = ? AND destination_id = ? " +
          `AND state = 'waiting' AND event = 'accepted' AND ${IS_FREE}`,
        [now, alertId, destinationId, ...freeAt()],
      );
    }
    announce(tx, { type: 'outgoing_changed' });
  }
}

/** What was gathered for somebody, and left out because the alert was taken, is sent with what else was gathered for them. */
async function bringGatheredBack(
  tx: Transaction,
  { id: runId, alertId }: Pick<StoredLadderRun, 'id' | 'alertId'>,
): Promise<void> {
  const rows = tx.getRepository(GatheredEntity);
  const dropped = { alertId, runId, state: 'dropped' } as const;
  const targets = await rows.findBy(dropped);
  if (targets.length === 0) return;
  await rows.update(dropped, { state: 'waiting', doneAt: null });
  for (const { ruleId, targetId } of targets) {
    const isKnown = await tx.getRepository(LadderCallEntity).existsBy({ ruleId, targetId });
    if (!isKnown) await noteCall(tx, { ruleId, targetId, alertId, quietUntil: 0 });
  }
}
