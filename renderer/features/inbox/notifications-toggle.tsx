import { Switch } from '@blueprintjs/core';
import { useNotificationsEnabled } from '#renderer/lib/notifications/notifications-enabled.ts';
import { requestPermission, useNotificationState } from '#renderer/lib/notifications/permission.ts';
import { PERMISSION_DENIED, UNSUPPORTED } from '#renderer/lib/notifications/words.ts';
import { useToasts } from '#renderer/lib/toast.ts';
import { PausedNote } from './paused-note.tsx';
import { useFirstPermission } from './use-first-permission.ts';

/**
 * Notifications On/Off in this browser. It is on when notifications can come: an undecided
 * permission is asked for when it is switched on, and on first load.
 */
export function NotificationsToggle() {
  useFirstPermission();
  const state = useNotificationState();
  const [isEnabled, setEnabled] = useNotificationsEnabled();
  const toasts = useToasts();
  const isOn = isEnabled && state === 'granted';

  const turnOn = async (): Promise<void> => {
    const after = await requestPermission();
    if (after === 'unsupported') toasts.show(UNSUPPORTED);
    else if (after === 'denied') toasts.show(PERMISSION_DENIED);
    else if (after === 'granted') {
      setEnabled(true);
      toasts.show({ intent: 'done', title: 'Notifications enabled' });
    }
  };
  const turnOff = (): void => {
    setEnabled(false);
    toasts.show({ intent: 'done', title: 'Notifications disabled' });
  };

  return (
    <div className="ad-notify">
      <PausedNote />
      <Switch
        className="ad-notify-toggle"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        onChange={() => (isOn ? turnOff() : void turnOn())}
        label={`Notifications ${isOn ? 'On' : 'Off'}`}
      />
    </div>
  );
}
