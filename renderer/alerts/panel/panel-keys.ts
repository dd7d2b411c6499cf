import { useQueryClient } from '@tanstack/react-query';
import { useSetAtom } from 'jotai';
import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { AlertAction } from '#renderer/alerts/actions/action.ts';
import { ACTIONS, keyLabel, ofKey } from '#renderer/alerts/actions/action-table.ts';
import { useActions } from '#renderer/alerts/actions/change-alert.ts';
import { alertStoreOf } from '#renderer/alerts/data/list-cache.ts';
import { keyNoticeAtom, unusedKeyText } from '#renderer/alerts/keys/unused-keys.ts';
import { isTyping, useSingleKeys } from '#renderer/lib/single-keys.ts';
import { ariaKey } from '#renderer/ui/key-cap.tsx';
import type { Steps } from './panel-steps.ts';
import * as actionTexts from '#renderer/alerts/actions/texts.ts';
import * as styles from './alert-panel.module.css';

interface PanelKeys {
  /** What holds the open alert. */
  panel: RefObject<HTMLElement | null>;
  id: string;
  /** Called before the alert is deleted. */
  onRemoved: () => void;
  /** Goes to the neighbors in the list, or back to it; undefined where there is no list. */
  list?: Omit<Steps, 'position'>;
}

/**
 * The keys of the open alert do what its buttons and its menu do. Beside its list J and K go through that and Escape goes back to
 * it, also from there and from where nothing has the focus. While a card has the focus, keys of actions with choices are the
 * list's, as is any key that is not the alert's.
 */
export function usePanelKeys({ panel, id, onRemoved, list }: PanelKeys): void {
  const store = alertStoreOf(useQueryClient());
  const actions = useActions();
  const setNotice = useSetAtom(keyNoticeAtom);
  const [areKeysOn] = useSingleKeys();
  const find = (selector: string) => panel.current?.querySelector<HTMLElement>(`.${styles.actions} ${selector}`);
  const actionOf = (event: KeyboardEvent): (() => void) | undefined => {
    const known = store.look(id);
    if (!known || known.isDeleted) return undefined;
    const { alert } = known;
    const isOffered = (one: AlertAction): boolean => actions.offers(one, alert);
    // One key has one action in the inbox and another in a queue.
    const action = ofKey(ACTIONS.filter(isOffered), event) ?? ofKey(ACTIONS, event);
    if (!action) return undefined;
    // With a selection, keys are about that.
    const isAboutMany = action.many !== undefined || action.group === 'Act';
    if (isAboutMany && document.querySelector('[data-selection-bar]')) return undefined;
    const button = find(`[aria-keyshortcuts="${ariaKey(keyLabel(action))}"]`);
    if (button) return () => button.click();
    if (isOffered(action) && (action.run ?? action.change)) {
      return () => {
        if (action.many === 'delete') onRemoved();
        actions.run(action, alert);
      };
    }
    // A card that has the focus shows what is to be chosen for its alert.
    if (list && event.target instanceof Element && event.target.closest('[role="feed"]')) return undefined;
    // What is to be chosen first is chosen in the menu.
    const menu = isOffered(action) ? find(`[aria-label="${actionTexts.moreActions}"]`) : undefined;
    return menu ? () => menu.click() : () => setNotice({ text: unusedKeyText(action) });
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    const { key, target, ctrlKey, metaKey, altKey, repeat } = event;
    if (event.defaultPrevented || ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
    const isInside = panel.current?.contains(target) === true;
    const isHere = isInside || !list || target === document.body || target.closest('[role="feed"]') !== null;
    // Escape also leaves a field with nothing in it.
    const isEmptyField = isInside && key === 'Escape' && 'value' in target && target.value === '';
    const isOwn = !isEmptyField && isTyping(event);
    if (!isHere || isOwn || document.querySelector('[role="dialog"], [role="menu"]')) return;
    const ofList = { j: list?.next, k: list?.previous, escape: list?.close }[key.toLowerCase()];
    if (!areKeysOn && key !== 'Escape') return;
    const act = ofList ?? (repeat ? undefined : actionOf(event));
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  // Before the list behind; without one after the keys of every page, as a list is.
  const isFirst = list !== undefined;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event);
    window.addEventListener('keydown', listen, { capture: isFirst });
    return () => window.removeEventListener('keydown', listen, { capture: isFirst });
  }, [isFirst]);
}
