import { type ReactNode, useDeferredValue, useState } from 'react';
import { LoadError } from '#renderer/ui/load-error.tsx';
import { AlertList, type AlertListProps } from './alert-list.tsx';
import { ListSkeleton } from './list-skeleton.tsx';
import { UNKNOWN_GEOMETRY } from './use-list-geometry.ts';
import type { ShownAlertList } from './use-alert-list.ts';

interface AlertListBodyProps extends Pick<AlertListProps, 'variant' | 'renderCard' | 'onPrimary'> {
  /** Names the list. */
  title: string;
  list: ShownAlertList;
  /** What is shown when there is no alert at all. */
  empty: ReactNode;
}

/** A list of alerts in whatever state it is: loading, failed, empty, or there. */
export function AlertListBody({ title, list, ...feed }: AlertListBodyProps) {
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
