import { useAtom } from 'jotai';
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import type { Alert } from '#backend/contract/alert.ts';
import { wantedAlertAtom } from '#renderer/lib/notifications/wanted-alert.ts';

/** Brings the alert that somebody asked for into view and gives it the focus, as soon as this list has it. */
export function useWantedAlert(rows: readonly Alert[], isReady: boolean, move: (index: number) => void): void {
  const [wanted, setWanted] = useAtom(wantedAlertAtom);
  const { pathname } = useLocation();
  useEffect(() => {
    const isHere = isReady && wanted?.path === pathname;
    const index = isHere ? rows.findIndex(({ id }) => id === wanted.id) : -1;
    if (index === -1) return;
    setWanted(undefined);
    move(index);
  }, [wanted, rows, isReady, pathname, move, setWanted]);
}
