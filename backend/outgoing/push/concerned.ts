import type { AlertSeverity } from '#backend/contract/alert.ts';
import { type AnnouncedAlert, noticeAbout } from '#backend/contract/announcement.ts';
import type { PendingAlert } from './push-audience.ts';
import type { PersonalMessage } from './push-message.ts';
import { type MemberSettings, alertsToPush } from './push-recipients.ts';

/** What members are notified of beside alerts. */
export interface Reported {
  /** Whom; null: everybody. */
  userId: string | null;
  /** Whether it is about a member, and not news for everybody. */
  isAbout: (userId: string) => boolean;
  /** Also in quiet hours and pauses. Whoever reports it has asked what the member wants. */
  isUrgent?: boolean;
  /** The alert that nobody has taken, where it says that. */
  untakenAlertId?: string | undefined;
  /** Of the worst alert that it is about; absent where it is about none. */
  severity?: AlertSeverity;
  /** The message to a member. */
  messageFor: (userId: string) => PersonalMessage;
}

/** What is sent to a member of these alerts, with what they decided for views: of an owned one its owner alone is notified. */
export const alertsFor = (userId: string, alerts: readonly PendingAlert[]): (PendingAlert & AnnouncedAlert)[] =>
  alerts
    .filter(({ ownerId }) => ownerId === null || ownerId === userId)
    .map((alert) =>
      Object.assign({ isMine: alert.ownerId === userId, viewLevel: alert.choices?.().get(userId) }, alert),
    );

/** Whether a member is sent what is no news of one alert. @param now milliseconds since the epoch. */
export const isNoticeFor = (notice: Reported, userId: string, settings: MemberSettings, now: number): boolean =>
  (notice.userId ?? userId) === userId &&
  (notice.isUrgent === true
    ? settings.isActive
    : alertsToPush(settings, [noticeAbout(notice.isAbout(userId), notice.severity)], now).length > 0);
