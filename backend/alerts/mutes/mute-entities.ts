import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import { SORT_KEY_LENGTH } from '#backend/contract/name.ts';
import type { NoticeLevel } from '#backend/contract/notification-settings.ts';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';

/** Longest name of a customer or alert type, in characters. */
const MAX_NAME_LENGTH = 200;

/** An alert type, derived from the alerts that name one. */
export interface StoredAlertType {
  name: string;
  lastSeenAt: number;
  /** `nameSortKey` of the name: lists are sorted by it. */
  sortKey: string;
}

/** A customer, derived from the alerts that name one. */
export interface StoredCustomer extends StoredAlertType {
  id: string;
}

const SEEN_COLUMNS = {
  lastSeenAt: timeColumn('last_seen_at'),
  sortKey: nullable(textColumn('sort_key', SORT_KEY_LENGTH)),
};

export const CustomerEntity = new EntitySchema<StoredCustomer>({
  name: 'Customer',
  tableName: 'customers',
  columns: { id: primary(idColumn('id')), name: textColumn('name', MAX_NAME_LENGTH), ...SEEN_COLUMNS },
});

export const AlertTypeEntity = new EntitySchema<StoredAlertType>({
  name: 'AlertType',
  tableName: 'alert_types',
  columns: { name: primary(textColumn('name', MAX_NAME_LENGTH)), ...SEEN_COLUMNS },
});

/** How much one member is notified of one customer, one alert type, or one source; `never`: it is muted. */
const muteEntity = <K extends string>(name: string, tableName: string, key: K, column: EntitySchemaColumnOptions) =>
  new EntitySchema<Record<'userId' | K, string> & { level: NoticeLevel }>({
    name,
    tableName,
    columns: {
      userId: primary(idColumn('user_id')),
      [key]: primary(column),
      level: { ...textColumn('level', 8), default: 'never' },
    } as Record<'userId' | 'level' | K, EntitySchemaColumnOptions>,
  });

export const CustomerMuteEntity = muteEntity('CustomerMute', 'customer_mutes', 'customerId', idColumn('customer_id'));

export const AlertTypeMuteEntity = muteEntity(
  'AlertTypeMute',
  'alert_type_mutes',
  'alertType',
  textColumn('alert_type', MAX_NAME_LENGTH),
);

export const SourceMuteEntity = muteEntity('SourceMute', 'source_mutes', 'sourceId', idColumn('source_id'));

/** What may be muted, or have another level of its own. */
export type MuteKind = 'customer' | 'alert_type' | 'source';

/** The latest call of a member that mutes or enables everything of a kind: an earlier one that still runs stops. */
export interface StoredBulkMute {
  userId: string;
  /** `turn` is the row that `holdNames` locks. */
  kind: MuteKind | 'turn';
  token: string;
}

export const BulkMuteEntity = new EntitySchema<StoredBulkMute>({
  name: 'BulkMute',
  tableName: 'bulk_mutes',
  columns: {
    userId: primary(idColumn('user_id')),
    kind: primary(textColumn('kind', 16)),
    token: idColumn('token'),
  },
});
