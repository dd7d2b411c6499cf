import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { Alert, AlertStatus, SnoozedUntil } from '#backend/contract/alert.ts';
import type { AlertsChanged } from '#backend/contract/live-event.ts';

/** The alert as the inbox has it: without owner and folder. */
export function asPending({ ownerId: _owner, ownerName: _name, folderId: _folder, ...alert }: Alert): Alert {
  return inStatus(asTouched(awake(alert)), 'pending');
}

/** The alert in a status; `completedAt` is when it was completed, where it is now. */
export function inStatus({ completedAt: before, ...alert }: Alert, status: AlertStatus, completedAt?: string): Alert {
  if (status !== 'completed') return { ...alert, status };
  const at = alert.status === 'completed' ? before : completedAt;
  return { ...alert, status, ...(at !== undefined && { completedAt: at }) };
}

/** The alert once somebody has changed something: who gave it to its owner, and for how long it was left, is over. */
export function asTouched({ assignment: _assignment, touchedAt: _touched, ...alert }: Alert): Alert {
  return alert;
}

/** The alert with its new owner, in the status that it had. One that the new owner has already worked on is left as it is. */
export function asAssigned(
  alert: Alert,
  {
    ownerId,
    ownerName,
    assignment,
  }: {
    ownerId: string;
    ownerName: string | null;
    assignment: Alert['assignment'];
  },
): Alert {
  if (alert.ownerId === ownerId) return alert;
  return {
    ...asTouched(inFolder(isEverybodys(alert) ? awake(alert) : alert, null)),
    status: isEverybodys(alert) ? 'accepted' : alert.status,
    ownerId,
    ownerName: ownerName ?? '',
    ...(assignment && { assignment }),
  };
}

/** The alert as it is in that folder, or in none. */
export function inFolder({ folderId: _folder, ...alert }: Alert, folderId: string | null): Alert {
  return folderId === null ? alert : { ...alert, folderId };
}

/** The alert as a batch left it. */
export function asChanged(alert: Alert, event: AlertsChanged): Alert {
  const { change: kind, ownerId, ownerName, status, completedAt, folderId, assignment, snoozedUntil, groupId } = event;
  if (kind === 'woken') return asTouched(awake(alert));
  if (kind === 'snoozed' && snoozedUntil !== undefined) return asTouched(snoozed(alert, snoozedUntil));
  if (kind === 'unaccepted') return asPending(alert);
  if (kind === 'assigned' && ownerId !== null) return asAssigned(alert, { ownerId, ownerName, assignment });
  const accepted = kind === 'accepted' && ownerId !== null ? asAccepted(alert, ownerId, ownerName ?? '') : alert;
  const given = accepted === alert || assignment === undefined ? accepted : { ...accepted, assignment };
  const changed = kind === 'updated' ? asTouched(given) : given;
  const now = status === undefined ? changed : inStatus(awake(changed), status, completedAt);
  const placed = folderId === undefined ? now : inFolder(now, folderId);
  return groupId === undefined ? placed : Object.assign({}, placed, { groupId: groupId ?? undefined });
}

/** The alert with its new owner. One that the owner has already worked on here is left as it is. */
export function asAccepted(alert: Alert, ownerId: string, ownerName: string): Alert {
  if (!isEverybodys(alert) && alert.ownerId === ownerId) return alert;
  const { folderId: _folder, ...outside } = awake(alert);
  return { ...inStatus(outside, 'accepted'), ownerId, ownerName };
}

/** The alert back in its lists; nobody has to know when it woke. */
export function awake({ snoozedUntil: _until, wokenAt: _woken, ...alert }: Alert): Alert {
  return alert;
}

/** The alert out of its lists. */
export const snoozed = (alert: Alert, until: SnoozedUntil): Alert => ({ ...awake(alert), snoozedUntil: until });
