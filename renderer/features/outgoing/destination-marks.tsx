import type { Destination, DestinationKind } from '#backend/contract/outgoing.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import classNames from 'classnames';
import { countText } from '#backend/contract/count-text.ts';
import { kindTexts } from './kind-texts.ts';
import { HEALTH_LABELS } from './outgoing-labels.ts';
import * as texts from './destinations-texts.tsx';
import * as styles from './outgoing.module.css';

/** The letters of a kind. */
export const KindTile = ({ kind, isSmall = false }: { kind: DestinationKind; isSmall?: boolean }) => (
  <span className={classNames(styles.tile, isSmall && styles.tile_small)} aria-hidden>
    {kindTexts(kind).tile}
  </span>
);

/** How a destination is doing: a dot and a word, with the reason below. */
export function HealthMark({
  destination,
  hasReason = true,
}: {
  destination: Pick<Destination, 'health' | 'reason' | 'retryAt'>;
  hasReason?: boolean;
}) {
  const { health, reason, retryAt } = destination;
  const next = useNow((now) => nextTry(retryAt, now));
  const text = [reason?.replace(/\.$/, ''), next].filter((part) => part !== undefined).join('; ');
  return (
    <span className={classNames(styles.health, styles[`health_${health}`])}>
      <span className={styles.healthWord}>
        <span className={styles.dot} />
        {HEALTH_LABELS[health]}
      </span>
      {hasReason && text !== '' && (
        <span className={styles.healthReason} data-tip={text}>
          {text}
        </span>
      )}
    </span>
  );
}

const nextTry = (retryAt: string | undefined, now: Date): string | undefined => {
  if (retryAt === undefined) return undefined;
  const seconds = Math.ceil((Date.parse(retryAt) - now.getTime()) / 1000);
  if (seconds <= 0) return undefined;
  return seconds < 90 ? texts.nextTryWithin(2) : texts.nextTryIn(Math.ceil(seconds / 60));
};

interface BarsProps {
  counts: readonly number[];
  /** Says what they mean: `text` is the sum of them. */
  labelOf: (text: string) => string;
  /** How wide a bar is, and how high the tallest, in pixels. */
  width?: number;
  height?: number;
}

/** Messages over time as bars with gaps of a pixel, whose meaning is said in words. */
export function Bars({ counts, labelOf, width = 4, height = 16 }: BarsProps) {
  const most = Math.max(1, ...counts);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const path = counts
    .map((count, at) => {
      const tall = count === 0 ? 1 : 3 + Math.round(((height - 3) * count) / most);
      return `M${at * (width + 1)} ${height - tall}h${width}v${tall}h-${width}z`;
    })
    .join('');
  const all = counts.length * (width + 1);
  return (
    <>
      <span className="ad-hidden">{labelOf(countText(total))}</span>
      <svg
        className={styles.bars}
        viewBox={`0 0 ${all} ${height}`}
        width={all}
        height={height}
        // Where it is as wide as its axis, the bars are, too.
        preserveAspectRatio="none"
        aria-hidden
      >
        <path d={path} />
      </svg>
    </>
  );
}
