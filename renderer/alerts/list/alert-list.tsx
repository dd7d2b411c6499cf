import { type ReactNode, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { LoadError } from '#renderer/ui/empty-state.tsx';
import { ListPanel } from '#renderer/alerts/panel/list-panel.tsx';
import { AlertFeed } from './alert-feed.tsx';
import type { AlertFeedProps } from './feed-props.ts';
import { type FeedGroup, useFeedRows } from './feed-rows.ts';
import { UNKNOWN_GEOMETRY } from './list-scroll.ts';
import { ListSkeleton } from './list-skeleton.tsx';
import type { ShownAlertList } from '#renderer/alerts/data/alert-queries.ts';
import * as styles from './alert-list.module.css';

interface AlertListBodyProps extends Pick<
  AlertListProps,
  'card' | 'selection' | 'onSwipe' | 'cursor' | 'group' | 'fold'
> {
  /** Names the list. */
  title: string;
  list: ShownAlertList;
  /** What is shown when there is no alert at all. */
  empty: ReactNode;
}

/** A list of alerts in whatever state it is: loading, failed, empty, or there; and the alert that is open beside it. */
export function AlertListBody(props: AlertListBodyProps) {
  const { list, group, fold } = props;
  const rows = fold?.rows(list.alerts, group?.isOpen ? group.alerts : undefined);
  return (
    <>
      <ListInItsState {...props} />
      <ListPanel {...withGroup(list, group)} rows={rows} fold={fold} />
    </>
  );
}

/** The alerts to go through one by one: with those of an open group. */
function withGroup({ alerts, total }: ShownAlertList, group: FeedGroup | undefined) {
  if (!alerts || !group?.isOpen) return { alerts, total };
  return { alerts: [...alerts, ...group.alerts], total: (total ?? 0) + (group.total ?? 0) };
}

function ListInItsState({ title, list, ...feed }: AlertListBodyProps) {
  const { alerts, total, more, place, error, retry } = list;
  const [geometry, onMeasure] = useState(UNKNOWN_GEOMETRY);
  // The first cards are drawn in slices, so that a slow phone can answer in between.
  const isDrawn = useDeferredValue(alerts !== undefined);
  if (alerts && isDrawn)
    return (
      <AlertList
        key={place}
        {...feed}
        place={place}
        label={title}
        geometry={geometry}
        onMeasure={onMeasure}
        alerts={alerts}
        total={total ?? alerts.length}
        more={more}
      />
    );
  return error ? (
    <LoadError what={title} error={error} onRetry={retry} />
  ) : (
    <ListSkeleton label={title} geometry={geometry} onMeasure={onMeasure} />
  );
}

export interface AlertListProps extends Omit<AlertFeedProps, 'drawn'> {
  /** What is shown instead when there is no alert, once the last card has left. */
  empty: ReactNode;
}

/** A list of alerts, or what is to be said when it is empty. */
function AlertList({ empty, ...feed }: AlertListProps) {
  // Many cards that come at once are drawn in slices, so that a press or a key is answered in between.
  const { fold } = feed;
  const all = useDeferredValue(feed.alerts);
  const alerts = fold?.heads(all) ?? all;
  const more = useDeferredValue(feed.more);
  const total = useDeferredValue(feed.total) - all.length + alerts.length;
  const group = useDeferredValue(feed.group);
  const drawn = useFeedRows(alerts, more, group, fold);
  const isEmpty = drawn.rows.length === 0;
  const place = useFocusWhenEmptied(isEmpty);
  const stands = drawn.open === 0 && more === undefined ? (isEmpty ? empty : group?.nothingOpen) : undefined;
  return (
    <>
      {stands !== undefined && (
        <div ref={place} tabIndex={-1} className={styles.empty}>
          {stands}
        </div>
      )}
      {!isEmpty && <AlertFeed {...feed} alerts={alerts} more={more} total={total} group={group} drawn={drawn} />}
    </>
  );
}

/** When the focused card leaves, the card in its place takes the focus; it never jumps to the page's top. */
function useFocusWhenEmptied(isEmpty: boolean) {
  const place = useRef<HTMLDivElement>(null);
  const wasEmpty = useRef(isEmpty);
  useLayoutEffect(() => {
    if (isEmpty && !wasEmpty.current && document.activeElement === document.body) {
      place.current?.focus({ preventScroll: true });
    }
    wasEmpty.current = isEmpty;
  }, [isEmpty]);
  return place;
}
