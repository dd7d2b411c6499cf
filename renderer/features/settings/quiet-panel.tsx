import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { notificationSettingsQuery } from '#renderer/lib/notifications/get-notification-settings.ts';
import { inAnHour, tomorrowMorning } from '#renderer/lib/notifications/pause-times.ts';
import { usePause } from '#renderer/lib/notifications/use-pause.ts';
import { LoadError } from '#renderer/ui/load-error.tsx';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/rows-skeleton.tsx';
import { QuietHoursForm } from './quiet-hours-form.tsx';
import './quiet-panel.css';

/** When I want quiet on all my devices: for a while, and every week at the same hours. */
export function QuietPanel() {
  const { data: settings, error, refetch } = useQuery(notificationSettingsQuery);
  return (
    <Panel
      title="Quiet Hours"
      hint="No notifications and no sounds on any of your devices. Alerts still arrive in the inbox."
    >
      {settings ? (
        <div className="ad-panel-body ad-quiet">
          <PauseRow />
          <QuietHoursForm quietHours={settings.quietHours} />
        </div>
      ) : error ? (
        <LoadError what="Quiet hours" error={error} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton label="quiet hours" />
      )}
    </Panel>
  );
}

function PauseRow() {
  const { until, isBusy, pause, resume } = usePause();
  if (until !== undefined) {
    return (
      <div className="ad-quiet-pause">
        <span>Paused until {until}</span>
        <Button text="Resume" disabled={isBusy} onClick={resume} />
      </div>
    );
  }
  return (
    <div className="ad-quiet-pause">
      <Button text="Pause for 1 hour" disabled={isBusy} onClick={() => pause(inAnHour(new Date()))} />
      <Button text="Pause until tomorrow" disabled={isBusy} onClick={() => pause(tomorrowMorning(new Date()))} />
    </div>
  );
}
