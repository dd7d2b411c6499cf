import { EntitySchema } from 'typeorm';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/database/columns.ts';

/** What a member has decided about being told. Who never did has no row. */
export interface StoredNotificationSettings {
  userId: string;
  quietIsOn: boolean;
  /** Weekdays with commas between. */
  quietDays: string;
  /** `HH:MM` by the clock of the time zone. */
  quietFrom: string;
  quietTo: string;
  timeZone: string;
  pausedUntil: number | null;
}

export const NotificationSettingsEntity = new EntitySchema<StoredNotificationSettings>({
  name: 'NotificationSettings',
  tableName: 'notification_settings',
  columns: {
    userId: primary(idColumn('user_id')),
    quietIsOn: { type: 'boolean', name: 'quiet_is_on' },
    quietDays: textColumn('quiet_days', 40),
    quietFrom: textColumn('quiet_from', 5),
    quietTo: textColumn('quiet_to', 5),
    timeZone: textColumn('time_zone', 64),
    pausedUntil: nullable(timeColumn('paused_until')),
  },
});
