import type { Customer } from '#backend/contract/mute.ts';

/** A customer as a list reads it; MySQL's driver gives BIGINT as text. */
export interface CustomerRow {
  id: string;
  name: string;
  lastSeenAt: number | string;
}

/** A customer as it leaves the server. */
export const presentCustomer = ({ id, name, lastSeenAt }: CustomerRow): Customer => ({
  id,
  name,
  lastSeenAt: new Date(Number(lastSeenAt)).toISOString(),
});
