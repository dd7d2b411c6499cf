import { memo } from 'react';
import { problemLabel } from '#renderer/alerts/data/problem-labels.ts';
import type { Alert } from '#backend/contract/alert.ts';
import classNames from 'classnames';
import * as texts from './texts.tsx';
import * as styles from './severity-mark.module.css';

/** Half the outline's width: an outlined shape is as large as a filled one. */
const INSET = 0.75;

/** Points of each shape around the middle of a box of 12 × 12. */
const SHAPES = {
  critical: (inset: number) => (
    <path d={`M6 ${inset * 1.4}L${12 - inset * 1.4} 6 6 ${12 - inset * 1.4} ${inset * 1.4} 6Z`} />
  ),
  high: (inset: number) => <path d={`M6 ${1 + inset * 2}L${11.5 - inset * 1.6} ${11 - inset}H${0.5 + inset * 1.6}Z`} />,
  warning: (inset: number) => <rect x={2 + inset} y={2 + inset} width={8 - 2 * inset} height={8 - 2 * inset} />,
  low: (inset: number) => <path d={`M6 ${11 - inset * 2}L${11.5 - inset * 1.6} ${1 + inset}H${0.5 + inset * 1.6}Z`} />,
  info: (inset: number) => <circle cx={6} cy={6} r={4 - inset} />,
} as const;

/**
 * How bad an alert is, and how it stands: the shape says the severity, the fill says the state, the colour repeats both.
 * Assistive technology gets it from the card's name.
 */
export const SeverityMark = memo(function SeverityMark({ severity, state }: Pick<Alert, 'severity' | 'state'>) {
  const label = problemLabel({ severity, state });
  const isResolved = state === 'resolved';
  if (severity === 'none' && !isResolved) return <span className={styles.mark} aria-hidden />;
  const isOutline = isResolved || state === 'acknowledged';
  const shape = isResolved || severity === 'none' ? SHAPES.info : SHAPES[severity];
  const kind = isResolved ? 'resolved' : severity;
  return (
    <span
      className={classNames(styles.mark, styles[`mark_${kind}`], isOutline && styles.mark_outline)}
      data-tip={label}
      data-tip-always
      aria-hidden
    >
      <svg viewBox="0 0 12 12" width={12} height={12}>
        {shape(isOutline ? INSET : 0)}
      </svg>
    </span>
  );
});

/**
 * What marks an alert, beside its headline: that it is a test, the window that keeps it quiet, or its label.
 *
 * @param hasTip whether it says by itself what is cut of it; not within what has a tip of its own
 */
export const MarkTag = ({ text = texts.test, hasTip = true }: { text?: string; hasTip?: boolean }) => (
  <span className={styles.test} data-tip={hasTip ? text : undefined}>
    {text}
  </span>
);
