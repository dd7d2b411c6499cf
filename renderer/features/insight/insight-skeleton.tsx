import { Classes } from '@blueprintjs/core';
import * as texts from './texts.ts';
import * as styles from './insight.module.css';
import * as chartsStyles from './charts.module.css';

const CARDS = [texts.arrived, 'Accept', texts.complete, texts.resolved];
const CHARTS = ['first', 'second'];

/** Bars in the places of the figures; visible after 150 ms, so that a quick answer does not flash. */
export function InsightSkeleton() {
  return (
    <>
      <output className="ad-hidden">{texts.loadingInsight}</output>
      <div className={`${styles.figures} ${styles.loading}`} aria-hidden>
        <div className={styles.stats}>
          {CARDS.map((card) => (
            <div key={card} className={styles.stat}>
              <span className={Classes.SKELETON} style={{ width: 96, height: 12 }} />
              <span className={Classes.SKELETON} style={{ width: 64, height: 20, marginTop: 8 }} />
            </div>
          ))}
        </div>
        <div className={`${chartsStyles.chart} ${styles.chart_comingWide}`} />
        {CHARTS.map((pair) => (
          <div key={pair} className={styles.pair}>
            <div className={`${chartsStyles.chart} ${styles.chart_coming}`} />
            <div className={`${chartsStyles.chart} ${styles.chart_coming}`} />
          </div>
        ))}
      </div>
    </>
  );
}
