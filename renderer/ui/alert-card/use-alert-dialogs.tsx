import { type ReactNode, Suspense, lazy, useCallback, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { cardFieldsOf } from './card-fields-of.ts';

const ExtraInformationDialog = lazy(async () => ({
  default: (await import(/* webpackPrefetch: true */ '#renderer/ui/extra-information/extra-information-dialog.tsx'))
    .ExtraInformationDialog,
}));
const HistoryDialog = lazy(async () => ({
  default: (await import(/* webpackPrefetch: true */ '#renderer/ui/history-dialog/history-dialog.tsx')).HistoryDialog,
}));

/**
 * The dialogs about one alert. They belong to the page, not to the card, so that they stay open for their reader when
 * the card leaves.
 */
export function useAlertDialogs(): {
  openExtra: (alert: Alert) => void;
  openHistory: (alert: Alert) => void;
  dialogs: ReactNode;
} {
  const [shown, setShown] = useState<{ dialog: 'extra' | 'history'; alert: Alert }>();
  // A closed dialog stays until it has faded out and given the focus back.
  const [isOpen, setOpen] = useState(false);
  const open = useCallback((dialog: 'extra' | 'history', alert: Alert) => {
    setShown({ dialog, alert });
    setOpen(true);
  }, []);
  const openExtra = useCallback((alert: Alert) => open('extra', alert), [open]);
  const openHistory = useCallback((alert: Alert) => open('history', alert), [open]);
  const dialog = { isOpen, onClose: () => setOpen(false), onClosed: () => setShown(undefined) };
  return {
    openExtra,
    openHistory,
    dialogs: (
      <Suspense>
        {shown?.dialog === 'extra' && <ExtraInformationDialog {...dialog} fields={cardFieldsOf(shown.alert).extra} />}
        {shown?.dialog === 'history' && <HistoryDialog {...dialog} alertId={shown.alert.id} />}
      </Suspense>
    ),
  };
}
