import { PauseIcon } from '@blueprintjs/icons';
import type { DeliveryOutcome } from '#backend/contract/delivery.ts';
import type { Source } from '#backend/contract/source.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { healthLabel } from './health-labels.ts';
import { OUTCOME_LABELS } from './outcome-labels.ts';
import classNames from 'classnames';
import * as styles from './sources.module.css';

/** How a source is doing: a dot and a label, with the reason below or beside it. */
export function HealthLabel({ source, hasReason = true }: { source: Source; hasReason?: boolean }) {
  const { state } = source.health;
  const label = useNow((now) => healthLabel(source, now).label);
  const reason = useNow((now) => healthLabel(source, now).reason);
  return (
    <span className={classNames(styles.health, styles[`health_${state}`])}>
      <span className={styles.healthWord}>
        {state === 'paused' ? <PauseIcon size={10} className={styles.healthPause} /> : <span className={styles.dot} />}
        {label}
      </span>
      {hasReason && reason !== undefined && <span className={styles.healthReason}>{reason}</span>}
    </span>
  );
}

/** The outcome of a delivery: a dot and its label. */
export function OutcomeLabel({ outcome }: { outcome: DeliveryOutcome }) {
  return (
    <span className={classNames(styles.outcome, styles[`outcome_${outcome}`])}>
      <span className={styles.dot} />
      {OUTCOME_LABELS[outcome]}
    </span>
  );
}
