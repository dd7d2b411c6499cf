import type { DeviceState } from '#backend/contract/announcement.ts';
import type { Notice } from '#renderer/lib/notifications/notice-board.ts';

/**
 * The system's notifications, as the page reaches them: the browser's ({@link file://./browser-way.ts}), or those of the
 * desktop app around it. What is told, and whether, was decided before.
 */
export interface NotificationWay {
  /** How it stands with them now. */
  state(): Pick<DeviceState, 'notificationsOn' | 'hasPush'>;
  /** Shows notices of new alerts, grouped in a storm. Throws when they cannot be shown: then a toast has to do. */
  tell(notices: readonly Notice[]): Promise<void>;
  /** A window in front has told of these alerts: a push that comes after the person has turned away is late. */
  told(alertIds: readonly string[]): Promise<void>;
  /** Closes the notifications with these tags: somebody has accepted or deleted their alerts. */
  close(tags: readonly string[]): Promise<void>;
  /** Closes all of them: nobody is signed in any more. */
  clear(): Promise<void>;
}
