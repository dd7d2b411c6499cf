import { Classes } from '@blueprintjs/core';
import { DndContext, type DragEndEvent, type DraggableSyntheticListeners, useDraggable } from '@dnd-kit/core';
import { useSetAtom } from 'jotai';
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { Alert } from '#backend/contract/alert.ts';
import type { Folder } from '#backend/contract/folder.ts';
import { useFolders } from '#renderer/folders/data/folders.ts';
import { MOBILE } from '#renderer/lib/use-media-query.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { ANNOUNCEMENTS, DRAG_HELP } from './announcements.ts';
import { DRAG_HELP_ID, type Grab, GrabContext } from './drag-handle.tsx';
import { DragOverlay, endPlayedDrop, playDrop } from './drag-overlay.tsx';
import { type DropTargetId, dragAtom, folderTarget } from './drag.ts';
import { DropTargets, createHitTest } from './drop-targets.tsx';
import { useAlertSensors } from './sensor-options.ts';
import * as texts from './texts.tsx';

/** Only the sidebar scrolls by itself under a drag; the list that the alert comes from stays. */
const AUTO_SCROLL = {
  canScroll: (element: Element) => element.closest(`[data-drop-target="sidebar"], .${Classes.DRAWER}`) !== null,
  layoutShiftCompensation: false,
};

const ACCESSIBILITY = { announcements: ANNOUNCEMENTS, screenReaderInstructions: { draggable: DRAG_HELP } };

/** Moves an alert into a folder, or out of any. */
type MoveTo = (alert: Alert, folder: Folder | null) => void;

interface DragLayerProps {
  onMove: MoveTo;
  /** The page with the cards. */
  children: ReactNode;
}

/**
 * Lets the cards of a page be dragged to the sidebar's folders by their handles. It stands beside the
 * page and the sidebar rather than around them: what is dragged and where it can go is made known here while it is.
 */
export function DragLayer({ onMove, children }: DragLayerProps) {
  const [dragged, setDragged] = useState<Dragged>();
  const listeners = useRef<DraggableSyntheticListeners>(undefined);
  const isDragging = useRef(false);
  const overlay = useRef<HTMLDivElement>(null);
  const [hitTest] = useState(createHitTest);
  const setDrag = useSetAtom(dragAtom);
  const drop = useDrop(onMove);

  const grab = useCallback<Grab>((alert, event) => {
    const isStart = event.type === 'pointerdown' || ('code' in event && /^(Enter|Space)$/.test(event.code));
    if (!isStart || isDragging.current) return;
    const handle = event.currentTarget;
    // Now, so that this very event can be passed on.
    flushSync(() => setDragged({ alert, handle }));
    listeners.current?.[event.type === 'pointerdown' ? 'onPointerDown' : 'onKeyDown']?.(event);
  }, []);

  const end = (): void => {
    isDragging.current = false;
    setDrag(undefined);
    setDragged(undefined);
  };
  return (
    <>
      <GrabContext value={grab}>{children}</GrabContext>
      <DndContext
        id={DRAG_HELP_ID}
        sensors={useAlertSensors()}
        collisionDetection={hitTest.detect}
        autoScroll={AUTO_SCROLL}
        accessibility={ACCESSIBILITY}
        onDragStart={({ activatorEvent }) => {
          isDragging.current = true;
          endPlayedDrop();
          // With the keyboard or on a small screen the pointer cannot reach the rail that would open it.
          const showsSidebar = activatorEvent instanceof KeyboardEvent || matchMedia(MOBILE).matches;
          setDrag({ over: undefined, showsSidebar });
        }}
        onDragOver={({ over }) => {
          const id = over?.id as DropTargetId | undefined;
          setDrag((drag) => drag && { over: id, showsSidebar: drag.showsSidebar || id !== undefined });
        }}
        onDragEnd={(event) => {
          if (overlay.current && event.over?.data.current?.['name'] !== undefined) {
            playDrop(overlay.current, String(event.over.id));
          }
          end();
          if (dragged) drop(dragged, event);
        }}
        onDragCancel={end}
        onDragAbort={end}
      >
        {dragged && <DraggedAlert key={dragged.alert.id} {...dragged} listeners={listeners} />}
        {dragged && <DropTargets alert={dragged.alert} />}
        {dragged && <DragOverlay ref={overlay} alert={dragged.alert} pointOf={hitTest.point} />}
      </DndContext>
    </>
  );
}

/** What a drop does, by what it was dropped on. */
function useDrop(onMove: MoveTo): (dragged: Dragged, event: DragEndEvent) => void {
  const { data: folders = [] } = useFolders();
  const toasts = useToasts();
  return ({ alert }, { over }) => {
    if (over?.id === 'no-folders') {
      const description = texts.createFolderHint;
      toasts.show({ variant: 'destructive', title: texts.createFolderFirst, description });
    } else if (over?.id === 'mine') onMove(alert, null);
    else {
      const folder = folders.find(({ id }) => folderTarget(id) === over?.id);
      if (folder) onMove(alert, folder);
    }
  };
}

/** The alert that somebody laid hand on, and the handle it was taken by. */
interface Dragged {
  alert: Alert;
  handle: HTMLElement;
}

interface DraggedAlertProps extends Dragged {
  /** Is given what the handle's events are to be passed on to. */
  listeners: RefObject<DraggableSyntheticListeners>;
}

/**
 * Makes the dragged alert known as draggable. Only one at a time is: the cards themselves have nothing to do with dragging,
 * and are not drawn again for it.
 */
function DraggedAlert({ alert, handle, listeners }: DraggedAlertProps) {
  const draggable = useDraggable({ id: alert.id, data: { alert } });
  const { setNodeRef, setActivatorNodeRef, isDragging } = draggable;
  useImperativeHandle(listeners, () => draggable.listeners, [draggable.listeners]);
  useLayoutEffect(() => {
    setNodeRef(handle);
    setActivatorNodeRef(handle);
  }, [handle, setNodeRef, setActivatorNodeRef]);

  useLayoutEffect(() => {
    if (!isDragging) return undefined;
    const row = handle.closest<HTMLElement>('[data-alert-id]');
    const root = document.documentElement;
    row?.setAttribute('data-dragged', '');
    root.setAttribute('data-dragging', '');
    return () => {
      row?.removeAttribute('data-dragged');
      root.removeAttribute('data-dragging');
    };
  }, [isDragging, handle]);
  return null;
}
