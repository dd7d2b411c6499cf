import { In } from 'typeorm';
import type { LadderPerson } from '#backend/contract/ladder.ts';
import { type PresentableAlert, ALERT_PLACE, AlertEntity } from '#backend/alerts/alert/alert.ts';
import { findAlert } from '#backend/alerts/alert/alert-store.ts';
import { notifyMembers } from '#backend/alerts/notices/notice.ts';
import {
  DestinationEntity,
  type StoredDestination,
  mayHear,
  readSettings,
} from '#backend/outgoing/destinations/destination-entity.ts';
import { KINDS } from '#backend/outgoing/destinations/kinds/all-kinds.ts';
import { contentOf } from '#backend/outgoing/destinations/message-content.ts';
import { type NewMessage, newMessage } from '#backend/outgoing/messages/message-entity.ts';
import { storeMessages } from '#backend/outgoing/messages/store-messages.ts';
import { type ResolveDeps, type ResolvedStep, createResolver } from '#backend/outgoing/people/resolve-recipients.ts';
import { OutgoingRuleEntity } from '#backend/outgoing/rules/rule-entity.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { inSizes } from '#backend/platform/database/dialect.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { endOf, endRun, endTaken, messageKeyOf } from './end-ladder.ts';
import { gatherCalls } from './gather-calls.ts';
import {
  LadderRunEntity,
  LadderStepEntity,
  type StoredLadderRun,
  type TakenStep,
  ladderOfRun,
} from './ladder-entities.ts';
import { type Position, timetableOf } from './timetable.ts';

/** Dependencies of taking a step. */
export interface StepDeps extends ResolveDeps {
  /** Its transactions hold the lease. */
  database: Database;
  publicUrl: URL | undefined;
  /** How long what comes for the same people is gathered, in milliseconds. */
  gatherMs: number;
}

/**
 * Takes the next step of a ladder: once, however often and by whichever server it is asked for. Whom it notifies is read first;
 * one transaction then locks the ladder and its alert, finds nobody has taken the alert, and stores the step, its notices, its
 * messages and the time of the next. An accept that was committed before is seen here; a later one waits for this.
 *
 * @param isUnreadFault a calendar that cannot be read names nobody, and the step is taken
 * @throws {SlowCalendarError} when a calendar cannot be read and that is no fault yet
 */
export async function takeStep(deps: StepDeps, runId: string, now: number, isUnreadFault: boolean): Promise<void> {
  const { database } = deps;
  const run = await database.reads.getRepository(LadderRunEntity).findOneBy({ id: runId });
  const alert = run ? await findAlert(database.reads, run.alertId) : null;
  if (!run || run.state !== 'running') return;
  if (!alert) {
    await database.transaction((tx) => forgetRun(tx, runId));
    return;
  }
  const { steps, repeat, isUrgent } = ladderOfRun(run);
  const timetable = timetableOf({ steps, repeat });
  const due = timetable[run.position];
  if (!due) return;
  const resolved = await createResolver(deps, { alert, isUrgent, isUnreadFault }).resolve(
    due.step?.recipients ?? null,
    now,
    due.step?.by,
  );
  await database.transaction(async (tx) => {
    const [locked] = await tx.lockRows(LadderRunEntity, { id: runId });
    if (locked?.state !== 'running' || locked.position !== run.position || locked.dueAt > now) return;
    const [place] = await tx.lockRows(AlertEntity, { id: run.alertId }, ALERT_PLACE);
    if (!place) return forgetRun(tx, runId);
    const reason = endOf(place);
    if (reason !== undefined) return endTaken(tx, locked, place, reason, now);
    const { ownerId } = place;
    const isOn = await tx.getRepository(OutgoingRuleEntity).existsBy({ id: run.ruleId, isOn: true });
    if (!isOn) return endRun(tx, locked, { reason: 'rule', by: null, at: now, ownerId });
    await notify(tx, { deps, alert, run, due, resolved, isUrgent, now });
    const following = timetable[due.position + 1];
    if (!following) return endRun(tx, locked, { reason: 'not-taken', by: null, at: now, ownerId });
    await tx
      .getRepository(LadderRunEntity)
      .update({ id: runId }, { position: following.position, dueAt: locked.countedFrom + following.afterMs });
    announce(tx, { type: 'ladder_changed', alertId: run.alertId, ownerId });
  });
}

async function forgetRun(tx: Transaction, id: string): Promise<void> {
  await tx.getRepository(LadderStepEntity).delete({ runId: id });
  await tx.getRepository(LadderRunEntity).delete({ id });
}

interface Notifying {
  deps: StepDeps;
  alert: PresentableAlert & { payload: string };
  run: StoredLadderRun;
  due: Position;
  resolved: ResolvedStep;
  isUrgent: boolean;
  now: number;
}

/** Stores that the step was taken, and what it sends. */
async function notify(tx: Transaction, { deps, alert, run, due, resolved, isUrgent, now }: Notifying): Promise<void> {
  const { to, people, faults, destinationIds } = resolved;
  const taken: TakenStep = { to, people, faults };
  await tx
    .getRepository(LadderStepEntity)
    .insert({ runId: run.id, position: due.position, firedAt: now, taken: JSON.stringify(taken) });
  const isEnd = due.step === null;
  const found: StoredDestination[] = [];
  for (const some of inSizes(destinationIds)) {
    found.push(...(await tx.getRepository(DestinationEntity).findBy({ id: In(some) })));
  }
  const destinations = found.filter((destination) => mayHear(readSettings(destination), alert.customer));
  const noticed = people.filter((person) => hasNotice(person) && !resolved.withoutNotice.has(person.id));
  const later = await gatherCalls(
    tx,
    { run, position: due.position, now, isUrgent, isEnd },
    [
      ...noticed.map(({ id }) => ({ id, kind: 'member' as const })),
      ...destinations.filter(isGathered).map(({ id }) => ({ id, kind: 'destination' as const })),
    ],
    deps.gatherMs,
  );
  await notifyMembers(
    tx,
    noticed
      .filter(({ id }) => !later.has(id))
      .map(({ id: userId }) => ({
        userId,
        notice: {
          id: newId(),
          kind: 'called',
          ...(isUrgent && { isUrgent: true }),
          alertId: run.alertId,
          alertTitle: alert.title ?? alert.alertType,
          byName: run.ruleName,
          text: isEnd ? 'Every step was taken.' : '',
        },
      })),
  );
  const messages: NewMessage[] = [];
  const event = { event: 'new', at: now, by: null } as const;
  const content = JSON.stringify(contentOf({ ...alert, ownerName: null, acceptedAt: null }, event, deps.publicUrl));
  for (const destination of destinations) {
    if (later.has(destination.id)) continue;
    const { isForPeople } = KINDS[destination.kind];
    const key = messageKeyOf(run.id, due.position);
    messages.push(newMessage(alert.id, { id: destination.id, isForPeople }, { event: 'new', key }, content));
  }
  if (messages.length === 0) return;
  await storeMessages(tx, messages);
  announce(tx, { type: 'outgoing_changed' });
}

/** People read it, in a chat or by a channel of their own. A program counts: it is sent everything. */
const isGathered = ({ kind, ownerId }: StoredDestination): boolean => KINDS[kind].isForPeople || ownerId !== null;

/** Who muted it or chose "Nothing" gets no notice; in quiet hours and pauses it is kept for later, and makes no sound. */
const hasNotice = ({ without }: LadderPerson): boolean => without !== 'unwanted';
