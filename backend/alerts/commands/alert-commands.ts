import { canSee, presentAlert, publishedAlert, type StoredAlert } from '#backend/alerts/alert/alert.ts';
import { COMPLETED_UNTAKEN, isCompletedUntaken } from '#backend/contract/alert-place.ts';
import { lockAlert } from '#backend/alerts/alert/alert-store.ts';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import {
  type ProblemError,
  changedMeanwhile,
  conflict,
  notAllowed,
  notFound,
} from '#backend/platform/endpoint/errors.ts';
import type { JsonText } from '#backend/platform/endpoint/json-text.ts';
import type { Change } from '#backend/platform/live/event-bus.ts';
import {
  type Judged,
  type RequestedChange,
  announceApplied,
  completedIn,
  applyCommand,
  isChanged,
  isPreparedByReading,
  prepareCommand,
  ruleOf,
} from './apply-command.ts';
import type { Caller } from './assignment.ts';
import { type Command, type Refusal, hasOtherOwner } from './command.ts';

/** Dependencies of commands on alerts. */
export interface CommandDeps {
  database: Database;
}

/**
 * Changes one alert, by the same rules as many. What it is already stays as it is.
 *
 * @param ifVersion the version that the change was decided on
 * @param hold keeps what stands behind the change until it is committed, where that is no session and no API token
 * @returns the alert as it is afterwards; of a deleted one, as it was, without its owner's name
 * @throws {ProblemError} 404 when there is no such alert, or none that the member may know of; 403 when it is not theirs to
 * change in this way; 409 when it is in a state or with an owner that does not allow it, or, with itself, in another version;
 * 404 and 422 as `prepareCommand`.
 */
export async function changeOneAlert(
  deps: CommandDeps,
  caller: Caller,
  id: string,
  requested: RequestedChange,
  ifVersion?: number,
  hold?: (tx: Transaction) => Promise<void>,
): Promise<JsonText> {
  const { actor } = caller;
  const names = new Map([[actor.id, actor.displayName]]);
  const nameOf = async (tx: Transaction, ownerId: string | null) => names.get(ownerId ?? '') ?? findName(tx, ownerId);
  const isBegunByRead = !hold && !isPreparedByReading(requested);
  const change = async (tx: Transaction) => {
    const prepared = await prepareCommand(tx, actor, requested, false);
    if (prepared.action === 'assign') names.set(prepared.assignee.id, prepared.assignee.displayName);
    await hold?.(tx);
    const found = await lockAlert(tx, id, hold ? undefined : actor);
    if (!found) throw gone();
    const isSeen = canSee(actor, found);
    if (ifVersion !== undefined && ifVersion !== found.version && isSeen) {
      throw changedMeanwhile('alert', presentAlert(found, await nameOf(tx, found.ownerId)));
    }
    const done = await applyCommand(tx, caller, prepared, [found]);
    const [judged] = done.judged;
    if (!judged) throw gone();
    // The answer is the alert: who may not see it receives none, also where nothing is to be changed.
    const refusal = judged.decision === 'unchanged' && !isSeen ? 'taken' : judged.decision;
    if (typeof refusal === 'string' && refusal !== 'unchanged')
      throw await errorOf(tx, prepared, refusal, found, isSeen);
    const isRemoved = typeof judged.decision === 'object' && judged.decision.set === 'remove';
    const name = isRemoved ? null : await nameOf(tx, judged.after.ownerId);
    if (isChanged(judged)) announceApplied(tx, done, changesOf(prepared, judged, name));
    return { one: judged, ownerName: name };
  };
  const { one, ownerName } = await deps.database.transaction(change, { isBegunByRead });
  return presentAlert(one.after, ownerName);
}

/**
 * Changes one alert on behalf of the source that it came from, by the same rules as a member's: it is nobody's owner, and sees
 * nothing else. The caller's transaction holds the secret that stands behind it.
 *
 * @returns the alert as it is afterwards, and why where it stays as it is; undefined when there is none of this source
 * @throws {ProblemError} 422 as `prepareCommand`
 */
export async function changeAsSource(
  tx: Transaction,
  caller: Caller,
  id: string,
  requested: RequestedChange,
): Promise<{ after: StoredAlert; outcome: 'changed' | 'unchanged' | Refusal; message?: string } | undefined> {
  const prepared = await prepareCommand(tx, caller.actor, requested, false);
  const before = await lockAlert(tx, id);
  if (before?.sourceId !== caller.actor.id) return undefined;
  const done = await applyCommand(tx, caller, prepared, [before]);
  const [judged] = done.judged;
  if (!judged) return undefined;
  if (typeof judged.decision === 'string') {
    const { decision: outcome } = judged;
    if (outcome === 'unchanged') return { after: before, outcome };
    return { after: before, outcome, message: (await errorOf(tx, prepared, outcome, before, true)).message };
  }
  const isRemoved = judged.decision.set === 'remove';
  const ownerName = isRemoved ? null : await findName(tx, judged.after.ownerId);
  announceApplied(tx, done, changesOf(prepared, judged, ownerName));
  return { after: judged.after, outcome: 'changed' };
}

/**
 * Completes an alert because of what happened elsewhere, whoever has it.
 *
 * @param name what happened, as histories and messages name who did it
 * @returns whether it was open
 */
export async function completeFromElsewhere(tx: Transaction, id: string, name: string): Promise<boolean> {
  const before = await lockAlert(tx, id);
  if (!before) return false;
  const actor = { id: '', email: name, displayName: name, role: 'user', sessionId: '', provedAt: 0 } as const;
  const done = await applyCommand(tx, { actor, ip: '' }, { action: 'complete' }, [before]);
  const [judged] = done.judged;
  if (!judged || !isChanged(judged)) return false;
  const alert = publishedAlert(judged.after, await findName(tx, judged.after.ownerId));
  announceApplied(tx, done, [{ type: 'alert_updated', alert, byName: name }]);
  return true;
}

/** What is announced of one alert: with itself where that is more than who has it now. */
function changesOf({ action }: Command, { after, decision }: Judged<StoredAlert>, ownerName: string | null): Change[] {
  if (typeof decision === 'string') return [];
  const { id, version } = after;
  const { event } = decision;
  if (event.change === 'deleted') return [{ type: 'alert_deleted', alertId: id }];
  if (event.change === 'unaccepted') return [{ type: 'alert_unaccepted', alert: publishedAlert(after, null) }];
  // That it is awake is for whoever sends it elsewhere to know; the alert does not say it.
  if (action === 'assign' || action === 'wake' || (event.change === 'accepted' && event.status !== undefined)) {
    return [{ type: 'alerts_changed', ...event, ...completedIn(event, after), alertIds: [id], versions: [version] }];
  }
  if (event.change === 'accepted') {
    return [
      { type: 'alert_accepted', alertId: id, ownerId: event.ownerId ?? '', ownerName: event.ownerName ?? '', version },
    ];
  }
  return [{ type: 'alert_updated', alert: publishedAlert(after, ownerName) }];
}

const gone = () => notFound('This alert no longer exists.');

/** Why one alert stays as it is, as an error for who asked. */
async function errorOf(
  tx: Transaction,
  command: Command,
  refusal: Refusal,
  alert: StoredAlert,
  isSeen: boolean,
): Promise<ProblemError> {
  const rule = ruleOf(command);
  if (refusal === 'gone') return gone();
  // Everybody saw it in the inbox, and receives what became of it.
  if (isCompletedUntaken(alert) && (!isSeen || refusal === 'completed')) {
    return conflict(isSeen ? (rule.errors.completed ?? COMPLETED_UNTAKEN) : COMPLETED_UNTAKEN);
  }
  if (!isSeen && !rule.isOpenlyTaken) return gone();
  // To somebody who may change it, its new owner is the reason, not a missing permission.
  const isTakenSince =
    refusal === 'taken' && alert.ownerId !== null && 'ifOwner' in command && hasOtherOwner(alert, command.ifOwner);
  const message = isTakenSince ? undefined : rule.errors[refusal];
  if (message === undefined) {
    return conflict(`Already accepted by ${(await findName(tx, alert.ownerId)) ?? 'someone else'}.`);
  }
  return refusal === 'taken' || refusal === 'not_allowed' ? notAllowed(message) : conflict(message);
}

async function findName(tx: Transaction, ownerId: string | null): Promise<string | null> {
  if (ownerId === null) return null;
  return (await findDisplayNames(tx, [ownerId])).get(ownerId) ?? null;
}
