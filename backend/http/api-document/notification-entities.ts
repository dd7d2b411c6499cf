import {
  newExceptionSchema,
  notificationExceptionSchema,
  notificationPreviewSchema,
} from '#backend/contract/notification-exception.ts';
import {
  alertSoundChangeSchema,
  alertSoundSchema,
  noticeLevelSchema,
  notificationSettingsChangeSchema,
  notificationSettingsSchema,
  quietHoursSchema,
  soundNameSchema,
  weekdaySchema,
} from '#backend/contract/notification-settings.ts';
import type { Entities } from './account-entities.ts';

/** What a member decides about being notified. */
export const NOTIFICATION_ENTITIES: Entities = {
  NotificationSettings: [
    notificationSettingsSchema,
    'What a member has decided about being notified, beside the exceptions.',
  ],
  NotificationSettingsChange: [notificationSettingsChangeSchema, 'What is to change; what is absent stays.'],
  NoticeLevel: [
    noticeLevelSchema,
    'What a member is notified of: everything, what is at least that severe and what is theirs, what is theirs alone, nothing.',
  ],
  NotificationException: [
    notificationExceptionSchema,
    'What a member is notified of otherwise than of the rest; with the level `never` it is muted.',
  ],
  NewNotificationException: [newExceptionSchema, 'An exception to be set.'],
  NotificationPreview: [
    notificationPreviewSchema,
    'What a member would have been notified of in the last days, by choice for all and by exception, and what is decided of recent alerts.',
  ],
  QuietHours: [
    quietHoursSchema,
    'When a member wants quiet. A period over midnight belongs to the day on which it begins; the same time twice is the whole day.',
  ],
  AlertSound: [alertSoundSchema, 'The sound of one alert type.'],
  AlertSoundChange: [alertSoundChangeSchema, 'The sound of an alert type; null for none.'],
  SoundName: [soundNameSchema, 'The sounds that come with the web app.'],
  Weekday: [weekdaySchema, 'Monday first.'],
};
