import { type RefCallback, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { BulkBarHandle } from '#renderer/alerts/bulk/bulk-bar.tsx';
import type { ListSelection } from '#renderer/alerts/bulk/list-selection.ts';
import { isTyping, useSingleKeys } from '#renderer/lib/single-keys.ts';
import { alertName } from '#renderer/alerts/data/alert-labels.ts';
import { KEY_TABLE, type KeyAction, actionOfKey, keyLabel } from './key-table.ts';
import { type CommandGroup, isCommand, offerCommands } from './list-commands.ts';

/** What keys do with a list's cursor: the card in the tab order. */
export interface ListCursor {
  step: (direction: 1 | -1) => void;
  /** Gives the cursor the focus, so that the person sees which alert a key is about. False when it has it already. */
  show: () => boolean;
  /** The alert that has the focus, unless it is on its way out, or has only just come under it. */
  target: () => Alert | undefined;
}

/** What one alert's keys do; absent where an action is not on offer. */
export type AlertKeys = Partial<Record<KeyAction, (alert: Alert) => void>>;

interface ListKeysOptions {
  cursor: RefObject<ListCursor | null>;
  selection: ListSelection;
  keys: AlertKeys;
}

/**
 * The keys of a list, whatever has the focus: they act on the selection, else on the focused card. When no card has the
 * focus, the first key shows which one it would be about, and does nothing else.
 *
 * @returns takes the bar of the selection. A key that comes before it, or while everything is being selected, is kept for
 * it: the bar is fetched with the first selection, and people type faster.
 */
export function useListKeys({ cursor, selection, keys }: ListKeysOptions): RefCallback<BulkBarHandle> {
  const [areOn] = useSingleKeys();
  const bar = useRef<BulkBarHandle>(null);
  const kept = useRef<KeyAction>(undefined);
  const takeBar = (handle: BulkBarHandle | null): void => {
    bar.current = handle;
    if (!handle || kept.current === undefined || selection.count === 0 || selection.isComing()) return;
    const action = kept.current;
    kept.current = undefined;
    handle.run(action);
  };
  const actOnSelection = (action: KeyAction): boolean => {
    if (bar.current && !selection.isComing()) return bar.current.run(action);
    kept.current = action;
    return true;
  };
  const selectAll = async (): Promise<void> => {
    if (!(await selection.selectAll())) kept.current = undefined;
  };
  const act = (action: KeyAction, event: KeyboardEvent): boolean => {
    const list = cursor.current;
    if (!list) return false;
    if (action === 'next' || action === 'previous') {
      if (!list.show()) list.step(action === 'next' ? 1 : -1);
      return true;
    }
    if (event.repeat) return false;
    const isOfList = action === 'select' || action === 'extend';
    const isAboutSelection = selection.count > 0 || selection.isComing();
    if (isAboutSelection && !isOfList && action !== 'history') return actOnSelection(action);
    if (!isOfList && keys[action] === undefined) return false;
    if (list.show()) return true;
    const alert = list.target();
    if (!alert) return true;
    if (isOfList) selection.toggle(alert, action === 'extend');
    else keys[action]?.(alert);
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
      if (selection.count === 0) return;
      selection.clear();
      cursor.current?.show();
    } else {
      const action = areOn ? actionOfKey(event) : undefined;
      if (action === undefined || !act(action, event)) return;
    }
    event.preventDefault();
  });
  const commands = useEffectEvent((): CommandGroup[] => {
    const all = { label: 'Select all that match', keys: ['Ctrl', 'A'], run: () => void selectAll() };
    const list: CommandGroup = { heading: 'This list', commands: [all] };
    if (selection.count > 0) {
      const offered = bar.current?.actions ?? [];
      const heading = `${selection.count.toLocaleString('en')} selected`;
      const clear = { label: 'Clear the selection', keys: ['Esc'], run: selection.clear };
      return [
        { heading, commands: commandsFor(offered, (action) => bar.current?.run(action)) },
        { ...list, commands: [all, clear] },
      ];
    }
    const alert = cursor.current?.target();
    if (!alert) return [list];
    const offered = KEY_TABLE.flatMap(({ action }) => (keys[action] ? [action] : []));
    return [{ heading: alertName(alert), commands: commandsFor(offered, (action) => keys[action]?.(alert)) }, list];
  });
  useEffect(() => offerCommands(() => commands()), []);
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

const commandsFor = (actions: readonly KeyAction[], run: (action: KeyAction) => void) =>
  KEY_TABLE.filter(({ action }) => isCommand(action) && actions.includes(action)).map(({ action, label }) => ({
    label,
    keys: [keyLabel(action)],
    run: () => run(action),
  }));
