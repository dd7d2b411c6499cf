import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { AlertFeed, type AlertFeedProps } from './alert-feed.tsx';
import { useListRows } from './use-list-rows.ts';

export interface AlertListProps extends Omit<AlertFeedProps, 'drawn'> {
  /** What is shown instead when there is no alert, once the last card has left. */
  empty: ReactNode;
}

/** A list of alerts, or what is to be said when it is empty. */
export function AlertList({ empty, ...feed }: AlertListProps) {
  const drawn = useListRows(feed.alerts);
  const isEmpty = drawn.rows.length === 0 && feed.more === undefined;
  const place = useFocusWhenEmptied(isEmpty);
  if (!isEmpty) return <AlertFeed {...feed} drawn={drawn} />;
  return (
    <div ref={place} tabIndex={-1} className="ad-list-empty">
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
