import type { Insight } from '#backend/contract/insight.ts';
import { arrivalChange, durationParts, numberText, timeChange } from './figure-labels.ts';
import * as texts from './texts.ts';
import * as styles from './insight.module.css';

/** The figures of all days, each with what it was before. */
export function StatCards({ insight: { totals, before, days } }: { insight: Insight }) {
  const { arrived, resolvedFirst, accept, complete } = totals;
  return (
    <dl className={styles.stats}>
      <StatCard
        label={texts.arrived}
        parts={[{ value: arrived }]}
        below={arrivalChange(arrived, before.arrived, days.length)}
      />
      <StatCard
        label={texts.timeToAcceptMedian}
        parts={partsOf(accept.median)}
        below={timeChange(accept, before.accept)}
      />
      <StatCard
        label={texts.timeToCompleteMedian}
        parts={partsOf(complete.median)}
        below={timeChange(complete, before.complete)}
      />
      <StatCard
        label={texts.resolvedBeforeAnyoneAccepted}
        parts={arrived === 0 ? [] : [{ value: Math.round((resolvedFirst / arrived) * 100), unit: '%' }]}
        below={texts.someOfArrived(numberText(resolvedFirst), numberText(arrived))}
      />
    </dl>
  );
}

interface Part {
  value: number;
  unit?: string;
}

const partsOf = (milliseconds: number | null): Part[] => (milliseconds === null ? [] : durationParts(milliseconds));

function StatCard({ label, parts, below }: { label: string; parts: readonly Part[]; below: string }) {
  return (
    <div className={styles.stat}>
      <dt>{label}</dt>
      <dd className={styles.number}>
        {parts.length === 0
          ? '–'
          : parts.map(({ value, unit }) => (
              <span key={unit ?? ''}>
                {numberText(value)}
                {unit !== undefined && <small> {unit}</small>}{' '}
              </span>
            ))}
      </dd>
      <dd className={styles.below}>{below}</dd>
    </div>
  );
}
