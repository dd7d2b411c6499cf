import { type CollisionDetection, useDroppable } from '@dnd-kit/core';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { visibleRows } from '#renderer/folders/data/folder-rows.ts';
import { useCollapsedFolders, useFolderTree } from '#renderer/folders/data/use-folder-tree.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import type { TargetData } from './announcements.ts';
import { type DropTargetId, dragOverAtom, folderTarget } from './drag.ts';
import * as common from '#renderer/lib/texts.ts';

/** How long a drag rests on a collapsed folder before that opens, in milliseconds. */
const EXPAND_MS = 600;

/** Where the dragged alert can be dropped. The elements are the sidebar's own, which the hit test finds by these names. */
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
      {alert.folderId !== undefined && <DropTarget id="mine" name={common.myAlerts} />}
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

/** A place in the window, in pixels. */
interface Point {
  x: number;
  y: number;
}

/** Finds what a drag is over, and remembers where it was the last time it was asked. */
export interface HitTest {
  detect: CollisionDetection;
  point: () => Point | undefined;
}

/**
 * Finds what is under the pointer, or for the keyboard under the middle of what is dragged: as it is on screen, so that
 * rows which are scrolled away or covered take nothing.
 */
export function createHitTest(): HitTest {
  let point: Point | undefined;
  return {
    point: () => point,
    detect: ({ pointerCoordinates, collisionRect, droppableContainers }) => {
      point = pointerCoordinates ?? {
        x: collisionRect.left + collisionRect.width / 2,
        y: collisionRect.top + collisionRect.height / 2,
      };
      const element = document.elementFromPoint(point.x, point.y)?.closest<HTMLElement>('[data-drop-target]');
      const container = droppableContainers.find(({ id }) => id === element?.dataset['dropTarget']);
      if (!element || !container) return [];
      // The sidebar's elements come and go while one drags: this is the one that is there now.
      container.node.current = element;
      container.rect.current = element.getBoundingClientRect();
      return [{ id: container.id }];
    },
  };
}
