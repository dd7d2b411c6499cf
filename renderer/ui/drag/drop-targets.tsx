import { useDroppable } from '@dnd-kit/core';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { type DropTargetId, dragOverAtom, folderTarget } from '#renderer/lib/drag.ts';
import { useCollapsedFolders } from '#renderer/lib/folders/collapsed-folders.ts';
import { visibleRows } from '#renderer/lib/folders/folder-tree.ts';
import { useFolderTree } from '#renderer/lib/folders/use-folder-tree.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import type { TargetData } from './announcements.ts';

/** How long a drag rests on a collapsed folder before that opens, in milliseconds. */
const EXPAND_MS = 600;

/** Where the held alert can be dropped. The elements are the sidebar's own, which the hit test finds by these names. */
export function DropTargets({ alert }: { alert: Alert }) {
  const rows = useFolderTree() ?? [];
  const [collapsed, setCollapsed] = useCollapsedFolders();
  const over = useAtomValue(dragOverAtom);

  const closed = rows.find(
    ({ folder, hasChildren }) => folderTarget(folder.id) === over && hasChildren && collapsed.has(folder.id),
  )?.folder.id;
  useEffect(() => {
    if (closed === undefined) return undefined;
    const timer = setTimeout(() => setCollapsed([closed], false), EXPAND_MS);
    return () => clearTimeout(timer);
  }, [closed, setCollapsed]);

  return (
    <>
      <DropTarget id="sidebar" />
      {rows.length === 0 && <DropTarget id="no-folders" />}
      {alert.folderId !== undefined && <DropTarget id="mine" name="My Alerts" />}
      {visibleRows(rows, collapsed).map(
        ({ folder: { id, name } }) =>
          id !== alert.folderId && <DropTarget key={id} id={folderTarget(id)} name={inertLine(name)} />,
      )}
    </>
  );
}

function DropTarget({ id, name }: { id: DropTargetId; name?: string }) {
  const data: TargetData = { name };
  useDroppable({ id, data: data as unknown as Record<string, unknown> });
  return null;
}
