import { useEffect, useMemo, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Alert } from '#backend/contract/alert.ts';
import { useWriteNote } from '#renderer/alerts/panel/open-alert.tsx';
import { useAsk } from '#renderer/ui/dialogs.tsx';
import type { ActionContext, AlertAction } from './action.ts';
import { ACTIONS } from './action-table.ts';
import { type AlertChange } from './alert-change.ts';
import { changeAlert, useChangeDeps } from './change-alert.ts';

/** What can be done with one alert from here. */
export interface Actions {
  context: ActionContext;
  /** Does it, where nothing is to be chosen before. */
  run: (action: AlertAction, alert: Alert) => void;
  change: (alert: Alert, change: AlertChange) => void;
  /** Whether it is on offer. */
  offers: (action: AlertAction, alert: Alert) => boolean;
}

/** The actions of the signed-in member. The same object on every render. */
export function useActions(): Actions {
  const deps = useChangeDeps();
  const ask = useAsk();
  const pages = { write: useWriteNote(), navigate: useNavigate() };
  // They depend on what is open, and cards are not drawn again for that.
  const latest = useRef(pages);
  useEffect(() => {
    latest.current = pages;
  });
  return useMemo(() => {
    const context: ActionContext = {
      ...deps,
      ask,
      writeNote: (alert) => latest.current.write(alert),
      go: (path) => void latest.current.navigate(path),
    };
    const change = (alert: Alert, wanted: AlertChange) => void changeAlert(context, alert, wanted);
    return {
      context,
      change,
      run: (action, alert) => {
        if (!action.isOffered(alert, context)) return;
        if (action.run) action.run(alert, context);
        else if (action.change) change(alert, action.change(alert, context.me));
      },
      offers: (action, alert) => action.isOffered(alert, context),
    };
  }, [deps, ask]);
}

/** What of all actions is on offer for an alert in a card's menu. */
export const menuActionsFor = (alert: Alert, { offers }: Actions): readonly AlertAction[] =>
  ACTIONS.filter((action) => action.inMenu !== false && offers(action, alert));
