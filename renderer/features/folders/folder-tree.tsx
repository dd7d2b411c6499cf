import { useAtomValue } from 'jotai';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { matchPath, useLocation, useNavigate } from 'react-router-dom';
import type { Folder } from '#backend/contract/folder.ts';
import { dragOverAtom, folderTarget } from '#renderer/lib/drag.ts';
import { useCollapsedFolders } from '#renderer/lib/folders/collapsed-folders.ts';
import { useDeleteFolder } from '#renderer/lib/folders/delete-folder.ts';
import { type FolderRow, visibleRows } from '#renderer/lib/folders/folder-tree.ts';
import { useWayTo } from '#renderer/lib/screen-memory.ts';
import { FolderTreeItem } from './folder-tree-item.tsx';
import { type TreeMoves, useTreeKeys } from './use-tree-keys.ts';
import './folder-tree.css';

/**
 * The folders as a tree of any depth, made for the keyboard (WAI-ARIA's tree view): one row is in the tab order, arrows
 * move between rows and open or close them, letters go to the folder that begins with them, Enter opens it, Delete
 * deletes it.
 */
export function FolderTree({ rows }: { rows: readonly FolderRow[] }) {
  const [collapsed, setCollapsed] = useCollapsedFolders();
  const shown = useMemo(() => visibleRows(rows, collapsed), [rows, collapsed]);
  const tree = useRef<HTMLUListElement>(null);
  const { pathname } = useLocation();
  const wayTo = useWayTo();
  const currentId = matchPath('/folder/:id', pathname)?.params.id;
  const over = useAtomValue(dragOverAtom);
  const [activeId, setActiveId] = useState<string>();
  const active = activeOf(shown, [activeId, currentId]);

  const toggle = useCallback((id: string, isOpen: boolean) => setCollapsed([id], !isOpen), [setCollapsed]);
  const focus = useFocusMoves(tree, setActiveId);
  const remove = useRemove(currentId, shown, focus.moveTo);
  const moves: TreeMoves = {
    focus: focus.moveTo,
    toggle,
    open: (id) => tree.current?.querySelector<HTMLElement>(`[data-folder-id="${CSS.escape(id)}"] a`)?.click(),
    remove,
    expandAll: (ids) => setCollapsed(ids, false),
  };
  const onKeyDown = useTreeKeys(shown, active, moves);

  return (
    <ul
      ref={tree}
      role="tree"
      aria-label="Folders"
      className="ad-tree"
      onKeyDown={onKeyDown}
      onFocus={({ target }) => setActiveId(target.closest<HTMLElement>('[data-folder-id]')?.dataset['folderId'])}
    >
      {shown.map((row) => {
        const { id } = row.folder;
        return (
          <FolderTreeItem
            key={id}
            row={row}
            to={wayTo(`/folder/${id}`)}
            isOpen={row.hasChildren && !collapsed.has(id)}
            isActive={id === active}
            isCurrent={id === currentId}
            isOver={over === folderTarget(id)}
            onToggle={toggle}
            onRemove={remove}
          />
        );
      })}
    </ul>
  );
}

/** The row in the tab order: the one last used, the one of the page, or the first. */
function activeOf(rows: readonly FolderRow[], wanted: readonly (string | undefined)[]): string | undefined {
  const found = wanted.find((id) => rows.some(({ folder }) => folder.id === id));
  return found ?? rows[0]?.folder.id;
}

/** Moves the focus to a row, which may only come into being with the next drawing. */
function useFocusMoves(tree: RefObject<HTMLElement | null>, setActiveId: (id: string) => void) {
  const wanted = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const row = tree.current?.querySelector<HTMLElement>(`[data-folder-id="${CSS.escape(wanted.current)}"]`);
    wanted.current = undefined;
    row?.focus();
  });
  const moveTo = useCallback(
    (id: string, isComing = false): void => {
      setActiveId(id);
      if (isComing) wanted.current = id;
      else tree.current?.querySelector<HTMLElement>(`[data-folder-id="${CSS.escape(id)}"]`)?.focus();
    },
    [tree, setActiveId],
  );
  return { moveTo };
}

/** Deletes a folder; the focus goes to the row after it, and off its page to My Alerts, where its alerts go. */
function useRemove(
  currentId: string | undefined,
  rows: readonly FolderRow[],
  focus: (id: string, isComing?: boolean) => void,
): (folder: Folder) => void {
  const deleteFolder = useDeleteFolder();
  const navigate = useNavigate();
  return (folder) => {
    const index = rows.findIndex((row) => row.folder.id === folder.id);
    const next = rows[index + 1] ?? rows[index - 1];
    deleteFolder(folder);
    if (next) focus(next.folder.id, true);
    if (folder.id === currentId) void navigate('/my-alerts');
  };
}
