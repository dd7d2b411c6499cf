import { In } from 'typeorm';
import type { CountedChange } from '#backend/alerts/alert/count-changes.ts';
import { storedStatusOf } from '#backend/alerts/alert/stored-status.ts';
import { AlertGroupEntity } from '#backend/alerts/groups/group-entities.ts';
import type { ActiveRule } from '#backend/alerts/groups/group-key.ts';
import { findGroups, joinGroups } from '#backend/alerts/groups/join-groups.ts';
import { findRedundant, findWokenTogether } from '#backend/alerts/groups/notify-once.ts';
import { stillFires } from '#backend/alerts/maintenance/mark-alerts.ts';
import { NOTIFYING_REASONS } from '#backend/contract/live-event.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { IncomingDelivery } from './incoming-delivery.ts';
import type { Change } from './problems.ts';
import type { TouchedAlert } from './write-rows.ts';

/** Records what a report did to an alert; of several, the reason that notifies most is published. */
export function record(
  touched: TouchedAlert,
  change: Change,
  { isQuiet = false, source, policy }: IncomingDelivery,
): void {
  if (change.reason === undefined) return;
  touched.isChanged = true;
  touched.sourceName = source.name;
  touched.isQuiet &&= isQuiet;
  touched.isReopened ||= change.outcome === 'reopened';
  touched.entries.push(...change.entries);
  if (change.outcome === 'repeated') touched.repeats += 1;
  if (change.reason === 'notify_again') touched.notifiesAfterMs = policy.notifyAgainAfterMs ?? undefined;
  if (touched.reason === undefined || NOTIFYING_REASONS.has(change.reason) || !NOTIFYING_REASONS.has(touched.reason)) {
    touched.reason = change.reason;
  }
}

/** The alerts of a batch, once it is read: what got worse or was back and has ended since is over, which is what is published. */
export function settled(touched: Iterable<TouchedAlert>): TouchedAlert[] {
  const alerts = [...touched];
  for (const one of alerts) if (NOTIFYING_REASONS.has(one.reason) && !stillFires(one.alert)) one.reason = 'resolved';
  return alerts;
}

/**
 * Decides which alerts of groups notify: of those that would notify again, begin to flap in the inbox, or are woken by a
 * report or because they fire on once they are calm, one for each card, and of the new ones those that a card does not say
 * already. What a rule has notify always does so by itself.
 *
 * @param rules those that put new alerts into groups
 */
export async function notifyOncePerCard(
  tx: Transaction,
  rules: readonly ActiveRule[],
  alerts: readonly TouchedAlert[],
): Promise<void> {
  const stored = alerts.filter(({ isQuiet, made, ruling }) => !isQuiet && !made && ruling?.notify !== 'always');
  const again = stored.filter(
    ({ alert, reason }) => reason === 'notify_again' || (reason === 'flapping' && alert.ownerId === null),
  );
  const waking = stored.filter(({ alert, reason }) => reason === 'woken' && alert.quietById === null);
  // What ends here is written later: its card says nothing by it any more.
  const ended = alerts.flatMap(({ alert, made }) => (made || stillFires(alert) ? [] : [alert.id]));
  const joining = await findGroups(tx, rules, alerts);
  const held = [...again, ...waking].flatMap(({ alert }) => alert.groupId ?? []);
  // Each locks groups: together first, because a lock is waited for in the order of ids.
  if (held.length > 0 && (joining.groupIds.length > 0 || (again.length > 0 && waking.length > 0))) {
    await tx.lockRows(AlertGroupEntity, { id: In([...held, ...joining.groupIds]) }, ['id']);
  }
  const left = await findRedundant(
    tx,
    again.map(({ alert, reason, notifiesAfterMs }) => ({
      alert,
      afterMs: reason === 'flapping' ? undefined : notifiesAfterMs,
    })),
    ended,
  );
  const woken = await findWokenTogether(tx, waking, Date.now(), ended);
  for (const touched of stored) if (left.has(touched.alert.id) || woken.has(touched.alert.id)) touched.isQuiet = true;
  await joinGroups(tx, joining, ended);
}

/** What counters count of it. */
export function countedChange({ alert: after, before, made }: TouchedAlert): CountedChange[] {
  if (made) return [{ after }];
  const isMoved = before && (storedStatusOf(before) !== storedStatusOf(after) || before.severity !== after.severity);
  return isMoved ? [{ before, after }] : [];
}
