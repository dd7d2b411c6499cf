import { Checkbox } from '@blueprintjs/core';
import { NotificationsSnoozeIcon } from '@blueprintjs/icons';
import { type Range, defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatMoment } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import * as texts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './mute-rows.module.css';

/** Up to so many rows are drawn as they are; more scroll in a box of their own, which draws those in view. */
const PLAIN_ROWS = 50;

/** Height of a row before it is measured, in pixels. */
const ROW_HEIGHT = 41;

/** Rows drawn beyond what is in view; the keyboard goes from one to the next. */
const OVERSCAN = 8;

/** A row's position in a list that draws some of its rows only. */
export interface RowPlace {
  ref: Ref<HTMLLIElement>;
  style: CSSProperties;
  'data-index': number;
  'aria-posinset': number;
  'aria-setsize': number;
}

interface MuteRowsProps<Row> {
  label: string;
  rows: readonly Row[];
  /** How many rows there are, loaded or not. */
  total: number;
  keyOf: (row: Row) => string;
  /** Loads more rows; undefined when all are loaded or some are loading. */
  loadMore: (() => void) | undefined;
  /** Draws a row; `place` goes to its list item. */
  children: (row: Row, place: RowPlace | undefined) => ReactNode;
}

/** The rows of a panel, few or many. */
export function MuteRows<Row>(props: MuteRowsProps<Row>) {
  const { label, rows, total, children } = props;
  if (total > PLAIN_ROWS) return <VirtualRows {...props} />;
  return (
    <ul className={panelStyles.rows} aria-label={label}>
      {rows.map((row) => children(row, undefined))}
    </ul>
  );
}

function VirtualRows<Row>({ label, rows, total, keyOf, loadMore, children }: MuteRowsProps<Row>) {
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  // The row with the focus stays, wherever the list is scrolled to.
  const focused = useRef(-1);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    enabled: scroller !== null,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
    overscan: OVERSCAN,
    rangeExtractor: (range) => withFocused(range, focused.current),
  });
  const items = virtualizer.getVirtualItems();
  const isAtEnd = (items.at(-1)?.index ?? 0) >= rows.length - OVERSCAN;
  useEffect(() => {
    if (isAtEnd) loadMore?.();
  }, [isAtEnd, loadMore]);

  return (
    <ScrollRegion
      ref={setScroller}
      label={label}
      className={styles.scroll}
      onFocus={({ target }) => {
        focused.current = Number(target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1);
      }}
      onBlur={() => {
        focused.current = -1;
      }}
    >
      <ul
        className={`${panelStyles.rows} ${styles.rows}`}
        aria-label={label}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return children(row, {
            ref: virtualizer.measureElement,
            style: { transform: `translateY(${start}px)` },
            'data-index': index,
            'aria-posinset': index + 1,
            'aria-setsize': total,
          });
        })}
      </ul>
    </ScrollRegion>
  );
}

function withFocused(range: Range, focused: number): number[] {
  const indexes = defaultRangeExtractor(range);
  if (focused < 0 || focused >= range.count || indexes.includes(focused)) return indexes;
  return [...indexes, focused].sort((one, other) => one - other);
}

interface MuteRowProps {
  name: string;
  muted: boolean;
  /** When the mute ends, if it does. */
  until: string | undefined;
  /** Said at the right, about this row. */
  children: ReactNode;
  onChange: (muted: boolean) => void;
  /** More that can be set of it, at the end. */
  end?: ReactNode;
  /** Its position in a list that draws some of its rows only. */
  place: RowPlace | undefined;
}

/** A customer or an alert type: checked means that the member is notified. */
export function MuteRow({ name, muted, until, children, onChange, end, place }: MuteRowProps) {
  const noteId = useId();
  const endText = useNow((now) => (until === undefined ? undefined : formatMoment(new Date(until), now)));
  const text = inertLine(name);
  return (
    <li className={`${panelStyles.row} ${styles.row}`} {...place}>
      <Checkbox
        className={styles.check}
        checked={!muted}
        onChange={({ target }) => onChange(!target.checked)}
        aria-describedby={noteId}
        labelElement={
          <span className={styles.name} dir="auto" data-tip={text}>
            {text}
          </span>
        }
      />
      {muted && (
        <span className={panelStyles.badge}>
          <NotificationsSnoozeIcon size={12} />
          {texts.mutedUntil(endText)}
        </span>
      )}
      <span id={noteId} className={styles.note}>
        {children}
      </span>
      {end}
    </li>
  );
}
