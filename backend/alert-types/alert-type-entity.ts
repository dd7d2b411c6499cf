import { EntitySchema } from 'typeorm';
import { primary, textColumn, timeColumn } from '#backend/database/columns.ts';

/** An alert type, derived from the alerts that name one. */
export interface StoredAlertType {
  name: string;
  lastSeenAt: number;
}

export const AlertTypeEntity = new EntitySchema<StoredAlertType>({
  name: 'AlertType',
  tableName: 'alert_types',
  columns: {
    name: primary(textColumn('name', 200)),
    lastSeenAt: timeColumn('last_seen_at'),
  },
});
