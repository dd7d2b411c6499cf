import { EntitySchema } from 'typeorm';
import type { SoundName } from '#backend/contract/notification-settings.ts';
import { idColumn, primary, textColumn } from '#backend/database/columns.ts';

/** The sound that one member chose for one alert type. */
export interface StoredAlertSound {
  userId: string;
  alertType: string;
  sound: SoundName;
}

export const AlertSoundEntity = new EntitySchema<StoredAlertSound>({
  name: 'AlertSound',
  tableName: 'alert_sounds',
  columns: {
    userId: primary(idColumn('user_id')),
    alertType: primary(textColumn('alert_type', 200)),
    sound: textColumn('sound', 16),
  },
});
