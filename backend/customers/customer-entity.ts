import { EntitySchema } from 'typeorm';
import { SORT_KEY_LENGTH } from '#backend/contract/name-order.ts';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/database/columns.ts';

/** A customer, derived from the alerts that name one. */
export interface StoredCustomer {
  id: string;
  name: string;
  lastSeenAt: number;
  /** `nameSortKey` of the name: by which lists are sorted. */
  sortKey: string;
}

export const CustomerEntity = new EntitySchema<StoredCustomer>({
  name: 'Customer',
  tableName: 'customers',
  columns: {
    id: primary(idColumn('id')),
    name: textColumn('name', 200),
    lastSeenAt: timeColumn('last_seen_at'),
    sortKey: nullable(textColumn('sort_key', SORT_KEY_LENGTH)),
  },
});
