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
  const [open, setOpen] = useState<{ dialog: 'extra' | 'history'; alert: Alert }>();
  const openExtra = useCallback((alert: Alert) => setOpen({ dialog: 'extra', alert }), []);
  const openHistory = useCallback((alert: Alert) => setOpen({ dialog: 'history', alert }), []);
  const close = useCallback(() => setOpen(undefined), []);
  return {
    openExtra,
    openHistory,
    dialogs: (
      <>
        {open?.dialog === 'extra' && <ExtraInformationDialog fields={cardFieldsOf(open.alert).extra} onClose={close} />}
        {open?.dialog === 'history' && <HistoryDialog alertId={open.alert.id} onClose={close} />}
      </>
    ),
  };
}
