import { Button } from '@blueprintjs/core';
import { ChevronRightIcon, TrashIcon } from '@blueprintjs/icons';
import { type CSSProperties, memo } from 'react';
import { Link } from 'react-router-dom';
import type { Folder } from '#backend/contract/folder.ts';
import { badgeText } from '#renderer/lib/badge-text.ts';
import { folderTarget } from '#renderer/lib/drag.ts';
import type { FolderRow } from '#renderer/lib/folders/folder-tree.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { FolderDot } from '#renderer/ui/folder-dot/folder-dot.tsx';

/** Indent per level, in pixels. */
const INDENT = 16;

interface FolderTreeItemProps {
  row: FolderRow;
  to: string;
  isOpen: boolean;
  /** In the tab order. */
  isActive: boolean;
  /** The folder of the page. */
  isCurrent: boolean;
  /** An alert is dragged over it. */
  isOver: boolean;
  onToggle: (id: string, isOpen: boolean) => void;
  onRemove: (folder: Folder) => void;
}

/** A folder in the sidebar: caret, dot, name, delete (on hover and focus), count. */
export const FolderTreeItem = memo(function FolderTreeItem(props: FolderTreeItemProps) {
  const { row, to, isOpen, isActive, isCurrent, isOver, onToggle, onRemove } = props;
  const { folder, depth, hasChildren, place, siblings } = row;
  const name = inertLine(folder.name);
  const count = folder.alertCount;
  const badge = badgeText(count);
  return (
    <li
      role="treeitem"
      aria-label={badge === undefined ? name : `${name} ${badge} open ${count === 1 ? 'alert' : 'alerts'}`}
      aria-level={depth + 1}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-current={isCurrent ? 'page' : undefined}
      aria-keyshortcuts="Delete"
      tabIndex={isActive ? 0 : -1}
      className={`ad-tree-item${count === 0 ? ' ad-tree-item--uncounted' : ''}${isOver ? ' ad-drop-over' : ''}`}
      style={{ '--ad-tree-indent': `${depth * INDENT}px` } as CSSProperties}
      data-folder-id={folder.id}
      data-drop-target={folderTarget(folder.id)}
    >
      {hasChildren ? (
        // The arrow keys do the same for the row, so the caret is for pointers alone.
        <span className="ad-tree-caret" aria-hidden onClick={() => onToggle(folder.id, !isOpen)}>
          <ChevronRightIcon size={12} className={isOpen ? 'ad-tree-caret-open' : ''} />
        </span>
      ) : (
        <span className="ad-tree-caret" />
      )}
      <Link className="ad-tree-link" to={to} tabIndex={-1} draggable={false}>
        <FolderDot color={folder.color} />
        <span className="ad-tree-name" dir="auto" data-tip={name}>
          {name}
        </span>
      </Link>
      {/* The space parts the words of what is to be seen, as the row's name does. */}{' '}
      <span className="ad-tree-end">
        <Button
          className="ad-tree-delete"
          variant="minimal"
          icon={<TrashIcon size={14} />}
          aria-label={`Delete folder ${name}`}
          tabIndex={isActive ? 0 : -1}
          onClick={() => onRemove(folder)}
        />
        <span className="ad-tree-count" aria-hidden>
          {badge}
        </span>
      </span>
    </li>
  );
});
