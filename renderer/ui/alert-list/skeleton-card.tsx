import { Classes } from '@blueprintjs/core';
import type { CSSProperties, Ref } from 'react';
import type { CardLayout } from '#renderer/ui/alert-card/card-layout.ts';

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
      <div className={`ad-card ad-card--inbox ad-card--${layout.kind}`}>
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
