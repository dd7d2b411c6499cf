import type { Customer } from '#backend/contract/mute.ts';
import type { StoredCustomer } from './customer-entity.ts';

/** A customer as it leaves the server (spec.md section 3). */
export const presentCustomer = ({ id, name, lastSeenAt }: StoredCustomer): Customer => ({
  id,
  name,
  lastSeenAt: new Date(lastSeenAt).toISOString(),
});
