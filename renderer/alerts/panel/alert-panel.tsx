import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useLocation, useNavigate } from 'react-router-dom';
import { isTyping, useSingleKeys } from '#renderer/lib/single-keys.ts';
import { alertToShowAtom, noteAskAtom } from '#renderer/alerts/data/list-state.ts';
import { ACTIONS, keyLabel, ofKey } from '#renderer/alerts/actions/action-table.ts';
import { ariaKey } from '#renderer/ui/key-cap.tsx';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { AlertView } from './alert-view.tsx';
import { panelPlaceAtom, panelSlotAtom } from './open-alert.tsx';
import { PanelBar } from './panel-bar.tsx';
import { type Steps, useSteps } from './panel-steps.ts';
import type { PanelProps } from '#renderer/alerts/list/list-fold.ts';
import classNames from 'classnames';
import * as texts from './texts.ts';
import * as styles from './alert-panel.module.css';

/** An alert beside the list that it was opened from; over the list where there is no space for both. */
export function AlertPanel(props: PanelProps) {
  const { id } = props;
  const slot = useAtomValue(panelSlotAtom);
  const place = useAtomValue(panelPlaceAtom);
  const steps = useSteps(props);
  const close = useClose(id);
  const panel = useRef<HTMLElement>(null);
  const ask = useSetAtom(noteAskAtom);
  usePanelKeys(panel, { ...steps, note: () => ask(id), close });
  if (!slot) return null;
  const leave = steps.next ?? steps.previous ?? close;
  return createPortal(
    <aside
      ref={panel}
      className={classNames(styles.alertPanel, styles[`alertPanel_${place}`])}
      aria-label={texts.alertDetails}
    >
      <HoverTip className={styles.tips}>
        <PanelBar id={id} steps={steps} onClose={close} />
        <AlertView key={id} id={id} onRemoved={leave} takesFocus />
      </HoverTip>
    </aside>,
    slot,
  );
}

/** Goes back to the list, where the alert's row takes the focus. */
function useClose(id: string): () => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const show = useSetAtom(alertToShowAtom);
  return () => {
    show({ id, path: pathname });
    void navigate(-1);
  };
}

/** The panel's button for which a key stands. */
function buttonOf(panel: HTMLElement | null, event: KeyboardEvent): HTMLElement | undefined {
  const action = ofKey(ACTIONS, event);
  if (!action) return undefined;
  const shortcut = ariaKey(keyLabel(action));
  return panel?.querySelector<HTMLElement>(`.${styles.actions} [aria-keyshortcuts="${shortcut}"]`) ?? undefined;
}

interface PanelKeys extends Steps {
  note: () => void;
  close: () => void;
}

/**
 * J and K go through the list with the panel open, C begins a note, Escape closes it, and the keys that its buttons show do
 * what these do: from the panel, from the list, and from where nothing has the focus.
 */
function usePanelKeys(panel: { current: HTMLElement | null }, keys: PanelKeys): void {
  const latest = useRef(keys);
  const [areKeysOn] = useSingleKeys();
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (event.defaultPrevented || ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
      const { next, previous, note, close } = latest.current;
      const isInside = panel.current?.contains(target) === true;
      const isHere = isInside || target === document.body || target.closest('[role="feed"]') !== null;
      // Escape also leaves a field with nothing in it.
      const isEmptyField = isInside && key === 'Escape' && 'value' in target && target.value === '';
      const isOwn = !isEmptyField && isTyping(event);
      if (!isHere || isOwn || document.querySelector('[role="dialog"], [role="menu"]')) return;
      // With a selection, keys are about that.
      const isSelecting = document.querySelector('[data-selection-bar]') !== null;
      const button = event.repeat || isSelecting ? undefined : buttonOf(panel.current, event);
      const action =
        { j: next, k: previous, c: note, escape: close }[key.toLowerCase()] ?? (button && (() => button.click()));
      if (!action || (!areKeysOn && key !== 'Escape')) return;
      event.preventDefault();
      event.stopPropagation();
      action();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [panel, areKeysOn]);
}
