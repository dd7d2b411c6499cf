import { queryOptions } from '@tanstack/react-query';
import { type Customer, customerSchema } from '#backend/contract/mute.ts';
import { apiGet } from '#renderer/lib/api-client.ts';

const customerListSchema = customerSchema.array();

/** `GET /api/customers`: every customer that alerts have named. Read anew when a page opens: no event tells of them. */
export const customersQuery = queryOptions<Customer[]>({
  queryKey: ['/api/customers'],
  queryFn: ({ signal }) => apiGet('/api/customers', customerListSchema, { signal }),
  refetchOnMount: 'always',
});
