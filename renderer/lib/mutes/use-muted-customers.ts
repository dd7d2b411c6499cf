import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { mutedNamesQuery } from './get-customer-mutes.ts';

/** The names of the customers that I have muted. */
export function useMutedCustomers(): ReadonlySet<string> {
  const { data: names } = useQuery({ ...mutedNamesQuery, refetchOnMount: false });
  return useMemo(() => new Set(names), [names]);
}
