import { type ReactNode, Suspense, useCallback, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';

const ExtraInformationDialog = lazyWithRetry(
  async () => (await import('./extra-information-dialog.tsx')).ExtraInformationDialog,
  'report',
);
const HistoryDialog = lazyWithRetry(async () => (await import('./history-dialog.tsx')).HistoryDialog, 'report');

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
  const dialog = {
    isOpen,
    onClose: () => setOpen(false),
    onClosed: () => {
      setShown(undefined);
      focusSomeCard();
    },
  };
  return {
    openExtra,
    openHistory,
    dialogs: (
      <Suspense>
        {shown?.dialog === 'extra' && <ExtraInformationDialog {...dialog} alert={shown.alert} />}
        {shown?.dialog === 'history' && <HistoryDialog {...dialog} alert={shown.alert} />}
      </Suspense>
    ),
  };
}

/** When the card that the dialog was opened from has left meanwhile, the focus goes to the one that is in the tab order. */
function focusSomeCard(): void {
  const main = document.querySelector('main');
  if (!main || (main !== document.activeElement && main.contains(document.activeElement))) return;
  (main.querySelector<HTMLElement>('[data-alert-id][tabindex="0"]') ?? main).focus();
}
