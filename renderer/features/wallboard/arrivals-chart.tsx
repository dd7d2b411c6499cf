import type { Wallboard } from '#backend/contract/wallboard.ts';
import { hourText, numberText } from './wallboard-labels.ts';
import * as texts from './texts.ts';
import * as styles from './wallboard.module.css';

/** Labels below the bars: one in so many, and "now" at the end. */
const LABEL_HOURS = 6;

/** How many alerts arrived in each of the last 24 hours, and how many of them are critical. */
export function ArrivalsChart({ arrivals }: Pick<Wallboard, 'arrivals'>) {
  const hours = arrivals?.hours ?? [];
  const total = hours.reduce((sum, { alerts }) => sum + alerts, 0);
  const critical = hours.reduce((sum, hour) => sum + hour.critical, 0);
  const highest = Math.max(1, ...hours.map(({ alerts }) => alerts));
  const heightOf = (alerts: number): string => `${(alerts / highest) * 100}%`;
  return (
    <section className={styles.card}>
      <div className={styles.cardHead}>
        <h2>{texts.arrivals}</h2>
        {arrivals && <p>{texts.arrivalsAndUsual(numberText(total), numberText(arrivals.usual))}</p>}
      </div>
      {arrivals ? (
        <>
          <figure
            className={styles.bars}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- Its bars are elements, which no <img> has.
            role="img"
            aria-label={texts.chartLabel(numberText(total), numberText(critical))}
          >
            {hours.map((hour) => (
              <span key={hour.startsAt} className={styles.bar} style={{ height: heightOf(hour.alerts) }}>
                {hour.critical > 0 && (
                  <span className={styles.barCritical} style={{ height: `${(hour.critical / hour.alerts) * 100}%` }} />
                )}
              </span>
            ))}
          </figure>
          <div className={styles.labels} aria-hidden>
            {hours.map(({ startsAt }, at) =>
              at % LABEL_HOURS === 0 ? <span key={startsAt}>{hourText(Date.parse(startsAt))}</span> : null,
            )}
            <span className={styles.labelNow}>{texts.now}</span>
          </div>
        </>
      ) : (
        <p className={styles.empty}>{texts.notCounted}</p>
      )}
    </section>
  );
}
