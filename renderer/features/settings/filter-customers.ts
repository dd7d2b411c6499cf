import type { Customer } from '#backend/contract/mute.ts';
import { byName } from '#backend/contract/name-order.ts';

/** Above so many customers there is a search box (spec.md section 9). */
export const SEARCH_ABOVE = 5;

/** The customers whose name has the text in it, without regard to case, by name (spec.md section 5). */
export function filterCustomers(customers: readonly Customer[], search: string): Customer[] {
  const wanted = search.trim().toLowerCase();
  return customers
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((one, other) => byName(one.name, other.name));
}
