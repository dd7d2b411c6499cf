import { EntitySchema } from 'typeorm';
import type { AlertStatus } from '#backend/contract/alert.ts';
import { idColumn, longTextColumn, nullable, primary, textColumn, timeColumn } from '#backend/database/columns.ts';

/** A stored alert. `payload` and `extraData` are JSON texts, the payload exactly as received. */
export interface StoredAlert {
  id: string;
  receivedAt: number;
  status: AlertStatus;
  customer: string | null;
  alertType: string | null;
  url: string;
  payload: string;
  extraData: string;
  ownerId: string | null;
  folderId: string | null;
  /**
   * The API key that it came with, by the name that the key had then. Null in alerts of older versions, whose history
   * has this from the beginning.
   */
  sourceName: string | null;
}

/** What decides on an alert's lists and counters: all that is read of many alerts at once, never their payloads. */
export const ALERT_PLACE = ['id', 'status', 'ownerId', 'folderId', 'customer', 'alertType'] as const;
export type AlertPlace = Pick<StoredAlert, (typeof ALERT_PLACE)[number]>;

export const AlertEntity = new EntitySchema<StoredAlert>({
  name: 'Alert',
  tableName: 'alerts',
  columns: {
    id: primary(idColumn('id')),
    receivedAt: timeColumn('received_at'),
    status: textColumn('status', 16),
    customer: nullable(textColumn('customer', 200)),
    alertType: nullable(textColumn('alert_type', 200)),
    url: longTextColumn('url'),
    payload: longTextColumn('payload'),
    extraData: longTextColumn('extra_data'),
    ownerId: nullable(idColumn('owner_id')),
    folderId: nullable(idColumn('folder_id')),
    sourceName: nullable(textColumn('source_name', 100)),
  },
});
