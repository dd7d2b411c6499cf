import { useMemo } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { useAsk } from '#renderer/ui/dialogs.tsx';

const loadExtra = async () => (await import('./extra-information-dialog.tsx')).ExtraInformationDialog;
const loadHistory = async () => (await import('./history-dialog.tsx')).HistoryDialog;

/** Opens the dialogs about one alert, which stay open for their reader when its card leaves. */
export function useAlertDialogs(): { openExtra: (alert: Alert) => void; openHistory: (alert: Alert) => void } {
  const ask = useAsk();
  return useMemo(
    () => ({
      openExtra: (alert) => ask(loadExtra, { alert }),
      openHistory: (alert) => ask(loadHistory, { alert }),
    }),
    [ask],
  );
}
