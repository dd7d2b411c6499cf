import { Button, Classes } from '@blueprintjs/core';
import { CrossIcon } from '@blueprintjs/icons';
import { useRef } from 'react';
import { useIsUndoKeyOn } from '#renderer/lib/undo-key.ts';
import type { ToastEntry } from '#renderer/lib/toast-queue.ts';
import { ToastWords } from './toast-words.tsx';
import { useAttended } from './use-attended.ts';
import { useDismissGestures } from './use-dismiss-gestures.ts';
import { useToastTimer } from './use-toast-timer.ts';

interface ToastCardProps {
  entry: ToastEntry;
  /** Takes the toast away by the person's hand; `used` when they used its action. */
  onClose: (id: number, used: boolean) => void;
}

/**
 * One toast in Blueprint's dress. Not its component: that interrupts screen readers for every change and starts its
 * time anew at every hover, where news must be announced politely and time only pauses.
 */
export function ToastCard({ entry, onClose }: ToastCardProps) {
  const { id, intent, action } = entry;
  const card = useRef<HTMLDivElement>(null);
  const attended = useAttended(card);
  const swiped = useDismissGestures(card, () => onClose(id, false));
  const isUndoKeyOn = useIsUndoKeyOn();
  const hotkey = isUndoKeyOn ? action?.hotkey : undefined;
  useToastTimer(entry, attended || swiped > 0);

  return (
    <div
      ref={card}
      aria-live={entry.quiet ? 'off' : undefined}
      className={`${Classes.TOAST} ad-toast ad-toast-${intent}`}
      style={swiped > 0 ? { translate: `${swiped}px`, transition: 'none' } : undefined}
    >
      <ToastWords {...entry} subjects={entry.subject ? [entry.subject] : []} />
      {action && (
        <Button
          className="ad-toast-action"
          variant="minimal"
          aria-label={action.label}
          aria-keyshortcuts={hotkey}
          text={
            <>
              {action.label}
              {hotkey !== undefined && <kbd className="ad-kbd ad-toast-key">{hotkey}</kbd>}
            </>
          }
          onClick={() => onClose(id, true)}
        />
      )}
      <Button
        className="ad-toast-close"
        variant="minimal"
        icon={<CrossIcon size={14} />}
        aria-label="Close"
        onClick={() => onClose(id, false)}
      />
    </div>
  );
}
