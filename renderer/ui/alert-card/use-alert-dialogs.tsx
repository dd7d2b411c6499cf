import { type ReactNode, useCallback, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { ExtraInformationDialog } from '#renderer/ui/extra-information/extra-information-dialog.tsx';
import { HistoryDialog } from '#renderer/ui/history-dialog/history-dialog.tsx';
import { cardFieldsOf } from './card-fields-of.ts';

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
      <>
        {shown?.dialog === 'extra' && <ExtraInformationDialog {...dialog} fields={cardFieldsOf(shown.alert).extra} />}
        {shown?.dialog === 'history' && <HistoryDialog {...dialog} alertId={shown.alert.id} />}
      </>
    ),
  };
}
