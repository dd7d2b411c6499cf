import { useQuery } from '@tanstack/react-query';
import { CALENDARS, DESTINATIONS, GROUPS, RULES } from './entries.tsx';
import { calendarsQuery, groupsQuery } from './ladder-data.ts';
import { destinationsQuery, rulesQuery } from './outgoing-data.ts';

/** How many there are of each, by the address of its list; undefined until that is read. What is known is not read again. */
export function useEntryCounts(): Record<string, number | undefined> {
  const known = { refetchOnMount: true, refetchInterval: false } as const;
  const destinations = useQuery({ ...destinationsQuery, ...known });
  const rules = useQuery({ ...rulesQuery, ...known });
  const groups = useQuery({ ...groupsQuery, ...known });
  const calendars = useQuery({ ...calendarsQuery, ...known });
  return {
    [DESTINATIONS.to]: destinations.data?.destinations.length,
    [RULES.to]: rules.data?.length,
    [GROUPS.to]: groups.data?.length,
    [CALENDARS.to]: calendars.data?.length,
  };
}
