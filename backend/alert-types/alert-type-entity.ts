import { EntitySchema } from 'typeorm';
import { SORT_KEY_LENGTH } from '#backend/contract/name-order.ts';
import { nullable, primary, textColumn, timeColumn } from '#backend/database/columns.ts';

/** An alert type, derived from the alerts that name one. */
export interface StoredAlertType {
  name: string;
  lastSeenAt: number;
  /** `nameSortKey` of the name: by which lists are sorted. */
  sortKey: string;
}

export const AlertTypeEntity = new EntitySchema<StoredAlertType>({
  name: 'AlertType',
  tableName: 'alert_types',
  columns: {
    name: primary(textColumn('name', 200)),
    lastSeenAt: timeColumn('last_seen_at'),
    sortKey: nullable(textColumn('sort_key', SORT_KEY_LENGTH)),
  },
});
