import { useCallback } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { useAsk } from '#renderer/ui/dialogs.tsx';

const loadDialog = async () => (await import('./mute-dialog.tsx')).MuteDialog;

/** Asks what of an alert to mute and for how long; nothing where nothing can be muted. */
export function useAskToMute(): (alert: Alert) => void {
  const ask = useAsk();
  return useCallback(
    (alert) => {
      if (hasMutable(alert)) ask(loadDialog, { alert });
    },
    [ask],
  );
}

/** Whether an alert has anything that can be muted. */
export const hasMutable = ({ alertType, customer, sourceId }: Alert): boolean =>
  alertType !== null || customer !== null || sourceId !== undefined;
