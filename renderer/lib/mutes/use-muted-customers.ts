import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { customerMutesQuery } from './get-customer-mutes.ts';
import { customersQuery } from './get-customers.ts';

/** The names of the customers that I have muted. Nothing more than the mutes is read while there are none. */
export function useMutedCustomers(): ReadonlySet<string> {
  const { data: mutes } = useQuery({ ...customerMutesQuery, refetchOnMount: false });
  const hasMutes = mutes !== undefined && mutes.length > 0;
  const { data: customers } = useQuery({ ...customersQuery, refetchOnMount: false, enabled: hasMutes });
  return useMemo(() => {
    const muted = new Set(mutes?.map(({ customerId }) => customerId));
    return new Set(customers?.filter(({ id }) => muted.has(id)).map(({ name }) => name));
  }, [mutes, customers]);
}
