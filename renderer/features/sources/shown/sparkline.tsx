import { countText } from '#backend/contract/count-text.ts';
import { writeTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { counted } from './amounts.ts';
import { keyed } from './keyed.ts';
import { type BarCount, barsOf, sumOf } from './sparkline-bars.ts';
import * as texts from './texts.ts';
import * as styles from './sparkline.module.css';

/** Height of the bars, in pixels. */
const HEIGHT = 24;
const HOUR_MS = 60 * 60 * 1000;

/** The last hours as bars, oldest first, each with a tooltip; screen readers get the totals. */
export function Sparkline({ hours }: { hours: readonly BarCount[] }) {
  const bars = barsOf(hours, HEIGHT);
  const { deliveries, refused } = sumOf(hours);
  const thisHour = Number(useNow((now) => String(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)));
  return (
    <span className={styles.sparkline}>
      <span className="ad-hidden">{texts.deliveriesInLast24Hours(countText(deliveries), countText(refused))}</span>
      {keyed(bars).map(({ key, item: { accepted, refused: red } }) => (
        <span
          key={key}
          className={`${styles.bar} ${styles.sparklineBar}`}
          data-tip={tipOf(hours[Number(key)], new Date(thisHour - (bars.length - 1 - Number(key)) * HOUR_MS))}
          data-tip-always
          aria-hidden
        >
          {red > 0 && <span className={styles.refused} style={{ height: red }} />}
          {accepted > 0 && <span className={styles.accepted} style={{ height: accepted }} />}
        </span>
      ))}
    </span>
  );
}

function tipOf(count: BarCount | undefined, hour: Date): string {
  const { deliveries = 0, refused = 0 } = count ?? {};
  const what = counted(deliveries, 'delivery', 'deliveries');
  return `${writeTime(hour, 'MMM d, h:mm a')}: ${what}${refused > 0 ? texts.refused(refused) : ''}`;
}
