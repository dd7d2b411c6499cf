import { EntitySchema } from 'typeorm';
import { idColumn, primary } from '#backend/database/columns.ts';

/** One member does not want to be notified of one customer. */
export interface StoredCustomerMute {
  userId: string;
  customerId: string;
}

export const CustomerMuteEntity = new EntitySchema<StoredCustomerMute>({
  name: 'CustomerMute',
  tableName: 'customer_mutes',
  columns: { userId: primary(idColumn('user_id')), customerId: primary(idColumn('customer_id')) },
});
