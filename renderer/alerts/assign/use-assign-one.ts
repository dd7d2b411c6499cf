import { useCallback } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { useAsk } from '#renderer/ui/dialogs.tsx';

const loadDialog = async () => (await import('./assign-dialog.tsx')).AssignDialog;

/** Asks to whom one alert is to be given. */
export function useAssignOne(): (alert: Alert) => void {
  const ask = useAsk();
  return useCallback((alert) => ask(loadDialog, { alert }), [ask]);
}
