import { EntitySchema } from 'typeorm';
import { idColumn, primary, textColumn, timeColumn } from '#backend/database/columns.ts';

/** A customer, derived from the alerts that name one. */
export interface StoredCustomer {
  id: string;
  name: string;
  lastSeenAt: number;
}

export const CustomerEntity = new EntitySchema<StoredCustomer>({
  name: 'Customer',
  tableName: 'customers',
  columns: {
    id: primary(idColumn('id')),
    name: textColumn('name', 200),
    lastSeenAt: timeColumn('last_seen_at'),
  },
});
