import { type ReactNode, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { LoadError } from '#renderer/ui/empty-state.tsx';
import { ListPanel } from '#renderer/alerts/panel/list-panel.tsx';
import { AlertFeed, type AlertFeedProps } from './alert-feed.tsx';
import { useListRows } from './list-rows.ts';
import { UNKNOWN_GEOMETRY } from './list-scroll.ts';
import { ListSkeleton } from './list-skeleton.tsx';
import type { ShownAlertList } from '#renderer/alerts/data/alert-queries.ts';
import * as styles from './alert-list.module.css';

interface AlertListBodyProps extends Pick<AlertListProps, 'card' | 'selection' | 'onSwipe' | 'cursor'> {
  /** Names the list. */
  title: string;
  list: ShownAlertList;
  /** What is shown when there is no alert at all. */
  empty: ReactNode;
}

/** A list of alerts in whatever state it is: loading, failed, empty, or there; and the alert that is open beside it. */
export function AlertListBody(props: AlertListBodyProps) {
  return (
    <>
      <ListInItsState {...props} />
      <ListPanel alerts={props.list.alerts} total={props.list.total} />
    </>
  );
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
  const alerts = useDeferredValue(feed.alerts);
  const more = useDeferredValue(feed.more);
  const total = useDeferredValue(feed.total);
  const drawn = useListRows(alerts);
  const isEmpty = drawn.rows.length === 0 && more === undefined;
  const place = useFocusWhenEmptied(isEmpty);
  if (!isEmpty) return <AlertFeed {...feed} alerts={alerts} more={more} total={total} drawn={drawn} />;
  return (
    <div ref={place} tabIndex={-1} className={styles.empty}>
      {empty}
    </div>
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
