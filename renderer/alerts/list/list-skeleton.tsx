import { CardList, Classes } from '@blueprintjs/core';
import { type CSSProperties, type Dispatch, type Ref, type SetStateAction, useRef } from 'react';
import { type CardLayout, cardLayout } from '#renderer/alerts/card/card-layout.ts';
import { useIsComfortable } from '#renderer/lib/appearance.ts';
import { MOBILE, useMediaQuery } from '#renderer/lib/use-media-query.ts';
import { type ListGeometry, useListGeometry } from './list-scroll.ts';
import { joinClasses } from '#renderer/lib/join-classes.ts';
import '#renderer/alerts/card/alert-card.module.css';
import '#renderer/alerts/card/queue-card.module.css';
import '#renderer/alerts/card/stacked-card.module.css';
import '#renderer/alerts/card/status.module.css';
import '#renderer/alerts/card/fields-zone.module.css';
import './alert-list.module.css';
import './comfortable.module.css';

const ROWS = ['1', '2', '3', '4', '5', '6'];

interface ListSkeletonProps {
  label: string;
  geometry: ListGeometry;
  onMeasure: Dispatch<SetStateAction<ListGeometry>>;
}

/** Six rows of bars while a list is loaded for the first time; shown after 150 ms, so that a quick answer does not flash. */
export function ListSkeleton({ label, geometry, onMeasure }: ListSkeletonProps) {
  const list = useRef<HTMLDivElement>(null);
  useListGeometry(list, onMeasure);
  const layout = cardLayout('inbox', geometry.width, useMediaQuery(MOBILE), useIsComfortable());
  return (
    <>
      <output className="ad-hidden">Loading {label}…</output>
      <CardList
        ref={list}
        role="presentation"
        className={joinClasses(
          'ad-list',
          `ad-list--${layout.kind}`,
          'ad-list-loading',
          layout.isComfortable && 'ad-list--comfortable',
        )}
      >
        {ROWS.map((row) => (
          <SkeletonCard key={row} layout={layout} />
        ))}
      </CardList>
    </>
  );
}

interface SkeletonCardProps {
  layout: CardLayout;
  /** Where it stands in a virtual list. */
  index?: number;
  style?: CSSProperties;
  ref?: Ref<HTMLDivElement>;
}

/** Bars in a card's own zones, for an alert that is being fetched. */
export function SkeletonCard({ layout, index, style, ref }: SkeletonCardProps) {
  return (
    <div ref={ref} className="ad-list-row ad-skeleton-row" data-index={index} style={style} aria-hidden>
      <div className={joinClasses('ad-card', 'ad-card--inbox', `ad-card--${layout.kind}`)}>
        <div className="ad-card-lead">
          <Bar width={148} />
          <Bar width={104} />
        </div>
        <div className="ad-card-fields">
          {[150, 90, 190, 70].map((width) => (
            <div key={width} className="ad-field">
              <Bar width={52} />
              <Bar width={width} />
            </div>
          ))}
        </div>
        <div className="ad-card-time">
          <Bar width={92} />
          <Bar width={60} />
        </div>
        <div className="ad-card-actions">
          <span className={`${Classes.SKELETON} ad-skeleton-button`} />
        </div>
      </div>
    </div>
  );
}

function Bar({ width }: { width: number }) {
  return <span className={`${Classes.SKELETON} ad-skeleton-bar`} style={{ width }} />;
}
