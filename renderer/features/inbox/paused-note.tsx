import { Button } from '@blueprintjs/core';
import { NotificationsSnoozeIcon } from '@blueprintjs/icons';
import { usePause } from '#renderer/lib/notifications/use-pause.ts';

/** Until when notifications are paused, and the way back. Nothing while they are not. */
export function PausedNote() {
  const { until, isBusy, resume } = usePause();
  if (until === undefined) return null;
  return (
    <span className="ad-notify-paused">
      <NotificationsSnoozeIcon size={14} />
      <span>Paused until {until}</span>
      <Button variant="minimal" size="small" text="Resume" disabled={isBusy} onClick={resume} />
    </span>
  );
}
