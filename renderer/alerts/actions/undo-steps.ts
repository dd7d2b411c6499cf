import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { Alert, SnoozedUntil } from '#backend/contract/alert.ts';
import type { AlertChange, AlertStanding, ChangeRequest } from './alert-change.ts';
import {
  type Person,
  UNACCEPT,
  WAKE,
  acceptChange,
  assignChange,
  moveChange,
  snoozeChange,
  statusChange,
  unacceptOf,
} from './changes.ts';

/** One step of taking a change back. */
export interface UndoStep {
  change: AlertChange;
  ids: string[];
}

/** How an alert stood, with when it was completed where that is known here. */
type Standing = AlertStanding & Pick<Alert, 'completedAt'>;

/** Whose an alert is comes first: what follows is for its owner to do. */
const STAGES: readonly ChangeRequest['action'][] = [
  'unaccept',
  'accept',
  'assign',
  'status',
  'move',
  'wake',
  'snooze',
  'delete',
];

/**
 * What takes a change back, in order: each alert becomes what it was before.
 *
 * @param before how the alerts stood
 * @param me who made the change, and takes it back
 */
export function undoSteps(change: AlertChange, before: readonly Standing[], me: Person): UndoStep[] {
  const steps = new Map<string, UndoStep>();
  for (const was of before) {
    for (const back of changesBack(change, was, me)) {
      const key = JSON.stringify(back.request);
      const known = steps.get(key);
      if (known) known.ids.push(was.id);
      else steps.set(key, { change: back, ids: [was.id] });
    }
  }
  return [...steps.values()].sort((one, other) => stageOf(one) - stageOf(other));
}

const stageOf = ({ change }: UndoStep): number => STAGES.indexOf(change.request.action);

/** What makes of one alert what it was before a change. */
function changesBack(change: AlertChange, was: Standing, me: Person): AlertChange[] {
  const back: AlertChange[] = [];
  // A change reads no more of an alert than how it stands.
  let now = change.apply(was as Alert);
  const step = (next: AlertChange): void => {
    back.push(next);
    now = next.apply(now);
  };
  const { ownerId, status, folderId, snoozedUntil } = was;
  const wasReturned = isEverybodys(now);
  if (isEverybodys(was)) {
    if (!isEverybodys(now)) step(now.ownerId === undefined ? UNACCEPT : unacceptOf(now.ownerId));
  } else {
    if (wasReturned && (ownerId ?? me.id) === me.id) step(acceptChange(me));
    else if (ownerId !== undefined && ownerId !== now.ownerId)
      step(assignChange({ id: ownerId, displayName: '' }, now.ownerId ?? 'none'));
    if (status !== 'pending' && status !== now.status)
      step(statusChange(status, status === 'completed' && !wasReturned ? was : undefined));
    // Only their owner knows the folders.
    if (folderId !== now.folderId && (ownerId ?? me.id) === me.id)
      step(moveChange(folderId === undefined ? null : { id: folderId, name: '' }, me));
  }
  if (snoozedUntil !== now.snoozedUntil) {
    if (snoozedUntil === undefined) step(WAKE);
    else if (!isOver(snoozedUntil)) step(snoozeChange({ until: snoozedUntil }));
  }
  return back;
}

const isOver = (until: SnoozedUntil): boolean => until !== 'next-firing' && Date.parse(until) <= Date.now();
