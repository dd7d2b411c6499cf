import { EntitySchema } from 'typeorm';
import { idColumn, primary, textColumn } from '#backend/database/columns.ts';

/** One member does not want to be notified of one alert type. */
export interface StoredAlertTypeMute {
  userId: string;
  alertType: string;
}

export const AlertTypeMuteEntity = new EntitySchema<StoredAlertTypeMute>({
  name: 'AlertTypeMute',
  tableName: 'alert_type_mutes',
  columns: { userId: primary(idColumn('user_id')), alertType: primary(textColumn('alert_type', 200)) },
});
