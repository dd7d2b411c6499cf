import type { AlertSeverity } from '#backend/contract/alert.ts';
import { ALERT_PLACE, AlertEntity, rankOfSeverity } from '#backend/alerts/alert/alert.ts';
import { findAlert } from '#backend/alerts/alert/alert-store.ts';
import { notifyMembers } from '#backend/alerts/notices/notice.ts';
import { isAhead } from '#backend/platform/database/ahead.ts';
import { groupText } from '#backend/outgoing/destinations/group-text.ts';
import { DestinationEntity } from '#backend/outgoing/destinations/destination-entity.ts';
import { KINDS } from '#backend/outgoing/destinations/kinds/all-kinds.ts';
import { contentOf } from '#backend/outgoing/destinations/message-content.ts';
import { GROUP_KEY } from '#backend/outgoing/messages/message-entity.ts';
import { newMessage } from '#backend/outgoing/messages/message-entity.ts';
import { storeMessages } from '#backend/outgoing/messages/store-messages.ts';
import { OutgoingRuleEntity } from '#backend/outgoing/rules/rule-entity.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { endOf, messageKeyOf } from './end-ladder.ts';
import { noteCall } from './gather-calls.ts';
import {
  GatheredEntity,
  LadderCallEntity,
  NOT_TAKEN,
  type StoredGathered,
  type StoredLadderCall,
} from './ladder-entities.ts';

/** Dependencies of notifying of what was gathered. */
export interface GatheredDeps {
  /** Its transactions hold the lease. */
  database: Database;
  publicUrl: URL | undefined;
  gatherMs: number;
}

/** What waits for somebody, and nobody has taken meanwhile. */
const WAITS = `g.rule_id = ? AND g.target_id = ? AND g.state = 'waiting' AND ${NOT_TAKEN}`;
const JOINED = 'ladder_gathered g JOIN alerts a ON a.id = g.alert_id JOIN ladder_runs r ON r.id = g.run_id';

/**
 * Notifies everybody whose quiet time is over of what was gathered for them, each in one transaction: once, also across kills.
 *
 * @returns in how many milliseconds the next quiet time is over, `Infinity` where there is none
 */
export async function sendGathered(deps: GatheredDeps, now: number, stopping: AbortSignal): Promise<number> {
  const calls = await deps.database.reads.getRepository(LadderCallEntity).find();
  const quiet = calls.filter(({ quietUntil }) => isAhead(quietUntil, now, deps.gatherMs));
  for (const call of calls) {
    if (stopping.aborted) break;
    if (!quiet.includes(call)) await deps.database.transaction((tx) => sendTo(tx, deps, call, now));
  }
  return Math.min(Infinity, ...quiet.map(({ quietUntil }) => quietUntil - now));
}

async function sendTo(tx: Transaction, deps: GatheredDeps, call: StoredLadderCall, now: number): Promise<void> {
  const { ruleId, targetId } = call;
  const isOn = await tx.getRepository(OutgoingRuleEntity).existsBy({ id: ruleId, isOn: true });
  const group = isOn ? await findGroup(tx, call, now) : undefined;
  const sent = group && (await send(tx, deps, group, now));
  const ofTarget = { ruleId, targetId, state: 'waiting' } as const;
  if (sent) {
    await tx.query(
      "UPDATE ladder_gathered SET state = 'sent', message_id = ?, alerts = ?, done_at = ? " +
        "WHERE rule_id = ? AND target_id = ? AND state = 'waiting' AND EXISTS (SELECT 1 FROM alerts a " +
        `JOIN ladder_runs r ON r.id = ladder_gathered.run_id WHERE a.id = ladder_gathered.alert_id AND ${NOT_TAKEN})`,
      [sent.messageId, group.alerts, now, ruleId, targetId],
    );
    await noteCall(tx, { ruleId, targetId, alertId: group.worst.alertId, quietUntil: now + deps.gatherMs });
  } else {
    await tx.getRepository(LadderCallEntity).delete({ ruleId, targetId });
  }
  // Somebody took these first, or their rule is off.
  await tx.getRepository(GatheredEntity).update(ofTarget, { state: 'dropped', doneAt: now });
}

/** What somebody is notified of together. */
interface Group {
  worst: StoredGathered;
  alerts: number;
  /** "14 critical alerts of Harbor & Finch". */
  text: string;
  isUrgent: boolean;
  isEnd: boolean;
}

async function findGroup(
  tx: Transaction,
  { ruleId, targetId }: StoredLadderCall,
  now: number,
): Promise<Group | undefined> {
  for (;;) {
    const [first]: { id: string }[] = await tx.query(
      `SELECT g.id AS id FROM ${JOINED} WHERE ${WAITS} ORDER BY ${rankOfSeverity('a.severity')}, a.id, g.id LIMIT 1`,
      [ruleId, targetId],
    );
    const worst = first && (await tx.getRepository(GatheredEntity).findOneBy({ id: first.id }));
    if (!worst) return undefined;
    // An accept that was committed before is seen here; a later one waits for this.
    const [place] = await tx.lockRows(AlertEntity, { id: worst.alertId }, ALERT_PLACE);
    if (!place || endOf(place) !== undefined) {
      await tx
        .getRepository(GatheredEntity)
        .update({ ruleId, targetId, alertId: worst.alertId, state: 'waiting' }, { state: 'dropped', doneAt: now });
      continue;
    }
    const parts: { severity: AlertSeverity | null; customer: string | null; alerts: unknown }[] = await tx.query(
      `SELECT a.severity AS severity, a.customer AS customer, COUNT(DISTINCT a.id) AS alerts FROM ${JOINED} WHERE ${WAITS} ` +
        'GROUP BY a.severity, a.customer',
      [ruleId, targetId],
    );
    const [flags]: { urgent: unknown; steps: unknown }[] = await tx.query(
      `SELECT MAX(g.is_urgent) AS urgent, MIN(g.is_end) AS steps FROM ${JOINED} WHERE ${WAITS}`,
      [ruleId, targetId],
    );
    const counted = parts.map(({ severity, customer, alerts }) => ({ severity, customer, alerts: Number(alerts) }));
    return {
      worst,
      alerts: counted.reduce((sum, part) => sum + part.alerts, 0),
      text: groupText(counted),
      isUrgent: Number(flags?.urgent) === 1,
      isEnd: Number(flags?.steps) === 1,
    };
  }
}

/** Stores the notice or the message. Undefined where nobody is there any more to be notified. */
async function send(
  tx: Transaction,
  { publicUrl }: GatheredDeps,
  { worst, alerts, text, isUrgent, isEnd }: Group,
  now: number,
): Promise<{ messageId: string | null } | undefined> {
  const alert = await findAlert(tx, worst.alertId);
  if (!alert) return undefined;
  const isSeveral = alerts > 1;
  if (worst.targetKind === 'member') {
    const rule = await tx.getRepository(OutgoingRuleEntity).findOneByOrFail({ id: worst.ruleId });
    await notifyMembers(tx, [
      {
        userId: worst.targetId,
        notice: {
          id: newId(),
          kind: 'called',
          ...(isUrgent && { isUrgent: true }),
          ...(isSeveral && { alerts }),
          alertId: alert.id,
          alertTitle: alert.title ?? alert.alertType,
          byName: rule.name,
          text: isSeveral ? text : isEnd ? 'Every step was taken.' : '',
        },
      },
    ]);
    return { messageId: null };
  }
  const destination = await tx.getRepository(DestinationEntity).findOneBy({ id: worst.targetId });
  if (!destination) return undefined;
  const event = { event: 'new', at: now, by: null, ...(isSeveral && { group: { alerts, text } }) } as const;
  const content = JSON.stringify(contentOf({ ...alert, ownerName: null, acceptedAt: null }, event, publicUrl));
  const { isForPeople } = KINDS[destination.kind];
  const key = isSeveral ? `${GROUP_KEY}${newId()}` : messageKeyOf(worst.runId, worst.position);
  const message = newMessage(alert.id, { id: destination.id, isForPeople }, { event: 'new', key }, content);
  await storeMessages(tx, [message]);
  announce(tx, { type: 'outgoing_changed' });
  return { messageId: message.id };
}
