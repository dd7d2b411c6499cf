import { Classes } from '@blueprintjs/core';

const CARDS = ['Arrived', 'Accept', 'Complete', 'Resolved'];
const CHARTS = ['first', 'second'];

/** Bars in the places of the figures; visible after 150 ms, so that a quick answer does not flash. */
export function InsightSkeleton() {
  return (
    <>
      <output className="ad-hidden">Loading insight…</output>
      <div className="ad-insight-figures ad-insight-loading" aria-hidden>
        <div className="ad-insight-stats">
          {CARDS.map((card) => (
            <div key={card} className="ad-insight-stat">
              <span className={Classes.SKELETON} style={{ width: 96, height: 12 }} />
              <span className={Classes.SKELETON} style={{ width: 64, height: 20, marginTop: 8 }} />
            </div>
          ))}
        </div>
        <div className="ad-chart ad-chart--coming-wide" />
        {CHARTS.map((pair) => (
          <div key={pair} className="ad-insight-pair">
            <div className="ad-chart ad-chart--coming" />
            <div className="ad-chart ad-chart--coming" />
          </div>
        ))}
      </div>
    </>
  );
}
