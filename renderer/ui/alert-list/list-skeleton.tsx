import { CardList } from '@blueprintjs/core';
import { useRef } from 'react';
import { useIsComfortable } from '#renderer/lib/density.ts';
import { MOBILE, useMediaQuery } from '#renderer/lib/use-media-query.ts';
import { cardLayout } from '#renderer/ui/alert-card/card-layout.ts';
import type { AlertFeedProps } from './alert-feed.tsx';
import { SkeletonCard } from './skeleton-card.tsx';
import { useListGeometry } from './use-list-geometry.ts';
import '#renderer/ui/alert-card/alert-card.css';
import '#renderer/ui/alert-card/fields-zone.css';
import './alert-list.css';
import './comfortable.css';

const ROWS = ['1', '2', '3', '4', '5', '6'];

/** Six rows of bars while a list is loaded for the first time; shown after 150 ms, so that a quick answer does not flash. */
export function ListSkeleton({ label, geometry, onMeasure }: Pick<AlertFeedProps, 'label' | 'geometry' | 'onMeasure'>) {
  const list = useRef<HTMLDivElement>(null);
  useListGeometry(list, onMeasure);
  const layout = cardLayout('inbox', geometry.width, useMediaQuery(MOBILE), useIsComfortable());
  return (
    <>
      <output className="ad-hidden">Loading {label}…</output>
      <CardList
        ref={list}
        role="presentation"
        className={`ad-list ad-list--${layout.kind} ad-list-loading${layout.isComfortable ? ' ad-list--comfortable' : ''}`}
      >
        {ROWS.map((row) => (
          <SkeletonCard key={row} layout={layout} />
        ))}
      </CardList>
    </>
  );
}
