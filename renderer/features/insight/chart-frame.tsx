import { Button } from '@blueprintjs/core';
import { ThIcon } from '@blueprintjs/icons';
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import classNames from 'classnames';
import * as texts from './texts.ts';
import * as styles from './charts.module.css';

/** A value of a chart: where it stands, how far it reaches to both sides, and what its tooltip says. */
export interface ChartValue {
  x: number;
  reach: number;
  y: number;
  /** The first line of the tooltip, with a number beside it where there is one. */
  title: string;
  total?: string;
  rows: readonly (readonly [string, string])[];
}

/** A chart as a table. */
export interface ChartTable {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

interface ChartFrameProps {
  title: string;
  legend?: ReactNode;
  height: number;
  table: ChartTable;
  /** How many values there are, and how many stand side by side where they have rows, too. */
  count: number;
  columns?: number;
  valueAt: (at: number, width: number) => ChartValue;
  /** The value at a place of the drawing. */
  findAt: (x: number, y: number, width: number) => number | undefined;
  /** What Enter and a click on a value do; the word says so to assistive technology. */
  open?: { hint: string; at: (at: number) => void };
  renderDrawing: (width: number, active: number | undefined) => ReactNode;
}

/** The keyboard walks the values by itself, so a screen reader is to leave the arrows to it. */
const CHART = { role: 'application', 'aria-roledescription': texts.chart, tabIndex: 0 };

/**
 * A panel with a chart: one tab stop, arrows walk its values, and the tooltip of the value is announced. Its button shows
 * it as a table.
 */
export function ChartFrame(props: ChartFrameProps) {
  const { title, legend, table, count } = props;
  const id = useId();
  const [isTable, setIsTable] = useState(false);
  return (
    <section className={styles.chart} aria-labelledby={id}>
      <div className={styles.chartHead}>
        <h2 id={id} className={styles.chartTitle}>
          {title}
        </h2>
        {!isTable && legend}
        <Button
          className={styles.chartTableButton}
          variant="minimal"
          icon={<ThIcon />}
          active={isTable}
          aria-pressed={isTable}
          aria-label={texts.asTable(title)}
          data-tip={texts.showAsTable}
          onClick={() => setIsTable(!isTable)}
        />
      </div>
      {isTable ? (
        <ScrollRegion label={texts.titleTable(title)} className={styles.chartScroll}>
          <DataTable {...table} />
        </ScrollRegion>
      ) : (
        <Drawing {...props} key={count} />
      )}
    </section>
  );
}

export function DataTable({ head, rows }: ChartTable) {
  return (
    <table className={styles.figures}>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, at) => (
              <td key={head[at + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Drawing({ title, height, count, columns, valueAt, findAt, open, renderDrawing }: ChartFrameProps) {
  const [width, setWidth] = useState(0);
  const [walked, setWalked] = useState<number>();
  const [hovered, setHovered] = useState<number>();
  const [last, setLast] = useState<number>();
  const ref = useRef<HTMLDivElement>(null);
  const hintId = useId();
  useLayoutEffect(() => {
    if (ref.current) setWidth(ref.current.clientWidth);
  }, []);
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const active = walked ?? hovered;
  const shown = active === undefined || width === 0 ? undefined : valueAt(active, width);
  const walk = (to: number): void => {
    const next = Math.min(Math.max(to, 0), count - 1);
    setWalked(next);
    setLast(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || count === 0) return;
    const at = walked ?? last ?? -1;
    const row = columns ?? count;
    const keys: Record<string, (() => void) | undefined> = {
      ArrowRight: () => walk(at + 1),
      ArrowLeft: () => walk(at - 1),
      ArrowDown: columns === undefined ? undefined : () => walk(at + row < count ? at + row : at),
      ArrowUp: columns === undefined ? undefined : () => walk(at >= row ? at - row : at),
      Home: () => walk(0),
      End: () => walk(count - 1),
      Escape: walked === undefined ? undefined : () => setWalked(undefined),
      Enter: open && walked !== undefined ? () => open.at(walked) : undefined,
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const placeOf = ({ clientX, clientY }: PointerEvent | MouseEvent): number | undefined => {
    const box = ref.current?.getBoundingClientRect();
    return box && findAt(clientX - box.left, clientY - box.top, width);
  };
  const handlers = {
    onKeyDown,
    onBlur: () => setWalked(undefined),
    onPointerMove: (event: PointerEvent) => {
      setWalked(undefined);
      setHovered(placeOf(event));
    },
    onPointerLeave: () => setHovered(undefined),
    onClick: ({ nativeEvent }: { nativeEvent: MouseEvent }) => {
      const at = placeOf(nativeEvent);
      if (at !== undefined) open?.at(at);
    },
  };
  return (
    <div className={styles.chartBody} style={{ height }}>
      <div
        ref={ref}
        {...CHART}
        aria-label={title}
        aria-describedby={hintId}
        className={classNames(styles.chartDrawing, open && styles.chartDrawing_opens)}
        {...handlers}
      >
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true" focusable="false">
            {renderDrawing(width, active)}
          </svg>
        )}
        {shown && <Tooltip value={shown} width={width} />}
      </div>
      <span id={hintId} className="ad-hidden">
        {texts.chartKeys(open ? ` ${open.hint}` : '')}
      </span>
      <output className="ad-hidden">{walked !== undefined && shown ? textOf(shown) : ''}</output>
    </div>
  );
}

/** What is announced of a value: all that its tooltip says. */
const textOf = ({ title, total, rows }: ChartValue): string =>
  [total === undefined ? title : `${title}: ${total}`, ...rows.map(([name, value]) => `${name} ${value}`)].join(', ');

const TOOLTIP_SPACE = 190;

function Tooltip({ value, width }: { value: ChartValue; width: number }) {
  const { x, reach, y, title, total, rows } = value;
  const isLeft = x > width - TOOLTIP_SPACE;
  return (
    <div
      className={styles.chartTip}
      style={{ top: y, ...(isLeft ? { right: width - x + reach } : { left: x + reach }) }}
      aria-hidden="true"
    >
      <div className={styles.chartTipTitle}>
        <span>{title}</span>
        {total !== undefined && <span>{total}</span>}
      </div>
      {rows.map(([name, text]) => (
        <div key={name} className={styles.chartTipRow}>
          <span>{name}</span>
          <span>{text}</span>
        </div>
      ))}
    </div>
  );
}
