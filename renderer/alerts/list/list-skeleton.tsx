import { CardList, Classes } from '@blueprintjs/core';
import { type CSSProperties, type Dispatch, type Ref, type SetStateAction, useRef } from 'react';
import { type CardLayout, cardLayout } from '#renderer/alerts/card/card-layout.ts';
import { cardClass } from '#renderer/alerts/card/card-parts.tsx';
import { useIsComfortable } from '#renderer/lib/appearance.ts';
import { MOBILE, useMediaQuery } from '#renderer/lib/use-media-query.ts';
import { type ListGeometry, useListGeometry } from './list-scroll.ts';
import classNames from 'classnames';
import * as texts from './texts.tsx';
import * as styles from '#renderer/alerts/card/alert-card.module.css';
import * as alertListStyles from './alert-list.module.css';
import * as comfortableStyles from './comfortable.module.css';

const ROWS = ['1', '2', '3', '4', '5', '6'];

interface ListSkeletonProps {
  label: string;
  geometry: ListGeometry;
  onMeasure: Dispatch<SetStateAction<ListGeometry>>;
}

/** Six rows of bars while a list is loaded for the first time; shown after 150 ms, so that a quick answer does not flash. */
export function ListSkeleton({ label, geometry, onMeasure }: ListSkeletonProps) {
  const list = useRef<HTMLDivElement>(null);
  const isSmall = useMediaQuery(MOBILE);
  // On a small screen rows are the same however wide the list is; on others they would jump once it is measured.
  useListGeometry(list, onMeasure, isSmall);
  const layout = cardLayout('inbox', geometry.width, isSmall, useIsComfortable());
  return (
    <>
      <output className="ad-hidden">{texts.loadingValues(label)}</output>
      <CardList
        ref={list}
        role="presentation"
        className={classNames(
          alertListStyles.list,
          alertListStyles[`list_${layout.kind}`],
          alertListStyles.loading,
          layout.isComfortable && comfortableStyles.list_comfortable,
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
    <div
      ref={ref}
      className={`${alertListStyles.row} ${alertListStyles.skeletonRow}`}
      data-index={index}
      style={style}
      aria-hidden
    >
      <div className={cardClass({ state: 'event' }, layout, styles.card_inbox)}>
        <div className={styles.headline}>
          <Bar width={240} />
        </div>
        <div className={styles.lead}>
          <Bar width={104} />
          <Bar width={90} />
          <Bar width={120} />
        </div>
        <div className={styles.time}>
          <Bar width={40} />
          <Bar width={92} />
        </div>
        <div className={styles.main}>
          <span className={`${Classes.SKELETON} ${alertListStyles.skeletonButton}`} />
        </div>
      </div>
    </div>
  );
}

function Bar({ width }: { width: number }) {
  return <span className={`${Classes.SKELETON} ${alertListStyles.skeletonBar}`} style={{ width }} />;
}
