import { Checkbox } from '@blueprintjs/core';
import { NotificationsSnoozeIcon } from '@blueprintjs/icons';
import { type ReactNode, useId } from 'react';
import { inertLine } from '#renderer/lib/inert-text.ts';
import type { RowPlace } from './mute-rows.tsx';

interface MuteRowProps {
  name: string;
  muted: boolean;
  /** Said at the right, about this row. */
  children: ReactNode;
  onChange: (muted: boolean) => void;
  /** More that can be set of it, at the end. */
  end?: ReactNode;
  /** Where it stands in a list that draws some of its rows only. */
  place: RowPlace | undefined;
}

/** A customer or an alert type: checked means that the member is notified. */
export function MuteRow({ name, muted, children, onChange, end, place }: MuteRowProps) {
  const noteId = useId();
  const text = inertLine(name);
  return (
    <li className="ad-row ad-mute-row" {...place}>
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
