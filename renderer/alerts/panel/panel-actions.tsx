import { Button } from '@blueprintjs/core';
import type { Alert } from '#backend/contract/alert.ts';
import { ACCEPT, ACCEPT_AND_COMPLETE, ACCEPT_AND_START } from '#renderer/alerts/actions/accept.ts';
import { ActionButton, ActionMenuButton } from '#renderer/alerts/actions/action-button.tsx';
import type { AlertAction } from '#renderer/alerts/actions/action.ts';
import { ASSIGN } from '#renderer/alerts/actions/assign.ts';
import { MUTE } from '#renderer/alerts/actions/mute.ts';
import { SNOOZE } from '#renderer/alerts/actions/snooze.ts';
import { COMPLETE } from '#renderer/alerts/actions/status.ts';
import { useActions } from '#renderer/alerts/actions/change-alert.ts';
import { WAKE_NOW } from '#renderer/alerts/actions/wake.ts';
import { StatusSwitcher } from '#renderer/alerts/card/status-switcher.tsx';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { noteHeight } from '#renderer/lib/note-height.ts';
import { leaveFocusTo } from '#renderer/ui/keep-focus.ts';
import { HEADLINE_ID } from './alert-head.tsx';
import * as styles from './alert-panel.module.css';

/** What was pressed may be on offer no more. The next one is not to be pressed by the same key. */
const leaveFocus = leaveFocusTo(() => document.querySelector<HTMLElement>(`#${HEADLINE_ID}`));

/** On a phone they are at the foot of the screen, and toasts stand above them. */
const noteActions = (element: HTMLElement | null) => {
  if (!element) return undefined;
  const [forget, leave] = [noteHeight(element, '--ad-panel-actions'), leaveFocus(element)];
  return () => {
    leave?.();
    forget();
  };
};

/** What the reader can do with the open alert: accept it, or work on it when it is theirs. */
export function PanelActions({ alert, onRemoved }: { alert: Alert; onRemoved: () => void }) {
  const actions = useActions();
  const hints = useKeyHints();
  const offers = (action: AlertAction): boolean => actions.offers(action, alert);
  if (!offers(ASSIGN)) return null;
  const isPending = offers(ACCEPT);
  const labelled = (action: AlertAction, isPrimary = false) =>
    offers(action) && (
      <Button
        key={action.id}
        intent={isPrimary ? 'primary' : 'none'}
        text={action.label}
        endIcon={hints.cap(action, isPrimary)}
        {...hints.aria(action)}
        onClick={() => actions.run(action, alert)}
      />
    );
  const icon = (action: AlertAction) =>
    offers(action) && (
      <ActionButton
        key={action.id}
        action={action}
        alert={alert}
        actions={actions}
        labelId={HEADLINE_ID}
        iconSize={16}
      />
    );
  return (
    <div ref={noteActions} className={styles.actions}>
      {labelled(ACCEPT, true)}
      {offers(COMPLETE) && <StatusSwitcher alert={alert} labelId={HEADLINE_ID} actions={actions} />}
      {labelled(WAKE_NOW)}
      {labelled(ASSIGN)}
      <span className={styles.actionsSpace} />
      {isPending && icon(ACCEPT_AND_START)}
      {isPending && icon(ACCEPT_AND_COMPLETE)}
      {isPending && icon(MUTE)}
      {icon(SNOOZE)}
      <ActionMenuButton alert={alert} actions={actions} labelId={HEADLINE_ID} onRemove={onRemoved} />
    </div>
  );
}
