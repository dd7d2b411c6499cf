import { atom, useSetAtom } from 'jotai';
import { useCallback } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { Chosen } from '#renderer/alerts/bulk/run-bulk.ts';

/** Which alerts are to be given to somebody: what was chosen, and the loaded of them. */
export interface AssignRequest {
  chosen: Chosen;
  alerts: readonly Alert[];
  /** Whose they are, or `none`, as far as that is one answer: who has them already is not offered. */
  ifOwner: string | undefined;
  /** Called once somebody was chosen. */
  onChosen?: () => void;
}

/** The request that the dialog is open for. */
export const assignRequestAtom = atom<AssignRequest | undefined>(undefined);

/** Asks to whom one alert is to be given. */
export function useAssignOne(): (alert: Alert) => void {
  const ask = useSetAtom(assignRequestAtom);
  return useCallback(
    (alert) => ask({ chosen: { kind: 'ids', ids: [alert.id] }, alerts: [alert], ifOwner: alert.ownerId ?? 'none' }),
    [ask],
  );
}
