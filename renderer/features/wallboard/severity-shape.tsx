import type { AlertSeverity } from '#backend/contract/alert.ts';
import * as styles from './wallboard.module.css';

/** The shapes of cards, which differ also without colors. */
const SHAPES: Record<AlertSeverity, string> = {
  critical: 'M6 0 12 6 6 12 0 6Z',
  high: 'M6 1 12 11.5H0Z',
  warning: 'M1 1H11V11H1Z',
  low: 'M6 11.5 0 1H12Z',
  info: 'M6 2a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z',
  none: 'M6 3a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z',
};

/** The mark of a severity; its name stands beside it, at least for screen readers. */
export const SeverityShape = ({ severity }: { severity: AlertSeverity }) => (
  <svg className={`${styles.shape} ${styles[`shape_${severity}`]}`} viewBox="0 0 12 12" aria-hidden>
    <path d={SHAPES[severity]} />
  </svg>
);
