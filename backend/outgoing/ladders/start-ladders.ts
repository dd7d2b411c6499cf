import { marksOf } from '#backend/platform/database/conditions.ts';
import { addRuleHits } from '#backend/alerts/insight/rule-hits.ts';
import type { UpdateReason } from '#backend/contract/live-event.ts';
import type { Fact } from '#backend/platform/feed/feed-facts.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { asItWas } from '#backend/outgoing/messages/happenings.ts';
import { type MakeDeps, type OutgoingPlan, readMatching } from '#backend/outgoing/messages/make-messages.ts';
import { GROUP_KEY } from '#backend/outgoing/messages/message-entity.ts';
import { bringBack } from './bring-back.ts';
import { gatherAgain } from './gather-calls.ts';
import { LadderRunEntity, type StoredLadderRun } from './ladder-entities.ts';
import { timetableOf } from './timetable.ts';

/** An alert that nobody has, from this moment on. */
export interface LadderStart {
  alertId: string;
  /** Names it among what happens to the alert. */
  key: string;
  /** In milliseconds since the epoch. */
  at: number;
  /** It was in somebody's hands, and is back. */
  isBack: boolean;
  /** It begins to flap. */
  beginsToFlap: boolean;
}

/** A ladder that ended so short a time ago goes on where it was when the alert is back: somebody took a click back. In milliseconds. */
const RESUMED_MS = 60_000;

/** Reasons by which an alert that was there may begin a ladder. */
const BEGINNING: ReadonlySet<UpdateReason | undefined> = new Set<UpdateReason>([
  'escalated',
  'reopened',
  'notify_again',
  'flapping',
]);

/**
 * What begins ladders: an alert that is new, worse, reported again, back in the inbox or not kept quiet any more.
 *
 * @param row the numbers that name the row of the feed
 */
export function startsOf(facts: readonly Fact[], row: { writer: number; number: number; at: number }): LadderStart[] {
  const name = `${row.writer}-${row.number}`;
  const starts: LadderStart[] = [];
  const add = (alertIds: readonly string[], key: string, isBack = false, beginsToFlap = false): void => {
    for (const alertId of alertIds) starts.push({ alertId, key, at: row.at, isBack, beginsToFlap });
  };
  for (const fact of facts) {
    switch (fact.type) {
      case 'new_alert':
        if (!fact.quiet) add(fact.alertIds, 'new');
        break;
      case 'alert_updated':
        if (BEGINNING.has(fact.reason)) add(fact.alertIds, `${fact.reason}:${name}`, false, fact.reason === 'flapping');
        else if (fact.reason === 'quiet_ended') add(fact.alertIds, `new:${name}`);
        else if (fact.reason === 'woken') add(fact.alertIds, `back:${name}`, true);
        break;
      case 'alert_unaccepted':
        add(fact.alertIds, `back:${name}`, true);
        break;
      case 'alerts_changed':
        if (fact.change === 'unaccepted' || fact.change === 'woken') add(fact.alertIds, `back:${name}`, true);
        break;
      default:
      // Nothing that leaves an alert to everybody.
    }
  }
  return starts;
}

/** A ladder that begins, if nothing of it is running by then. */
export type NewLadderRun = Pick<StoredLadderRun, 'alertId' | 'ruleId' | 'ruleName' | 'startKey' | 'ladder'> & {
  isBack: boolean;
  firstAfterMs: number;
  /** The group that the alert is one card with; null while it stands by itself. */
  groupId: string | null;
};

/** The ladders that begin by what happened: of alerts that nobody has now, by each rule with a ladder that matches. */
export async function makeRuns(
  deps: Pick<MakeDeps, 'database'>,
  plan: OutgoingPlan,
  starts: readonly LadderStart[],
): Promise<NewLadderRun[]> {
  const rules = plan.rules.filter(({ ladder }) => ladder !== null);
  if (rules.length === 0 || starts.length === 0) return [];
  const byAlert = Map.groupBy(starts, ({ alertId }) => alertId);
  const runs: NewLadderRun[] = [];
  for await (const { alert, matched } of readMatching(deps, rules, [...byAlert.keys()])) {
    if (alert.status !== 'pending' || alert.snoozedUntil !== null || alert.quietById !== null) continue;
    for (const { id: ruleId, name: ruleName, ladder, activeSince, matches } of rules) {
      if (!ladder || !matches(matched)) continue;
      const [firstAfter] = timetableOf(ladder);
      for (const start of byAlert.get(alert.id) ?? []) {
        const { key, at, isBack } = start;
        if (at < activeSince || !matches(asItWas(alert, matched, start))) continue;
        runs.push({
          alertId: alert.id,
          ruleId,
          ruleName,
          startKey: key,
          ladder: JSON.stringify(ladder),
          isBack,
          firstAfterMs: firstAfter?.afterMs ?? 0,
          groupId: alert.groupId,
        });
      }
    }
  }
  return runs;
}

/**
 * Begins ladders, in the transaction that moves the place in the feed. Of an alert and a rule one runs at a time: what happens
 * meanwhile begins no other. One that ended a moment ago goes on where it was when the alert is back, with what nobody was sent.
 */
export async function storeRuns(tx: Transaction, runs: readonly NewLadderRun[], now: number): Promise<void> {
  const stored = tx.getRepository(LadderRunEntity);
  for (const { isBack, firstAfterMs, groupId, ...run } of runs) {
    const { alertId, ruleId, startKey } = run;
    const others = await stored.find({ where: { alertId, ruleId }, order: { id: 'DESC' } });
    const running = others.find((one) => one.state === 'running');
    // Taken and given back before anybody wrote down that it was over.
    if (running && isBack) await bringBack(tx, running, now);
    if (running || others.some((one) => one.startKey === startKey)) continue;
    const [last] = others;
    // Of a group that is back, only alerts that had a ladder go on with it: the others notified nobody.
    if (isBack && !last && groupId !== null && (await hasLadder(tx, groupId, ruleId, now))) continue;
    const isResumed =
      isBack &&
      last?.endedAt !== null &&
      last !== undefined &&
      (last.endReason === 'accepted' || last.endReason === 'snoozed') &&
      now - last.endedAt < RESUMED_MS;
    if (isResumed) {
      await stored.update({ id: last.id }, { state: 'running', endedAt: null, endReason: null, endedBy: null });
      await bringBack(tx, last, now);
    } else {
      await stored.insert({
        ...run,
        id: newId(),
        state: 'running',
        position: 0,
        countedFrom: now,
        dueAt: now + firstAfterMs,
        startedAt: now,
        endedAt: null,
        endReason: null,
        endedBy: null,
      });
      await addRuleHits(tx, [{ alertId, ruleId }]);
    }
    announce(tx, { type: 'ladder_changed', alertId, ownerId: null });
  }
}

/** Whether an alert of a group has a ladder of this rule that runs, or ended a moment ago because the alert was taken. */
async function hasLadder(tx: Transaction, groupId: string, ruleId: string, now: number): Promise<boolean> {
  const found: unknown[] = await tx.query(
    `SELECT 1 FROM alerts a ${tx.dialect.byIndex('alerts_by_group')} JOIN ladder_runs r ON r.alert_id = a.id ` +
      "WHERE a.group_id = ? AND r.rule_id = ? AND (r.state = 'running' " +
      "OR (r.end_reason IN ('accepted', 'snoozed') AND r.ended_at > ?)) LIMIT 1",
    [groupId, ruleId, now - RESUMED_MS],
  );
  return found.length > 0;
}

/** Alerts whose ladders are looked up in one statement. */
const ALERTS_AT_ONCE = 200;

/** Deletes the ladders of alerts that are gone. */
export async function deleteRunsOf(tx: Transaction, alertIds: readonly string[]): Promise<void> {
  for (let at = 0; at < alertIds.length; at += ALERTS_AT_ONCE) {
    const some = alertIds.slice(at, at + ALERTS_AT_ONCE);
    const alerts = marksOf(some);
    const runs: { id: string }[] = await tx.query(`SELECT id FROM ladder_runs WHERE alert_id IN (${alerts})`, some);
    if (runs.length === 0) continue;
    // Messages are deleted with the alert that they show; the others that they speak of are not.
    const groups: { id: string }[] = await tx.query(
      `SELECT id FROM outgoing_messages WHERE alert_id IN (${alerts}) AND event_key LIKE '${GROUP_KEY}%' AND state = 'waiting'`,
      some,
    );
    await gatherAgain(
      tx,
      groups.map(({ id }) => id),
      Date.now(),
    );
    await tx.query(`DELETE FROM ladder_gathered WHERE alert_id IN (${alerts})`, some);
    const ids = runs.map(({ id }) => id);
    const places = marksOf(ids);
    await tx.query(`DELETE FROM ladder_steps WHERE run_id IN (${places})`, ids);
    await tx.query(`DELETE FROM ladder_runs WHERE id IN (${places})`, ids);
  }
}
