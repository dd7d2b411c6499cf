import { type KeyboardEvent, useRef } from 'react';
import type { Folder } from '#backend/contract/folder.ts';
import type { FolderRow } from '#renderer/folders/data/folder-rows.ts';

/** How long typed letters belong together, in milliseconds. */
const TYPEAHEAD_MS = 1000;

/** What the keys of a tree do. */
export interface TreeMoves {
  focus: (id: string) => void;
  toggle: (id: string, isOpen: boolean) => void;
  open: (id: string) => void;
  remove: (folder: Folder) => void;
  expandAll: (ids: string[]) => void;
}

/** The keys of WAI-ARIA's tree view, on the row that has the focus. */
export function useTreeKeys(
  rows: readonly FolderRow[],
  active: string | undefined,
  moves: TreeMoves,
): (event: KeyboardEvent<HTMLElement>) => void {
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY });
  return (event) => {
    const isOnRow = event.target instanceof HTMLElement && event.target.closest('button') === null;
    const index = rows.findIndex(({ folder }) => folder.id === active);
    if (!isOnRow || index === -1 || event.ctrlKey || event.metaKey || event.altKey) return;
    const isDone =
      move(event.key, rows, index, moves) || act(event.key, rows, index, moves) || type(event.key, rows, index);
    if (isDone) event.preventDefault();
  };

  function type(key: string, shown: readonly FolderRow[], index: number): boolean {
    if (key.length !== 1) return false;
    const now = performance.now();
    const text = `${now - typed.current.at < TYPEAHEAD_MS ? typed.current.text : ''}${key.toLowerCase()}`;
    typed.current = { text, at: now };
    const from = text.length === 1 ? index + 1 : index;
    const inOrder = [...shown.slice(from), ...shown.slice(0, from)];
    const found = inOrder.find(({ folder }) => folder.name.trim().toLowerCase().startsWith(text));
    if (found) moves.focus(found.folder.id);
    return found !== undefined;
  }
}

/** The keys that move the focus. False when it is another one. */
function move(key: string, rows: readonly FolderRow[], index: number, { focus, toggle }: TreeMoves): boolean {
  const row = rows[index];
  if (!row) return false;
  const isOpen = isOpenAt(rows, index);
  const target = ((): FolderRow | string | undefined => {
    switch (key) {
      case 'ArrowDown':
        return rows[index + 1];
      case 'ArrowUp':
        return rows[index - 1];
      case 'Home':
        return rows[0];
      case 'End':
        return rows.at(-1);
      case 'ArrowRight':
        return isOpen ? rows[index + 1] : undefined;
      case 'ArrowLeft':
        return isOpen ? undefined : row.parentId;
      default:
        return undefined;
    }
  })();
  if (target !== undefined) focus(typeof target === 'string' ? target : target.folder.id);
  else if (key === 'ArrowRight' && row.hasChildren) toggle(row.folder.id, true);
  else if (key === 'ArrowLeft' && isOpen) toggle(row.folder.id, false);
  return /^(Arrow(Up|Down|Left|Right)|Home|End)$/.test(key);
}

/** The keys that do something with the folder. False when it is another one. */
function act(key: string, rows: readonly FolderRow[], index: number, moves: TreeMoves): boolean {
  const row = rows[index];
  if (!row) return false;
  switch (key) {
    case 'Enter':
    case ' ':
      moves.open(row.folder.id);
      return true;
    case 'Delete':
      moves.remove(row.folder);
      return true;
    case '*': {
      const siblings = rows.filter(({ parentId, hasChildren }) => hasChildren && parentId === row.parentId);
      moves.expandAll(siblings.map(({ folder }) => folder.id));
      return true;
    }
    default:
      return false;
  }
}

/** Whether the row is expanded: what is in it follows it. */
const isOpenAt = (rows: readonly FolderRow[], index: number): boolean =>
  (rows[index + 1]?.depth ?? 0) > (rows[index]?.depth ?? 0);
