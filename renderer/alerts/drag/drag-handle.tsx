import { DragHandleVerticalIcon } from '@blueprintjs/icons';
import { type KeyboardEvent, type PointerEvent, createContext, useContext } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import * as texts from './texts.tsx';
import * as styles from './drag-handle.module.css';

/** What a card is dragged by; nothing where cards cannot be dragged. */
export function DragHandle({ alert, labelId }: { alert: Alert; labelId: string }) {
  const grab = useGrab();
  if (!grab) return null;
  return (
    // Blueprint's button would keep Enter and space to itself.
    <button
      type="button"
      className={styles.dragHandle}
      aria-label={texts.dragToFolder}
      aria-roledescription={texts.draggable}
      aria-describedby={`${labelId} ${DRAG_HELP_ID}`}
      onPointerDown={(event) => grab(alert, event)}
      onKeyDown={(event) => grab(alert, event)}
    >
      <DragHandleVerticalIcon size={16} />
    </button>
  );
}

/** Takes hold of an alert at its handle: by pointer, or by Enter or space. */
export type Grab = (alert: Alert, event: PointerEvent<HTMLElement> | KeyboardEvent<HTMLElement>) => void;

/** Provided by the drag layer of a page; absent where cards cannot be dragged. */
export const GrabContext = createContext<Grab | undefined>(undefined);

/** How a card's handle takes hold of its alert. */
const useGrab = (): Grab | undefined => useContext(GrabContext);

/** Id of the hidden text that explains how to drag with the keyboard. */
export const DRAG_HELP_ID = 'drag-help';
