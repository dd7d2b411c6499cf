import { Bar } from '@visx/shape';
import type { Insight } from '#backend/contract/insight.ts';
import { ChartFrame, type ChartValue } from './chart-frame.tsx';
import { hourText, numberText, rateText, weekdayText } from './figure-labels.ts';
import classNames from 'classnames';
import * as texts from './texts.ts';
import * as styles from './charts.module.css';

const HEIGHT = 150;
const PLOT = { top: 2, left: 36, right: 2, bottom: 24 };
const GAP = 2;
const HOURS = 24;
const DAYS = 7;
const STEPS = [0, 1, 2, 3, 4] as const;

/** Arrivals of an hour of the week, in the mean of the hours of that name that have passed. */
const rateOf = ({ arrived, hours }: Insight['week'], at: number): number =>
  (hours[at] ?? 0) === 0 ? 0 : (arrived[at] ?? 0) / (hours[at] ?? 1);

/** What arrives in which hour of the week. */
export function WeekChart({ week }: { week: Insight['week'] }) {
  const rates = Array.from({ length: DAYS * HOURS }, (_, at) => rateOf(week, at));
  const most = Math.max(...rates);
  const stepOf = (rate: number) => (most === 0 || rate === 0 ? 0 : Math.max(1, Math.ceil((rate / most) * 4)));
  const height = (HEIGHT - PLOT.top - PLOT.bottom) / DAYS;
  const widthOf = (width: number) => (width - PLOT.left - PLOT.right) / HOURS;

  const valueAt = (at: number, width: number): ChartValue => ({
    x: PLOT.left + widthOf(width) * ((at % HOURS) + 0.5),
    reach: widthOf(width) / 2 + 6,
    y: PLOT.top + height * Math.floor(at / HOURS),
    title: `${weekdayText(Math.floor(at / HOURS))}, ${hourText(at % HOURS)}`,
    rows: [
      [texts.arrived, numberText(week.arrived[at] ?? 0)],
      [texts.perHour, rateText(rates[at] ?? 0)],
    ],
  });
  return (
    <ChartFrame
      title={texts.arrivalsByWeekdayAndHour}
      legend={<Legend most={most} />}
      height={HEIGHT}
      count={rates.length}
      columns={HOURS}
      table={{
        head: [texts.hour, ...Array.from({ length: DAYS }, (_, day) => weekdayText(day).slice(0, 3))],
        rows: Array.from({ length: HOURS }, (_, hour) => [
          hourText(hour),
          ...Array.from({ length: DAYS }, (__, day) => rateText(rates[day * HOURS + hour] ?? 0)),
        ]),
      }}
      valueAt={valueAt}
      findAt={(x, y, width) => {
        const hour = Math.floor((x - PLOT.left) / widthOf(width));
        const day = Math.floor((y - PLOT.top) / height);
        return hour >= 0 && hour < HOURS && day >= 0 && day < DAYS ? day * HOURS + hour : undefined;
      }}
      renderDrawing={(width, active) => (
        <>
          {Array.from({ length: DAYS }, (_, day) => (
            <text
              key={day}
              className={`${styles.axis} ${styles.axis_end}`}
              x={PLOT.left - 8}
              y={PLOT.top + height * (day + 0.5) + 4}
            >
              {weekdayText(day).slice(0, 3)}
            </text>
          ))}
          {[0, 6, 12, 18].map((hour) => (
            <text
              key={hour}
              className={`${styles.axis} ${styles.axis_start}`}
              x={PLOT.left + widthOf(width) * hour}
              y={HEIGHT - 4}
            >
              {`${String(hour).padStart(2, '0')}:00`}
            </text>
          ))}
          {rates.map((rate, at) => {
            const cell = { width: widthOf(width) - GAP, height: height - GAP };
            const place = {
              x: PLOT.left + widthOf(width) * (at % HOURS),
              y: PLOT.top + height * Math.floor(at / HOURS),
            };
            const key = `${Math.floor(at / HOURS)} ${at % HOURS}`;
            return <Cell key={key} step={stepOf(rate)} {...place} {...cell} isActive={active === at} />;
          })}
        </>
      )}
    />
  );
}

interface CellProps {
  step: number;
  x: number;
  y: number;
  width: number;
  height: number;
  isActive: boolean;
}

/** The inner bar is seen where the system chooses the colours: it is wider the more arrives. */
function Cell({ step, x, y, width, height, isActive }: CellProps) {
  return (
    <>
      <Bar
        className={classNames(styles.hour, styles[`hour_${step}`])}
        x={x}
        y={y}
        width={width}
        height={height}
        rx={2}
      />
      <Bar className={styles.hourAmount} x={x} y={y} width={(width * step) / 4} height={height} />
      {isActive && (
        <rect className={styles.chartFocus} x={x - 1} y={y - 1} width={width + 2} height={height + 2} rx={3} />
      )}
    </>
  );
}

function Legend({ most }: { most: number }) {
  return (
    <div className={styles.hoursLegend}>
      <span>0</span>
      <svg width={STEPS.length * 18} height={10} aria-hidden="true">
        {STEPS.map((step) => (
          <Cell key={step} step={step} x={step * 18 + 1} y={1} width={14} height={8} isActive={false} />
        ))}
      </svg>
      <span>{texts.alertsPerHour(rateText(most))}</span>
    </div>
  );
}
