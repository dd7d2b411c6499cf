import { atom } from 'jotai';
import type { Alert } from '#backend/contract/alert.ts';

/**
 * Alerts that were deleted here but can still be brought back: the DELETE call is sent only when their toast has gone.
 * Lists leave them out whatever an answer or an event says meanwhile.
 */
export const pendingDeletionsAtom = atom<ReadonlyMap<string, Alert>>(new Map<string, Alert>());

/** Adds an alert to those, or takes it from them. Write-only. */
export const markDeletionAtom = atom(null, (get, set, alert: Alert, isPending: boolean) => {
  const next = new Map(get(pendingDeletionsAtom));
  if (isPending) next.set(alert.id, alert);
  else next.delete(alert.id);
  set(pendingDeletionsAtom, next);
});
