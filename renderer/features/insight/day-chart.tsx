import { scaleLinear } from '@visx/scale';
import { Bar } from '@visx/shape';
import type { InsightDay } from '#backend/contract/insight.ts';
import { ChartFrame, type ChartValue } from './chart-frame.tsx';
import { dayLabels, longDay, numberText, shortDay } from './figure-labels.ts';
import classNames from 'classnames';
import * as texts from './texts.ts';
import * as styles from './charts.module.css';

const HEIGHT = 146;
const PLOT = { top: 8, bottom: 26, left: 40, right: 8 };
const BAR = 28;
const GAP = 2;
/** A part is never too thin to be seen. */
const LEAST = 3;
const LABEL_WIDTH = 52;

/** From the ground up. */
const PARTS = [
  { key: 'critical', label: texts.critical },
  { key: 'high', label: texts.high },
  { key: 'warning', label: texts.warning },
  { key: 'others', label: texts.lowInfoNone },
] as const;

export const arrivedOn = ({ critical, high, warning, others }: InsightDay): number =>
  critical + high + warning + others;

interface DayChartProps {
  days: readonly InsightDay[];
  /** Shows the alerts of a day. */
  onOpen?: (date: string) => void;
}

/** What arrived on each day, by severity. */
export function DayChart({ days, onOpen }: DayChartProps) {
  const most = Math.max(1, ...days.map(arrivedOn));
  const ground = HEIGHT - PLOT.bottom;
  const scale = scaleLinear<number>({ domain: [0, most], range: [ground, PLOT.top], nice: 3 });
  const ticks = scale.ticks(3).filter((tick) => Number.isInteger(tick));
  const bandOf = (width: number) => (width - PLOT.left - PLOT.right) / Math.max(1, days.length);
  const xOf = (at: number, width: number) => PLOT.left + bandOf(width) * (at + 0.5);

  const valueAt = (at: number, width: number): ChartValue => {
    const day = days[at];
    if (!day) return { x: 0, reach: 0, y: 0, title: '', rows: [] };
    return {
      x: xOf(at, width),
      reach: Math.min(bandOf(width), BAR) / 2 + 8,
      y: PLOT.top,
      title: days.length > 120 ? longDay(day.date) : shortDay(day.date),
      total: numberText(arrivedOn(day)),
      rows: PARTS.map(({ key, label }) => [key === 'others' ? texts.others : label, numberText(day[key])]),
    };
  };
  return (
    <ChartFrame
      title={texts.arrivalsPerDay}
      legend={<Legend />}
      height={HEIGHT}
      count={days.length}
      table={{
        head: [texts.day, texts.arrived, ...PARTS.map(({ label }) => label)],
        rows: days.map((day) => [
          longDay(day.date),
          numberText(arrivedOn(day)),
          ...PARTS.map(({ key }) => numberText(day[key])),
        ]),
      }}
      valueAt={valueAt}
      findAt={(x, _y, width) => {
        const at = Math.floor((x - PLOT.left) / bandOf(width));
        return at >= 0 && at < days.length ? at : undefined;
      }}
      {...(onOpen && {
        open: { hint: texts.enterShowsAlertsOfDay, at: (at: number) => onOpen(days[at]?.date ?? '') },
      })}
      renderDrawing={(width, active) => {
        const band = bandOf(width);
        const bar = Math.max(1, Math.min(BAR, band - GAP));
        const labels = dayLabels(
          days.map(({ date }) => date),
          Math.floor((width - PLOT.left) / LABEL_WIDTH),
        );
        return (
          <>
            <Patterns />
            <Grid ticks={ticks} y={scale} left={PLOT.left} right={width - PLOT.right} />
            {days.map((day, at) => (
              <g key={day.date} transform={`translate(${xOf(at, width) - bar / 2} 0)`}>
                <Stack day={day} width={bar} ground={ground} heightOf={(count) => ground - scale(count)} />
                {labels[at] !== undefined && (
                  <text
                    className={active === at ? `${styles.axis} ${styles.axis_active}` : styles.axis}
                    x={bar / 2}
                    y={HEIGHT - 6}
                  >
                    {labels[at]}
                  </text>
                )}
              </g>
            ))}
            {active !== undefined && (
              <rect
                className={styles.chartFocus}
                x={xOf(active, width) - bar / 2 - 4}
                y={PLOT.top - 4}
                width={bar + 8}
                height={ground - PLOT.top + 6}
                rx={3}
              />
            )}
          </>
        );
      }}
    />
  );
}

interface StackProps {
  day: InsightDay;
  width: number;
  ground: number;
  heightOf: (count: number) => number;
}

function Stack({ day, width, ground, heightOf }: StackProps) {
  let top = ground;
  return PARTS.map(({ key }) => {
    if (day[key] === 0) return null;
    const height = Math.max(LEAST, heightOf(day[key]) - GAP);
    const y = top - height;
    top = y - GAP;
    // The outline is drawn within the part.
    const inset = key === 'warning' || key === 'others' ? 0.5 : 0;
    return (
      <Bar
        key={key}
        className={classNames(styles.part, styles[`part_${key}`])}
        x={inset}
        y={y + inset}
        width={Math.max(0.5, width - 2 * inset)}
        height={height - 2 * inset}
      />
    );
  });
}

function Legend() {
  return (
    <ul className={styles.chartLegend}>
      {PARTS.map(({ key, label }) => (
        <li key={key}>
          <svg width={12} height={12} aria-hidden="true">
            <rect className={classNames(styles.part, styles[`part_${key}`])} x={0.5} y={0.5} width={11} height={11} />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}

/** What parts are filled with where the system chooses the colours. */
function Patterns() {
  return (
    <defs>
      <pattern id="ad-part-stripes" width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect className={styles.patternLine} width={3} height={6} />
      </pattern>
      <pattern id="ad-part-dots" width={5} height={5} patternUnits="userSpaceOnUse">
        <circle className={styles.patternLine} cx={2.5} cy={2.5} r={1} />
      </pattern>
    </defs>
  );
}

interface GridProps {
  ticks: readonly number[];
  y: (tick: number) => number;
  left: number;
  right: number;
  labelOf?: (tick: number) => string;
}

/** Hairlines with the values that they stand for. */
export function Grid({ ticks, y, left, right, labelOf = numberText }: GridProps) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line className={styles.grid} x1={left} x2={right} y1={y(tick)} y2={y(tick)} />
      <text className={`${styles.axis} ${styles.axis_end}`} x={left - 8} y={y(tick) + 4}>
        {labelOf(tick)}
      </text>
    </g>
  ));
}
