import { useSetAtom } from 'jotai';
import { type RefCallback, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { BulkBarHandle } from '#renderer/alerts/bulk/bulk-bar.tsx';
import type { ListSelection } from '#renderer/alerts/bulk/list-selection.ts';
import { isTyping, useSingleKeys } from '#renderer/lib/single-keys.ts';
import type { AlertAction, ListKind } from '#renderer/alerts/actions/action.ts';
import { ACTIONS, LIST_KEYS, type ListKey, actionsOf, ofKey } from '#renderer/alerts/actions/action-table.ts';
import type { Actions } from '#renderer/alerts/actions/change-alert.ts';
import { keyNoticeAtom, unusedKeyText } from './unused-keys.ts';
import { type ListSubject, offerCommands } from './list-commands.ts';

/** What keys do with a list's cursor: the card in the tab order. */
export interface ListCursor {
  step: (direction: 1 | -1) => void;
  /** Gives the cursor the focus, so that the person sees which alert a key is about. False when it has it already. */
  show: () => boolean;
  /** The alert that has the focus, unless it is on its way out, or has only just come under it. */
  target: () => Alert | undefined;
}

interface ListKeysOptions {
  cursor: RefObject<ListCursor | null>;
  selection: ListSelection;
  kind: ListKind;
  offers: Actions['offers'];
  /** Does something with one alert, or shows its choices. */
  act: (action: AlertAction, alert: Alert) => void;
}

/**
 * The keys of a list, whatever has the focus: they act on the selection, else on the focused card. When no card has the
 * focus, the first key shows which one it would be about, and does nothing else.
 *
 * @returns takes the bar of the selection. A key that comes before it, or while everything is being selected, is kept for
 * it: the bar is fetched with the first selection, and people type faster.
 */
export function useListKeys(options: ListKeysOptions): RefCallback<BulkBarHandle> {
  const { cursor, selection, kind, offers } = options;
  const [areOn] = useSingleKeys();
  const setNotice = useSetAtom(keyNoticeAtom);
  /** Says why the key of an action does nothing. */
  const explain = (action: AlertAction | undefined): void => {
    if (action?.group === 'Act') setNotice({ text: unusedKeyText(action) });
  };
  const bar = useRef<BulkBarHandle>(null);
  const kept = useRef<AlertAction>(undefined);
  const takeBar = (handle: BulkBarHandle | null): void => {
    bar.current = handle;
    if (!handle || kept.current === undefined || selection.count === 0 || selection.isComing()) return;
    const action = kept.current;
    kept.current = undefined;
    handle.run(action);
  };
  const actOnSelection = (action: AlertAction): boolean => {
    if (bar.current && !selection.isComing()) return bar.current.run(action);
    kept.current = action;
    return true;
  };
  const selectAll = async (): Promise<void> => {
    // A newer question may be on its way.
    if (!(await selection.selectAll()) && !selection.isComing()) kept.current = undefined;
  };
  /** Whether a key moves the cursor, or selects what is under it. */
  const actOnList = (key: ListKey): boolean => {
    const list = cursor.current;
    if (!list) return false;
    const isShown = list.show();
    if (key === 'next' || key === 'previous') {
      if (!isShown) list.step(key === 'next' ? 1 : -1);
      return true;
    }
    const alert = isShown ? undefined : list.target();
    if (alert) selection.toggle(alert, key === 'extend');
    return true;
  };
  const act = (action: AlertAction): boolean => {
    const list = cursor.current;
    if (!list) return false;
    const isAboutSelection = selection.count > 0 || selection.isComing();
    if (isAboutSelection && action.many) return actOnSelection(action);
    // What is looked at is the card that has the focus, also beside a selection.
    if (isAboutSelection && action.group === 'Act') return false;
    if (list.show()) return true;
    const alert = list.target();
    if (alert && !offers(action, alert)) explain(action);
    else if (alert) options.act(action, alert);
    return true;
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    // A newer key takes the place of one that is kept.
    kept.current = undefined;
    if (event.defaultPrevented || altKey || isTyping(event)) return;
    // The status switcher has keys of its own, and so has a drag.
    if (target instanceof Element && target.closest('[role="radiogroup"], [data-dragged]')) return;
    if (ctrlKey || metaKey) {
      if (key.toLowerCase() !== 'a' || !cursor.current) return;
      void selectAll();
    } else if (key === 'Escape') {
      if (selection.count === 0 && !selection.isComing()) return;
      selection.clear();
      cursor.current?.show();
    } else {
      if (!areOn) return;
      const listKey = ofKey(Object.values(LIST_KEYS), event)?.id;
      if (event.repeat && listKey !== 'next' && listKey !== 'previous') return;
      const action = listKey === undefined ? ofKey(actionsOf(kind), event) : undefined;
      if (!action && listKey === undefined) explain(ofKey(ACTIONS, event));
      if (!(listKey === undefined ? action && act(action) : actOnList(listKey))) return;
    }
    event.preventDefault();
  });
  const subject = useEffectEvent((): ListSubject => {
    const alert = cursor.current?.target();
    return { selection, selectAll: () => void selectAll(), bar: bar.current, alert, kind, offers, act: options.act };
  });
  useEffect(() => offerCommands(() => subject()), []);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event);
    // Whoever goes on with the pointer may change what a kept key would be about.
    const forget = (): void => (kept.current = undefined);
    window.addEventListener('keydown', listen);
    window.addEventListener('pointerdown', forget);
    return () => {
      window.removeEventListener('keydown', listen);
      window.removeEventListener('pointerdown', forget);
    };
  }, []);
  return takeBar;
}
