import { useToasts } from '#renderer/toasts/toast.ts';
import {
  PERMISSION_DENIED,
  UNSUPPORTED,
  requestPermission,
  useNotificationState,
  useNotificationsEnabled,
} from './browser-notifications.ts';
import * as texts from './texts.ts';

/** Notifications On/Off in this browser. They are on when they can come. */
export interface NotificationSwitch {
  isOn: boolean;
  /** Asks for an undecided permission, and says what came of it. */
  turnOn: () => Promise<void>;
  turnOff: () => void;
}

/** The switch of this browser's notifications; see {@link NotificationSwitch}. */
export function useNotificationSwitch(): NotificationSwitch {
  const state = useNotificationState();
  const [isEnabled, setEnabled] = useNotificationsEnabled();
  const toasts = useToasts();
  return {
    isOn: isEnabled && state === 'granted',
    turnOn: async () => {
      const after = await requestPermission();
      if (after === 'unsupported') toasts.show(UNSUPPORTED);
      else if (after === 'denied') toasts.show(PERMISSION_DENIED);
      else if (after === 'granted') {
        setEnabled(true);
        toasts.show({ intent: 'done', title: texts.notificationsEnabled });
      }
    },
    turnOff: () => {
      setEnabled(false);
      toasts.show({ intent: 'done', title: texts.notificationsDisabled });
    },
  };
}
