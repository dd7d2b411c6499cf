import type { Customer } from '#backend/contract/mute.ts';
import { sortByName } from '#backend/contract/name-order.ts';

/** Above so many customers there is a search box. */
export const SEARCH_ABOVE = 5;

/** The customers in the order of their names. */
export const sortCustomers = (customers: readonly Customer[]): Customer[] => sortByName(customers, ({ name }) => name);

/** The customers whose name has the text in it, without regard to case. */
export function filterCustomers(customers: readonly Customer[], search: string): readonly Customer[] {
  const wanted = search.trim().toLowerCase();
  return wanted === '' ? customers : customers.filter(({ name }) => name.toLowerCase().includes(wanted));
}
