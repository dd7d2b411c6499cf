import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { alertListSchema } from '#backend/contract/alert.ts';
import { type ShownAlertList, useInboxCount, useMyAlertsCount } from '#renderer/alerts/data/alert-queries.ts';
import { type AlertListView, pathOf } from '#renderer/alerts/data/list-model.ts';
import { apiGetPage } from '#renderer/lib/api-client.ts';
import { countText } from '#renderer/lib/badge-text.ts';
import { ADMIN_ROLES, PATHS } from '#renderer/lib/paths.ts';
import { useSession } from '#renderer/session/session.ts';
import { timeZoneHere } from './search-text.ts';
import './search-tabs.css';

type ListName = Pick<AlertListView, 'list' | 'folderId'>;

/** Lists that can be searched instead. */
const PLACES = [
  { list: 'inbox', label: 'New Alerts', path: PATHS.inbox },
  { list: 'mine', label: 'My Alerts', path: PATHS.myAlerts },
  { list: 'snoozed', label: 'Snoozed', path: PATHS.snoozed },
  { list: 'all', label: 'All', path: PATHS.allAlerts },
] as const;

interface SearchTabsProps {
  search: string;
  /** The list on screen, and what was found in it. */
  list: ListName;
  shown: Pick<ShownAlertList, 'total' | 'isAtLeast'>;
}

/** How many alerts a search finds in each list of the member, with the way there. */
export function SearchTabs({ search, list, shown }: SearchTabsProps) {
  const { role } = useSession();
  const places = PLACES.filter((place) => place.list !== 'all' || ADMIN_ROLES.includes(role));
  const counts = useQueries({
    queries: places.map((place) => {
      const path = pathOf({ list: place.list, search, timeZone: timeZoneHere() });
      return {
        queryKey: ['found', path],
        queryFn: ({ signal }: { signal: AbortSignal }) => apiGetPage(path, alertListSchema, { limit: 1, signal }),
        enabled: place.list !== list.list,
        // The lists follow live; beside them a number may be some seconds old.
        staleTime: 10_000,
        gcTime: 60_000,
      };
    }),
  });
  return (
    <>
      <nav className="ad-search-tabs" aria-label="Search in">
        {places.map((place, at) => {
          const isHere = place.list === list.list;
          const found = isHere ? shown : counts[at]?.data;
          return (
            <Link
              key={place.list}
              className="ad-search-tab"
              to={{ pathname: place.path, search: `?${new URLSearchParams({ search })}` }}
              {...(isHere && { 'aria-current': 'page' as const })}
            >
              {place.label}
              {found?.total !== undefined && (
                <span className="ad-search-tab-count">
                  {countText(found.total)}
                  {found.isAtLeast === true && '+'}
                </span>
              )}
            </Link>
          );
        })}
      </nav>
      <FoundStatus key={search} shown={shown} />
    </>
  );
}

/** How long a count stays as it is before it is announced, in milliseconds. */
const ANNOUNCED_MS = 500;
const STATUS = { role: 'status' };

/** Says how many match, once that has not changed for a moment. */
function FoundStatus({ shown: { total, isAtLeast } }: Pick<SearchTabsProps, 'shown'>) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => {
      if (total !== undefined)
        setSaid(`${countText(total)}${isAtLeast ? ' or more' : ''} ${total === 1 ? 'alert matches' : 'alerts match'}`);
    }, ANNOUNCED_MS);
    return () => clearTimeout(timer);
  }, [total, isAtLeast]);
  return (
    <span className="ad-hidden" {...STATUS}>
      {said}
    </span>
  );
}

/** "of 317 match", where it is known how many there are in all. */
export function OfAll({ list: { list } }: { list: ListName }) {
  const [inbox, mine] = [useInboxCount(), useMyAlertsCount()];
  const all = list === 'inbox' ? inbox : list === 'mine' ? mine : undefined;
  return all === undefined ? 'match' : `of ${countText(all)} match`;
}
