import { scaleLinear } from '@visx/scale';
import { LinePath } from '@visx/shape';
import type { InsightDay, InsightTimes } from '#backend/contract/insight.ts';
import { ChartFrame, type ChartValue } from './chart-frame.tsx';
import { Grid } from './day-chart.tsx';
import { amountText, dayLabels, durationText, longDay, numberText, shortDay, unitFor } from './figure-labels.ts';
import * as texts from './texts.ts';
import * as styles from './charts.module.css';

const HEIGHT = 132;
const PLOT = { top: 8, bottom: 26, left: 54, right: 128 };
/** In little width the names of the lines stand above them. */
const NARROW = { top: 26, right: 8 };
const NARROW_WIDTH = 420;
const LABEL_WIDTH = 60;
/** Names of lines do not stand on each other. */
const LINE_APART = 16;

interface TimeChartProps {
  title: string;
  days: readonly InsightDay[];
  timesOf: (day: InsightDay) => InsightTimes;
}

/** Median and ninetieth percentile of a time, day by day. A day without alerts interrupts the lines. */
export function TimeChart({ title, days, timesOf }: TimeChartProps) {
  const ground = HEIGHT - PLOT.bottom;
  const times = days.map(timesOf);
  const isEmpty = times.every(({ median }) => median === null);
  const longest = Math.max(1_000, ...times.map(({ ninetieth }) => ninetieth ?? 0));
  const { unit, ms } = unitFor(longest);
  const placeIn = (width: number) => {
    const { top, right } = width < NARROW_WIDTH ? NARROW : PLOT;
    const scale = scaleLinear<number>({ domain: [0, longest / ms], range: [ground, top], nice: 3 });
    const [first, last] = [PLOT.left + 6, width - right];
    const step = (last - first) / Math.max(1, days.length - 1);
    return { top, right, scale, step, x: (at: number) => first + step * at, y: (value: number) => scale(value / ms) };
  };

  const valueAt = (at: number, width: number): ChartValue => {
    const { alerts = 0, median = null, ninetieth = null } = times[at] ?? {};
    return {
      x: placeIn(width).x(at),
      reach: 12,
      y: PLOT.top,
      title: shortDay(days[at]?.date ?? ''),
      rows: [
        [texts.median, durationText(median)],
        ['90% under', durationText(ninetieth)],
        [texts.alerts, numberText(alerts)],
      ],
    };
  };
  return (
    <ChartFrame
      title={title}
      height={HEIGHT}
      count={days.length}
      table={{
        head: [texts.day, texts.median, '90% under', texts.alerts],
        rows: days.map(({ date }, at) => {
          const { alerts = 0, median = null, ninetieth = null } = times[at] ?? {};
          return [longDay(date), durationText(median), durationText(ninetieth), numberText(alerts)];
        }),
      }}
      valueAt={valueAt}
      findAt={(x, _y, width) => {
        const { step } = placeIn(width);
        const at = Math.round((x - PLOT.left - 6) / Math.max(1, step));
        return at >= 0 && at < days.length ? at : undefined;
      }}
      renderDrawing={(width, active) => {
        const { top, right, scale, x, y } = placeIn(width);
        const labels = dayLabels(
          days.map(({ date }) => date),
          Math.floor((width - PLOT.left - right) / LABEL_WIDTH),
        );
        const line = (of: 'median' | 'ninetieth') => ({
          data: times.map((day, at) => ({ at, value: day[of] })),
          defined: ({ value }: { value: number | null }) => value !== null,
          x: ({ at }: { at: number }) => x(at),
          y: ({ value }: { value: number | null }) => y(value ?? 0),
        });
        return (
          <>
            <Grid
              ticks={isEmpty ? [0] : scale.ticks(3)}
              y={scale}
              left={PLOT.left}
              right={width - right}
              labelOf={(tick) => (isEmpty ? '' : tick === 0 ? '0' : `${numberText(tick)} ${unit}`)}
            />
            {isEmpty && (
              <text className={styles.axis} x={(PLOT.left + width - right) / 2} y={(top + ground) / 2 + 4}>
                {texts.noneInTheseDays}
              </text>
            )}
            {days.map(
              ({ date }, at) =>
                labels[at] !== undefined && (
                  <text
                    key={date}
                    className={at === 0 ? `${styles.axis} ${styles.axis_start}` : styles.axis}
                    x={x(at) - (at === 0 ? 4 : 0)}
                    y={HEIGHT - 6}
                  >
                    {labels[at]}
                  </text>
                ),
            )}
            <LinePath className={`${styles.line} ${styles.line_ninetieth}`} {...line('ninetieth')} />
            <LinePath className={`${styles.line} ${styles.line_median}`} {...line('median')} />
            {times.map(
              ({ median }, at) =>
                median !== null && (
                  <circle
                    key={days[at]?.date}
                    className={styles.linePoint}
                    cx={x(at)}
                    cy={y(median)}
                    r={active === at ? 4 : days.length > 60 ? 1.5 : 2.5}
                  />
                ),
            )}
            {active !== undefined && (
              <line className={styles.chartFocus} x1={x(active)} x2={x(active)} y1={top} y2={ground} />
            )}
            <LineNames times={times} width={width} y={y} nameOf={(value) => amountText(value / ms, unit)} />
          </>
        );
      }}
    />
  );
}

interface LineNamesProps {
  times: readonly InsightTimes[];
  width: number;
  y: (value: number) => number;
  nameOf: (value: number) => string;
}

/** Each line is named at its end, with its last value; both above them in little width. */
function LineNames({ times, width, y, nameOf }: LineNamesProps) {
  const last = times.findLast(({ median }) => median !== null);
  if (!last || last.median === null || last.ninetieth === null) return null;
  const isNarrow = width < NARROW_WIDTH;
  const median = isNarrow ? 12 : y(last.median) + 4;
  const ninetieth = isNarrow ? 12 : Math.min(y(last.ninetieth) + 4, median - LINE_APART);
  const end = isNarrow ? width - NARROW.right : width - PLOT.right + 10;
  return (
    <>
      <text className={isNarrow ? `${styles.lineName} ${styles.axis_end}` : styles.lineName} x={end} y={ninetieth}>
        {texts.n90Under(nameOf(last.ninetieth))}
      </text>
      <text className={`${styles.lineName} ${styles.lineName_median}`} x={isNarrow ? PLOT.left : end} y={median}>
        {texts.medianMedian(nameOf(last.median))}
      </text>
    </>
  );
}
