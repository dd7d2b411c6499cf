import { onTheWall } from '#renderer/lib/clock.ts';
import { writeTime } from '#renderer/lib/times.ts';
import { isSameDay } from 'date-fns';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import type { DeliveryCounts } from '#backend/contract/delivery.ts';
import { counted } from '#renderer/features/sources/shown/amounts.ts';
import { barsOf, sumOf } from '#renderer/features/sources/shown/sparkline-bars.ts';
import * as texts from './texts.ts';
import * as sparklineStyles from '#renderer/features/sources/shown/sparkline.module.css';
import * as styles from './time-line.module.css';

/** Height of the bars, in pixels. */
const HEIGHT = 24;

interface TimeLineProps {
  parts: DeliveryCounts['parts'];
  range: { from: string; to: string } | undefined;
  onRange: (range: { from: string; to: string } | undefined) => void;
}

/** The deliveries of the span as bars. Dragging over them, or Shift and arrow keys, select a range of time. */
export function TimeLine({ parts, range, onRange }: TimeLineProps) {
  const bars = barsOf(parts, HEIGHT);
  const box = useRef<HTMLButtonElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number }>();
  const ends = [...parts.slice(1).map(({ from }) => from), endOf(parts)];
  const chosen = drag ?? indexesOf(parts, range);

  const choose = (from: number, to: number): void => {
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    const start = parts[first]?.from;
    const stop = ends[last];
    if (start !== undefined && stop !== undefined) onRange({ from: start, to: stop });
  };
  const partAt = ({ clientX }: PointerEvent): number => {
    const { left = 0, width = 1 } = box.current?.getBoundingClientRect() ?? {};
    const part = Math.floor(((clientX - left) / width) * parts.length);
    return Math.min(parts.length - 1, Math.max(0, part));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && range) return onRange(undefined);
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (!event.shiftKey || step === 0) return undefined;
    event.preventDefault();
    const { from, to } = chosen ?? { from: parts.length, to: parts.length - 1 };
    return step < 0 ? choose(Math.max(0, from - 1), to) : choose(Math.min(to, from + 1), to);
  };
  const { deliveries, refused } = sumOf(parts);
  return (
    <div className={styles.timeLine}>
      <button
        ref={box}
        type="button"
        className={styles.bars}
        aria-label={texts.timeLine(counted(deliveries, 'delivery', 'deliveries'), refused)}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const part = partAt(event);
          setDrag({ from: part, to: part });
        }}
        onPointerMove={(event) => setDrag((now) => now && { ...now, to: partAt(event) })}
        onPointerUp={() => {
          if (drag && drag.from !== drag.to) choose(drag.from, drag.to);
          else if (range) onRange(undefined);
          setDrag(undefined);
        }}
        onPointerCancel={() => setDrag(undefined)}
        onKeyDown={onKeyDown}
      >
        {chosen && (
          <span
            className={styles.range}
            style={{
              left: `${(Math.min(chosen.from, chosen.to) / parts.length) * 100}%`,
              width: `${((Math.abs(chosen.to - chosen.from) + 1) / parts.length) * 100}%`,
            }}
          />
        )}
        {parts.map((part, place) => {
          const { accepted, refused: red } = bars[place] ?? { accepted: 0, refused: 0 };
          return (
            <span
              key={part.from}
              className={`${sparklineStyles.bar} ${styles.timelineBar}`}
              data-tip={tipOf(part)}
              data-tip-always
            >
              {red > 0 && <span className={sparklineStyles.refused} style={{ height: red }} />}
              {accepted > 0 && <span className={sparklineStyles.accepted} style={{ height: accepted }} />}
            </span>
          );
        })}
      </button>
      <div className={styles.labels} aria-hidden>
        {labelsOf(parts).map(({ at, text }) => (
          <span key={at} style={{ left: `${at * 100}%` }}>
            {text}
          </span>
        ))}
        <span className={styles.now}>{texts.now}</span>
      </div>
    </div>
  );
}

type Part = DeliveryCounts['parts'][number];

const tipOf = ({ from, deliveries, refused }: Part): string =>
  `${writeTime(new Date(from), 'MMM d, h:mm a')}: ${counted(deliveries, 'delivery', 'deliveries')}${refused > 0 ? texts.refused(refused) : ''}`;

/**
 * The end of the last part, which is later than the opening of the page once they were read again. Parts are equally long, their
 * begins are rounded down to milliseconds, and what came at the end itself is counted: none of it is beyond.
 */
function endOf(parts: readonly Part[]): string {
  const [first = 0, last = 0] = [parts[0], parts.at(-1)].map((part) => Date.parse(part?.from ?? ''));
  return new Date(Math.ceil(last + (last - first) / (parts.length - 1)) + 2).toISOString();
}

/** The parts that a range covers. */
function indexesOf(parts: readonly Part[], range: TimeLineProps['range']): { from: number; to: number } | undefined {
  if (!range) return undefined;
  const from = parts.findIndex((part) => part.from >= range.from);
  const to = parts.findLastIndex((part) => part.from < range.to);
  return from === -1 || to < from ? undefined : { from, to };
}

/** The beginning, and every quarter of the time after it. */
function labelsOf(parts: readonly Part[]): { at: number; text: string }[] {
  const shown = [0, 0.25, 0.5, 0.75].map((at) => ({ at, from: parts[Math.round(at * parts.length)]?.from }));
  return shown.flatMap(({ at, from }, place) => {
    if (from === undefined) return [];
    const before = shown[place - 1]?.from;
    const time = new Date(from);
    const isNewDay = before === undefined || !isSameDay(onTheWall(time), onTheWall(before));
    return { at, text: writeTime(time, isNewDay ? 'MMM d, h:mm a' : 'h:mm a') };
  });
}
