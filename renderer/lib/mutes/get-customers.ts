import * as z from 'zod/mini';
import { type Customer, customerSchema } from '#backend/contract/mute.ts';
import { apiGet } from '#renderer/lib/api-client.ts';
import { namePagesQuery } from './name-pages.ts';

const customerListSchema = z.array(customerSchema);

/** `GET /api/customers`: the customers that alerts have named, page by page; with `search` those that contain it. */
export const customersQuery = (search = '') => namePagesQuery('/api/customers', customerListSchema, search);

/** The customer of this name, past the cache; undefined when there is none. Throws as `apiGet` does. */
export async function findCustomer(name: string): Promise<Customer | undefined> {
  const found = await apiGet(`/api/customers?${new URLSearchParams({ q: name })}`, customerListSchema);
  return found.find((customer) => customer.name === name);
}
