import { PauseIcon } from '@blueprintjs/icons';
import type { DeliveryOutcome } from '#backend/contract/delivery.ts';
import type { Source } from '#backend/contract/source.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { healthLabel } from './health-labels.ts';
import { OUTCOME_LABELS } from './outcome-labels.ts';
import { joinClasses } from '#renderer/lib/join-classes.ts';
import './sources.module.css';

/** How a source is doing: a dot and a label, with the reason below or beside it. */
export function HealthLabel({ source, hasReason = true }: { source: Source; hasReason?: boolean }) {
  const { state } = source.health;
  const label = useNow((now) => healthLabel(source, now).label);
  const reason = useNow((now) => healthLabel(source, now).reason);
  return (
    <span className={joinClasses('ad-health', `ad-health--${state}`)}>
      <span className="ad-health-word">
        {state === 'paused' ? <PauseIcon size={10} className="ad-health-pause" /> : <span className="ad-dot" />}
        {label}
      </span>
      {hasReason && reason !== undefined && <span className="ad-health-reason">{reason}</span>}
    </span>
  );
}

/** The outcome of a delivery: a dot and its label. */
export function OutcomeLabel({ outcome }: { outcome: DeliveryOutcome }) {
  return (
    <span className={joinClasses('ad-outcome', `ad-outcome--${outcome}`)}>
      <span className="ad-dot" />
      {OUTCOME_LABELS[outcome]}
    </span>
  );
}
