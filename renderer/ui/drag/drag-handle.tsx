import { DragHandleVerticalIcon } from '@blueprintjs/icons';
import type { Alert } from '#backend/contract/alert.ts';
import { DRAG_HELP_ID, useGrab } from './drag-context.ts';
import './drag-handle.css';

/** What a card is dragged by; nothing where cards cannot be dragged. */
export function DragHandle({ alert, labelId }: { alert: Alert; labelId: string }) {
  const grab = useGrab();
  if (!grab) return null;
  return (
    // Blueprint's button would keep Enter and space to itself.
    <button
      type="button"
      className="ad-drag-handle"
      aria-label="Drag to a folder"
      aria-roledescription="draggable"
      aria-describedby={`${labelId} ${DRAG_HELP_ID}`}
      onPointerDown={(event) => grab(alert, event)}
      onKeyDown={(event) => grab(alert, event)}
    >
      <DragHandleVerticalIcon size={16} />
    </button>
  );
}
