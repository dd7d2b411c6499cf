import { Checkbox } from '@blueprintjs/core';
import { NotificationsSnoozeIcon } from '@blueprintjs/icons';
import { type ReactNode, useId } from 'react';
import { inertLine } from '#renderer/lib/inert-text.ts';

interface MuteRowProps {
  name: string;
  muted: boolean;
  /** Said at the right, about this row. */
  children: ReactNode;
  onChange: (muted: boolean) => void;
  /** More that can be set of it, at the end. */
  end?: ReactNode;
}

/** A customer or an alert type: checked means that I am notified (spec.md section 2, Settings). */
export function MuteRow({ name, muted, children, onChange, end }: MuteRowProps) {
  const noteId = useId();
  const text = inertLine(name);
  return (
    <li className="ad-row ad-mute-row">
      <Checkbox
        className="ad-mute-check"
        checked={!muted}
        onChange={({ target }) => onChange(!target.checked)}
        aria-describedby={noteId}
        labelElement={
          <span className="ad-mute-name" dir="auto" data-tip={text}>
            {text}
          </span>
        }
      />
      {muted && (
        <span className="ad-badge">
          <NotificationsSnoozeIcon size={12} />
          Muted
        </span>
      )}
      <span id={noteId} className="ad-mute-note">
        {children}
      </span>
      {end}
    </li>
  );
}
