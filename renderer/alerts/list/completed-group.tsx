import { ChevronRightIcon } from '@blueprintjs/icons';
import { useMemo, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { type ShownAlertList, useAlertList } from '#renderer/alerts/data/alert-queries.ts';
import { alertTitle } from '#renderer/alerts/data/alert-labels.ts';
import { type AlertListView, pathOf } from '#renderer/alerts/data/list-view.ts';
import { useQueueProgress } from '#renderer/alerts/data/queue-progress.ts';
import { useIsAfterFirstScreen } from '#renderer/lib/first-screen.ts';
import { formatPast } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { useOpenGroup } from '#renderer/session/list-orders.ts';
import classNames from 'classnames';
import { countText } from '#backend/contract/count-text.ts';
import { detailsOf } from './completed-details.ts';
import { type FeedGroup, GROUP_ROW } from './feed-rows.ts';
import { filtersIn, orderName } from './list-filter.ts';
import type { FilteredList } from './list-frame.tsx';
import { NothingOpen } from './nothing-open.tsx';
import * as texts from './completed-texts.tsx';
import * as styles from './completed-group.module.css';

const NONE: readonly Alert[] = [];

/**
 * What is completed of a list that has the open alerts alone, as a group at its end: closed at first, remembered for the list; while
 * the list is narrowed open as long as something in it matches. Undefined for any other list.
 */
export function useCompletedGroup({ list, filter, view, shown }: FilteredList): FeedGroup | undefined {
  const isGrouped = list.completion === 'open';
  const isOpenEmpty = shown.alerts?.length === 0;
  // The list itself is what somebody waits for.
  const isAfter = useIsAfterFirstScreen();
  const isWanted = isOpenEmpty || (isAfter && shown.alerts !== undefined);
  const ofGroup: AlertListView = { ...view, completion: 'completed', sort: 'completed' };
  const place = pathOf(ofGroup);
  const completed = useAlertList(ofGroup, isGrouped && isWanted);
  const { isOpen: isRemembered, remember } = useOpenGroup(orderName(list));
  const [closedAt, setClosedAt] = useState<string>();
  const isNarrowed = filtersIn(filter) > 0;
  const isOpen = isNarrowed ? closedAt !== place : isRemembered;
  const isShown = completed.place === place;
  const { alerts, total, more, error } = completed;
  return useMemo(() => {
    if (!isGrouped) return undefined;
    const onToggle = (opens: boolean): void => {
      if (error) completed.retry();
      else if (isNarrowed) setClosedAt(opens ? undefined : place);
      else if (opens !== isRemembered) remember(opens);
    };
    return {
      alerts: (isShown ? alerts : undefined) ?? NONE,
      // A row that says what failed is there, too.
      total: error ? 1 : isShown ? total : undefined,
      more: isShown ? more : undefined,
      place,
      isOpen: isOpen && !error,
      onToggle,
      words: <GroupWords list={list} completed={completed} isNarrowed={isNarrowed} isOpen={isOpen} />,
      classes: { alone: styles.list_alone, row: styles.row, button: styles.button },
      nothingOpen: isNarrowed ? null : <NothingOpen list={list} />,
    };
    // `completed` is another object with each drawing; what is used of it is named.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isGrouped, alerts, total, more, error, isShown, place, isOpen, isNarrowed, isRemembered, remember, list]);
}

interface GroupWordsProps {
  list: FilteredList['list'];
  completed: ShownAlertList;
  isNarrowed: boolean;
  isOpen: boolean;
}

/** "Completed (24)", "4 today, the oldest from Nov 9" and, where there is space, the last one. */
function GroupWords({
  list,
  completed: { alerts = NONE, total = 0, more, error, isAtLeast },
  isNarrowed,
  isOpen,
}: GroupWordsProps) {
  const isWhole = more === undefined;
  const progress = useQueueProgress(list, !isNarrowed && !isWhole && !error);
  const known = isWhole || isNarrowed ? undefined : progress;
  const details = useNow((now) => detailsOf(alerts, { now, isWhole, total, known }));
  const [last] = alerts;
  const lastAt = useNow((now) => (last?.completedAt === undefined ? '' : formatPast(new Date(last.completedAt), now)));
  if (error)
    return (
      <>
        <span id={GROUP_ROW} className={styles.title}>
          {texts.completedNotLoaded}
        </span>{' '}
        <span className={styles.details}>{texts.failedTryAgain(error.message)}</span>
      </>
    );
  return (
    <>
      <ChevronRightIcon className={classNames(styles.caret, isOpen && styles.caret_open)} />
      <span id={GROUP_ROW} className={styles.title}>
        {texts.completed(countText(total), isAtLeast)}
      </span>{' '}
      <span className={styles.details}>{details}</span>{' '}
      {last && lastAt !== '' && (
        <span className={styles.last}>{texts.lastCompleted(<bdi>{alertTitle(last)}</bdi>, lastAt)}</span>
      )}
    </>
  );
}
