import { Button } from '@blueprintjs/core';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { countText } from '#backend/contract/count-text.ts';
import { alertListSchema } from '#backend/contract/alert.ts';
import type { ShownAlertList } from '#renderer/alerts/data/alert-queries.ts';
import { type AlertListView, pathOf } from '#renderer/alerts/data/list-view.ts';
import type { ListFilter } from '#renderer/alerts/list/list-filter.ts';
import { searchOfFilter, useSourceName } from '#renderer/alerts/list/saved-filter.ts';
import { apiGetPage } from '#renderer/lib/api-client.ts';
import { ADMIN_ROLES, PATHS } from '#renderer/lib/paths.ts';
import { useSession } from '#renderer/session/session.ts';
import { type ViewDraft, useSaveView } from '#renderer/views/save-view.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './search-tabs-texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './search-tabs.module.css';

type ListName = Pick<AlertListView, 'list' | 'folderId' | 'completion'>;

/** Lists that can be searched instead. */
const PLACES = [
  { list: 'inbox', label: common.newAlerts, path: PATHS.inbox },
  { list: 'mine', label: common.myAlerts, path: PATHS.myAlerts },
  { list: 'all-folders', label: pageTexts.myFolders, path: PATHS.allFolders },
  { list: 'snoozed', label: common.snoozed, path: PATHS.snoozed },
  { list: 'all', label: texts.all, path: PATHS.allAlerts },
] as const;

interface SearchTabsProps {
  /** What the list is narrowed to; it has a search. */
  filter: ListFilter;
  /** The list on screen, and what was found in it. */
  list: ListName;
  shown: Pick<ShownAlertList, 'total' | 'isAtLeast'>;
}

/** How many alerts the same search and menus find in each list of the member, with the way there. */
export function SearchTabs({ filter, list, shown }: SearchTabsProps) {
  const search = searchOfFilter(filter, useSourceName(list, filter.source));
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
      <nav className={styles.tabs} aria-label={texts.searchIn}>
        {places.map((place, at) => {
          const isHere = place.list === list.list;
          const found = isHere ? shown : counts[at]?.data;
          return (
            <Link
              key={place.list}
              className={styles.tab}
              to={{ pathname: place.path, search: `?${new URLSearchParams({ search })}` }}
              {...(isHere && { 'aria-current': 'page' as const })}
            >
              {place.label}
              {found?.total !== undefined && (
                <span className={styles.tabCount}>
                  {countText(found.total)}
                  {found.isAtLeast === true && '+'}
                </span>
              )}
            </Link>
          );
        })}
      </nav>
      {isViewList(list.list) && <SaveViewButton search={search} list={list.list} sort={filter.sort} />}
      <FoundStatus key={search} shown={shown} />
    </>
  );
}

const isViewList = (list: AlertListView['list']) => list === 'inbox' || list === 'mine' || list === 'all';

/** Saves what is looked for, and what the list's menus are set to, as a view. */
function SaveViewButton(draft: ViewDraft) {
  const saveView = useSaveView();
  return (
    <Button
      className={styles.save}
      variant="minimal"
      intent="primary"
      text={pageTexts.saveAsView}
      aria-haspopup="dialog"
      onClick={() => saveView(draft)}
    />
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
        setSaid(
          `${countText(total)}${isAtLeast ? texts.orMore : ''} ${total === 1 ? texts.alertMatches : texts.alertsMatch}`,
        );
    }, ANNOUNCED_MS);
    return () => clearTimeout(timer);
  }, [total, isAtLeast]);
  return (
    <span className="ad-hidden" {...STATUS}>
      {said}
    </span>
  );
}
