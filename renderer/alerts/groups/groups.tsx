import { useQueryClient } from '@tanstack/react-query';
import {
  type Dispatch,
  type SetStateAction,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { ListSelection } from '#renderer/alerts/bulk/list-selection.ts';
import { type AlertListView, pathOf } from '#renderer/alerts/data/list-view.ts';
import type { ListFold } from '#renderer/alerts/list/list-fold.ts';
import { isTyping, useSingleKeys } from '#renderer/lib/single-keys.ts';
import { groupCardOf } from './group-card.tsx';
import { useGroupCommands } from './group-commands.ts';
import { type GroupList, memberIds, useGroups } from './group-data.ts';
import { type GroupInfo, foldAlerts, infoOf, partsOfRow, stands } from './group-heads.ts';
import { GROUP_KEYS } from './group-keys.ts';
import { groupPanelOf } from './group-panel.tsx';

interface GroupsProps {
  /** The list, and what of it is loaded. */
  view: AlertListView;
  alerts: readonly Alert[];
  /** Whether that is all of it. */
  areAll: boolean;
  selection: ListSelection;
  /** Takes how the list is to be drawn; undefined: as it is. */
  onFold: (fold: ListFold | undefined) => void;
}

/** Draws alerts of one group as one card, in a list that is not narrowed: a filter or a search finds alerts. */
export function Groups({ view, alerts, areAll, selection, onFold }: GroupsProps) {
  const { list, folderId, completion, sort } = view;
  const isWhole = pathOf(view) === pathOf({ list, folderId, completion, sort });
  const known = useRef<ReadonlyMap<string, GroupInfo>>(new Map());
  // Groups, and of which alerts they were when they were drawn last: an open one stays on screen when its last alert has left.
  const ever = useRef(new Map<string, readonly string[]>());
  const asked = useMemo(() => ({ list, folderId, completion }), [list, folderId, completion]);
  const infoOfId = useMemo(() => (id: string) => known.current.get(id), []);
  const commands = useGroupCommands(asked, infoOfId);
  const [beyond, setBeyond] = useState<Beyond>(NOTHING_READ);
  const groups = useGroups(asked, alerts, areAll);
  const parts = useMemo(
    () => ({ Card: groupCardOf(commands), Panel: groupPanelOf(commands, asked) }),
    [commands, asked],
  );
  const fold = useMemo((): ListFold => {
    const folded = new WeakMap<readonly Alert[], readonly Alert[]>();
    const withCompleted = new WeakMap<readonly Alert[], Record<'completed' | 'rows', readonly Alert[]>>();
    /** The alerts of a row: as it was drawn last. */
    const idsOfRow = (id: string) => ever.current.get(id) ?? [id];
    const isGroup = (id: string | undefined): boolean => id !== undefined && ever.current.has(id);
    return {
      ...parts,
      heads(some) {
        const before = folded.get(some);
        if (before) return before;
        const heads = foldAlerts(some, groups, areAll);
        folded.set(some, heads);
        for (const head of heads) {
          const info = infoOf(head);
          if (info)
            ever.current.set(
              head.id,
              info.loaded.map(({ id }) => id),
            );
        }
        return heads;
      },
      rows(some, completed) {
        const heads = some && this.heads(some);
        if (!heads || !completed) return heads;
        const before = withCompleted.get(heads);
        if (before?.completed === completed) return before.rows;
        const rows = [...heads, ...completed];
        withCompleted.set(heads, { completed, rows });
        return rows;
      },
      partsOf: partsOfRow,
      beyond(row) {
        const loaded = new Set(partsOfRow(row).map(({ id }) => id));
        return beyond.get(row.id)?.filter((id) => !loaded.has(id)) ?? [];
      },
      isComing(row) {
        const info = infoOf(row);
        return info !== undefined && info.count > info.loaded.length && !beyond.has(row.id);
      },
      look: (read) => (id) => {
        const [first, ...more] = idsOfRow(id).map(read);
        return more.reduce((found, one) => found || one, first) as ReturnType<typeof read>;
      },
      stands: (id, rows) => stands(new Set(idsOfRow(id)), rows),
      has: isGroup,
      act(action, { id }) {
        if (!known.current.has(id)) return false;
        commands.run(id, action);
        return true;
      },
    };
  }, [parts, groups, areAll, commands, beyond]);
  useLayoutEffect(() => {
    known.current = new Map(
      fold.heads(alerts).flatMap((head) => {
        const info = infoOf(head);
        return info ? [[head.id, info] as const] : [];
      }),
    );
  });
  useLayoutEffect(() => {
    onFold(isWhole ? fold : undefined);
    return () => onFold(undefined);
  }, [onFold, fold, isWhole]);
  useBeyond(asked, () => fold.heads(alerts), selection, setBeyond);
  useSplitKey((id) => {
    if (!known.current.has(id)) return false;
    commands.split(id);
    return true;
  });
  return null;
}

/** Ids of selected groups' alerts that were not loaded when they were read, by the groups' ids. */
type Beyond = ReadonlyMap<string, readonly string[]>;
const NOTHING_READ: Beyond = new Map();

/** Reads which alerts of selected groups are not loaded: what is done with the selection is about whole groups. */
function useBeyond(
  list: GroupList,
  headsOf: () => readonly Alert[],
  { chosen, has }: ListSelection,
  setBeyond: Dispatch<SetStateAction<Beyond>>,
): void {
  const client = useQueryClient();
  /** What was asked last of each selected group. */
  const asked = useRef<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    const selected = headsOf().flatMap((head) => {
      const info = infoOf(head);
      return chosen?.kind === 'ids' && info && info.count > info.loaded.length && has(head) ? [{ ...info, head }] : [];
    });
    const before = asked.current;
    const keys = new Map(
      selected.map(({ head, count, loaded }) => [head.id, `${JSON.stringify(list)} ${count} ${loaded.length}`]),
    );
    asked.current = keys;
    // What is selected again is read again.
    setBeyond((now) => ([...now.keys()].every((id) => keys.has(id)) ? now : only(now, (id) => keys.has(id))));
    for (const { head, count, loaded } of selected) {
      const key = keys.get(head.id);
      if (key === before.get(head.id)) continue;
      const set = (ids: readonly string[]): void => {
        if (asked.current.get(head.id) === key) setBeyond((now) => new Map([...now, [head.id, ids]]));
      };
      const read = async (): Promise<void> => {
        const ids = new Set(await memberIds(client, list, head.id, loaded, count));
        for (const { id } of loaded) ids.delete(id);
        set([...ids]);
      };
      // Where that fails, what is known is selected, and the bar says how many these are.
      read().catch(() => set([]));
    }
  });
}

const only = (beyond: Beyond, isWanted: (id: string) => boolean): Beyond =>
  new Map([...beyond].filter(([id]) => isWanted(id)));

/** ⇧O splits the group whose card has the focus. @param split false where an id is that of no group */
function useSplitKey(split: (id: string) => boolean): void {
  const [areOn] = useSingleKeys();
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, repeat, target } = event;
    if (!areOn || event.defaultPrevented || ctrlKey || metaKey || altKey || repeat || isTyping(event)) return;
    if (!shiftKey || key.toLowerCase() !== GROUP_KEYS.split.key || !(target instanceof Element)) return;
    const { alertId } = target.closest<HTMLElement>('[data-alert-id]')?.dataset ?? {};
    if (alertId !== undefined && split(alertId)) event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
