import { type ReactNode, useDeferredValue, useState } from 'react';
import { LoadError } from '#renderer/ui/empty-state.tsx';
import { ListPanel } from '#renderer/alerts/panel/list-panel.tsx';
import { AlertFeed } from './alert-feed.tsx';
import type { AlertFeedProps } from './feed-props.ts';
import type { FeedGroup } from './feed-rows.ts';
import { UNKNOWN_GEOMETRY } from './list-scroll.ts';
import { ListSkeleton } from './list-skeleton.tsx';
import type { ShownAlertList } from '#renderer/alerts/data/alert-queries.ts';

interface AlertListBodyProps extends Pick<
  AlertFeedProps,
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
      <AlertFeed
        key={place}
        {...feed}
        place={place}
        label={title}
        geometry={geometry}
        onMeasure={onMeasure}
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
