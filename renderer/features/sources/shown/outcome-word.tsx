import type { DeliveryOutcome } from '#backend/contract/delivery.ts';
import { OUTCOME_LABELS } from './outcome-labels.ts';
import './sources.css';

/** The outcome of a delivery: a dot and a word. */
export function OutcomeWord({ outcome }: { outcome: DeliveryOutcome }) {
  return (
    <span className={`ad-outcome ad-outcome--${outcome}`}>
      <span className="ad-dot" />
      {OUTCOME_LABELS[outcome]}
    </span>
  );
}
