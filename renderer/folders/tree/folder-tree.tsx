import { Classes } from '@blueprintjs/core';
import { ChevronRightIcon, TrashIcon } from '@blueprintjs/icons';
import { useAtomValue } from 'jotai';
import {
  type CSSProperties,
  type MouseEvent,
  type RefObject,
  memo,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Link, matchPath, useLocation, useNavigate } from 'react-router-dom';
import type { Folder } from '#backend/contract/folder.ts';
import { dragOverAtom, folderTarget } from '#renderer/alerts/drag/drag.ts';
import { useDeleteFolder } from '#renderer/folders/data/delete-folder.ts';
import { type FolderRow, visibleRows } from '#renderer/folders/data/folder-rows.ts';
import { useCollapsedFolders } from '#renderer/folders/data/use-folder-tree.ts';
import { FolderDot } from '#renderer/folders/folder-dot.tsx';
import { badgeText } from '#renderer/lib/badge-text.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useRememberedPath } from '#renderer/lib/screen-memory.ts';
import { passFocus } from '#renderer/ui/pass-focus.ts';
import { type TreeMoves, useTreeKeys } from './use-tree-keys.ts';
import classNames from 'classnames';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';
import * as foldersGroupStyles from './folders-group.module.css';
import * as styles from './folder-tree.module.css';

/** With the last folder the tree goes. Another can be made then. */
const leaveFocus = passFocus((tree) => tree.closest('section')?.querySelector('button'));

/**
 * The folders as a tree of any depth, made for the keyboard (WAI-ARIA's tree view): one row is in the tab order, arrows
 * move between rows and open or close them, letters go to the folder that begins with them, Enter opens it, Delete
 * deletes it.
 */
export function FolderTree({ rows }: { rows: readonly FolderRow[] }) {
  const [collapsed, setCollapsed] = useCollapsedFolders();
  const shown = useMemo(() => visibleRows(rows, collapsed), [rows, collapsed]);
  const tree = useRef<HTMLUListElement>(null);
  const placeTree = useCallback((element: HTMLUListElement | null) => {
    tree.current = element;
    return leaveFocus(element);
  }, []);
  const { pathname } = useLocation();
  const rememberedPath = useRememberedPath();
  const currentId = matchPath('/folder/:id', pathname)?.params.id;
  const over = useAtomValue(dragOverAtom);
  const [activeId, setActiveId] = useState<string>();
  const active = activeOf(shown, [activeId, currentId]);

  const toggle = useCallback((id: string, isOpen: boolean) => setCollapsed([id], !isOpen), [setCollapsed]);
  const focus = useFocusMoves(tree, setActiveId);
  const onFocus = useFocusOfGone(shown, focus.moveTo);
  const remove = useRemove(currentId, shown, focus.moveTo);
  const moves: TreeMoves = {
    focus: focus.moveTo,
    toggle,
    open: (id) => tree.current?.querySelector<HTMLElement>(`[data-folder-id="${CSS.escape(id)}"] a`)?.click(),
    remove,
    expandAll: (ids) => setCollapsed(ids, false),
  };
  const onKeyDown = useTreeKeys(shown, active, moves);
  // One listener for all rows: each is drawn again only when something of it changes.
  const onClick = ({ target }: MouseEvent): void => {
    if (!(target instanceof Element)) return;
    const part = target.closest<HTMLElement>('[data-part]')?.dataset['part'];
    const id = target.closest<HTMLElement>('[data-folder-id]')?.dataset['folderId'];
    const row = shown.find(({ folder }) => folder.id === id);
    if (row && part === 'caret') toggle(row.folder.id, collapsed.has(row.folder.id));
    if (row && part === 'delete') remove(row.folder);
  };

  return (
    <ul
      ref={placeTree}
      role="tree"
      aria-label={common.folders}
      className={styles.tree}
      onClick={onClick}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        const id = target.closest<HTMLElement>('[data-folder-id]')?.dataset['folderId'];
        setActiveId(id);
        onFocus(id);
      }}
    >
      {shown.map(({ folder, depth, hasChildren, place, siblings }) => (
        <FolderTreeItem
          key={folder.id}
          folder={folder}
          depth={depth}
          hasChildren={hasChildren}
          place={place}
          siblings={siblings}
          to={rememberedPath(`/folder/${folder.id}`)}
          isOpen={hasChildren && !collapsed.has(folder.id)}
          isActive={folder.id === active}
          isCurrent={folder.id === currentId}
          isOver={over === folderTarget(folder.id)}
        />
      ))}
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

/** Gives the focus of a row that goes, as where it is deleted in another window, to the one in its place. */
function useFocusOfGone(rows: readonly FolderRow[], focus: (id: string) => void): (id: string | undefined) => void {
  const last = useRef<{ id: string; index: number }>(undefined);
  const indexOf = (id: string): number => rows.findIndex(({ folder }) => folder.id === id);
  useLayoutEffect(() => {
    const { current } = last;
    if (!current) return;
    const index = indexOf(current.id);
    if (index !== -1) {
      current.index = index;
      return;
    }
    last.current = undefined;
    const next = rows[Math.min(current.index, rows.length - 1)];
    if (next && document.activeElement === document.body) focus(next.folder.id);
  });
  return (id) => {
    last.current = id === undefined ? undefined : { id, index: indexOf(id) };
  };
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

/** Indent per level, in pixels. */
const INDENT = 16;

interface FolderTreeItemProps extends Omit<FolderRow, 'parentId'> {
  to: string;
  isOpen: boolean;
  /** In the tab order. */
  isActive: boolean;
  /** The folder of the page. */
  isCurrent: boolean;
  /** An alert is dragged over it. */
  isOver: boolean;
}

/** A folder in the sidebar: caret, dot, name, delete (on hover and focus), count. */
const FolderTreeItem = memo(function FolderTreeItem(props: FolderTreeItemProps) {
  const { folder, depth, hasChildren, place, siblings, to, isOpen, isActive, isCurrent, isOver } = props;
  const name = inertLine(folder.name);
  const count = folder.alertCount;
  const badge = badgeText(count);
  return (
    <li
      role="treeitem"
      aria-label={badge === undefined ? name : texts.open(name, badge, count)}
      aria-level={depth + 1}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-current={isCurrent ? 'page' : undefined}
      aria-keyshortcuts="Delete"
      tabIndex={isActive ? 0 : -1}
      className={classNames(styles.item, isOver && foldersGroupStyles.dropOver)}
      style={{ '--ad-tree-indent': `${depth * INDENT}px` } as CSSProperties}
      data-folder-id={folder.id}
      data-drop-target={folderTarget(folder.id)}
    >
      {hasChildren ? (
        // The arrow keys do the same for the row, so the caret is for pointers alone.
        <span className={styles.caret} data-part="caret" aria-hidden>
          <ChevronRightIcon size={12} className={isOpen ? styles.caretOpen : ''} />
        </span>
      ) : (
        <span className={styles.caret} />
      )}
      <Link className={styles.link} to={to} tabIndex={-1} draggable={false}>
        <FolderDot color={folder.color} />
        <span className={styles.name} dir="auto" data-tip={name}>
          {name}
        </span>
      </Link>
      {/* The space separates the name from the count in the row's text. */}{' '}
      <span className={styles.end}>
        <button
          type="button"
          className={classNames(Classes.BUTTON, Classes.MINIMAL, styles.treeDelete)}
          data-part="delete"
          aria-label={texts.deleteFolder(name)}
          tabIndex={isActive ? 0 : -1}
        >
          <TrashIcon size={14} />
        </button>
        <span className={styles.count} aria-hidden>
          {badge}
        </span>
      </span>
    </li>
  );
});
