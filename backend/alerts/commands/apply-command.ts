import { In } from 'typeorm';
import { type AlertChange, changeAlerts, findFolderNames, removeAlerts } from '#backend/alerts/alert/alert-store.ts';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { takePlaces } from '#backend/alerts/groups/take-places.ts';
import { lockFolder } from '#backend/alerts/alert/folder.ts';
import type { BulkChange } from '#backend/contract/bulk.ts';
import type { AlertsChanged } from '#backend/contract/live-event.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { notFound } from '#backend/platform/endpoint/errors.ts';
import { type Change, type GivenNotice, announce } from '#backend/platform/live/event-bus.ts';
import { type Caller, reportAssignment, requireAssignee } from './assignment.ts';
import {
  type Changes,
  type Command,
  type CommandRule,
  DECIDED_COLUMNS,
  type DecidedAlert,
  type Deciding,
  type Decision,
  type Refusal,
} from './command.ts';
import { accept } from './rules/accept.ts';
import { assign } from './rules/assign.ts';
import { complete } from './rules/complete.ts';
import { regroup, ungroup } from './rules/group.ts';
import { move } from './rules/move.ts';
import { remove } from './rules/remove.ts';
import { snooze, wake } from './rules/snooze.ts';
import { status } from './rules/status.ts';
import { unaccept } from './rules/unaccept.ts';
import { snoozeEndOf } from './snooze-end.ts';

/** The rule of each command. */
const RULES: { [Action in Command['action']]: CommandRule<Action> } = {
  accept,
  unaccept,
  status,
  move,
  snooze,
  wake,
  assign,
  ungroup,
  regroup,
  complete,
  delete: remove,
};

/** The rule of a command, for any of them: its own command is all that it is asked about. */
export const ruleOf = ({ action }: Command) => RULES[action] as CommandRule<Command['action']>;

/** What a command does to a locked alert. */
export const decide = (alert: DecidedAlert, command: Command, by: Deciding): Decision =>
  ruleOf(command).decide(alert, command as never, by);

/** A change as a request asks for it. */
export type RequestedChange = BulkChange extends infer Asked
  ? Asked extends BulkChange
    ? Omit<Asked, 'ids' | 'filter' | 'expectedCount' | 'expectsMore' | 'upTo' | 'before'>
    : never
  : never;

/**
 * Makes a command of what a request asks for. What it names is locked before the alerts are, in the order in which a folder's
 * deletion locks them; a group after them, as batches that store alerts do (`applyCommand`).
 *
 * @param isForPending whether a move takes alerts of the inbox, too
 * @throws {ProblemError} 404 when the folder is not the member's, 422 when alerts cannot be given to the member, or not be
 * snoozed for so long.
 */
export async function prepareCommand(
  tx: Transaction,
  actor: Actor,
  requested: RequestedChange,
  isForPending: boolean,
): Promise<Command> {
  switch (requested.action) {
    case 'move': {
      const { folderId } = requested;
      const folder = folderId === null ? null : await lockFolder(tx, actor.id, folderId);
      if (folderId !== null && !folder) throw notFound('This folder no longer exists.');
      return { action: 'move', folder, isForPending };
    }
    case 'assign': {
      const { userId, ifOwner } = requested;
      return { action: 'assign', assignee: await requireAssignee(tx, userId), note: null, ifOwner };
    }
    case 'snooze':
      return { action: 'snooze', end: snoozeEndOf(requested) };
    case 'accept':
      return { action: 'accept', status: requested.status };
    case 'regroup':
      return { action: 'regroup', groupId: requested.groupId };
    case 'unaccept':
      return { action: 'unaccept', ifOwner: requested.ifOwner };
    case 'wake':
    case 'ungroup':
      return { action: requested.action };
    default:
      return requested;
  }
}

/** Whether `prepareCommand` reads what a request names. */
export const isPreparedByReading = ({ action }: RequestedChange): boolean => action === 'move' || action === 'assign';

/** The alerts with these ids that there are, locked, with what is read to decide on them. */
export const lockDecided = (tx: Transaction, ids: readonly string[]): Promise<DecidedAlert[]> =>
  ids.length === 0 ? Promise.resolve([]) : tx.lockRows(AlertEntity, { id: In([...ids]) }, DECIDED_COLUMNS);

/** An alert and what was decided on it; `after` is it as the change leaves it. */
export interface Judged<A extends DecidedAlert = DecidedAlert> {
  before: A;
  decision: Decision;
  after: A;
}

/** What a command did, and what is announced of it. */
export interface Applied<A extends DecidedAlert = DecidedAlert> {
  judged: Judged<A>[];
  events: AlertsChanged[];
  notices: GivenNotice[];
}

export const isChanged = <A extends DecidedAlert>(judged: Judged<A>): judged is Judged<A> & { decision: Changes } =>
  typeof judged.decision === 'object';

/**
 * Decides on locked alerts and changes those that are to be changed: rows, history, counters. Nothing else changes an alert
 * for a member.
 *
 * @param onlyIf keeps an alert as it is before the command's own rule is asked; undefined where it does not
 * @throws {ProblemError} as `takePlaces` where alerts are put into a group
 */
export async function applyCommand<A extends DecidedAlert>(
  tx: Transaction,
  caller: Caller,
  command: Command,
  locked: readonly A[],
  onlyIf: (alert: A) => 'unchanged' | Refusal | undefined = () => undefined,
): Promise<Applied<A>> {
  const { actor } = caller;
  const folders = NAMING_FOLDERS.has(command.action) ? await findFolderNames(tx, locked) : undefined;
  const judged = locked.map((before): Judged<A> => {
    const folderName = folders?.get(before.folderId ?? '') ?? null;
    return { before, after: before, decision: onlyIf(before) ?? decide(before, command, { actor, folderName }) };
  });
  const changed = judged.filter(isChanged);
  if (command.action === 'regroup') await takePlaces(tx, command.groupId, changed.length);
  const events: AlertsChanged[] = [];
  for (const group of Map.groupBy(changed, ({ decision: { set, event } }) => JSON.stringify([set, event])).values()) {
    const [first] = group;
    if (!first) continue;
    const { set, event } = first.decision;
    const alerts = group.map(({ before }) => before);
    const entriesOf = entriesBy(group, actor);
    if (set === 'remove') await removeAlerts(tx, alerts, entriesOf);
    else keep(group, await changeAlerts(tx, alerts, set, entriesOf));
    events.push({
      type: 'alerts_changed',
      ...event,
      ...completedIn(event, first.after),
      alertIds: alerts.map(({ id }) => id),
      ...(set !== 'remove' && { versions: group.map(({ after }) => after.version) }),
    });
  }
  const alertsBefore = changed.map(({ before }) => before);
  const notices = command.action === 'assign' ? await reportAssignment(tx, caller, command, alertsBefore) : [];
  return { judged, events, notices };
}

/** When alerts were completed, where a change did that. */
export const completedIn = (
  event: Pick<AlertsChanged, 'status'>,
  after: DecidedAlert & { completedAt?: number | null },
): Pick<AlertsChanged, 'completedAt'> =>
  event.status === 'completed' && typeof after.completedAt === 'number'
    ? { completedAt: new Date(after.completedAt).toISOString() }
    : {};

/** Commands whose history names the folder that an alert leaves. */
const NAMING_FOLDERS: ReadonlySet<Command['action']> = new Set(['unaccept', 'move', 'assign']);

function entriesBy(group: readonly (Judged & { decision: Changes })[], { displayName }: Actor) {
  const byId = new Map(group.map(({ before, decision }) => [before.id, decision.entries]));
  return ({ id }: Pick<DecidedAlert, 'id'>) =>
    (byId.get(id) ?? []).map((entry) => Object.assign({ alertId: id, userDisplayName: displayName }, entry));
}

/** Notes what alerts have become. */
function keep<A extends DecidedAlert>(group: Judged<A>[], set: AlertChange): void {
  for (const one of group) one.after = { ...one.before, ...set, version: one.before.version + 1 };
}

/** Announces what a command did, in its transaction. @param changes what of it is announced in the place of its events */
export const announceApplied = (
  tx: Transaction,
  { events, notices }: Applied,
  changes: readonly Change[] = events,
): void => announce(tx, ...changes, ...notices.map((notice) => ({ type: 'alerts_given', notice }) as const));
