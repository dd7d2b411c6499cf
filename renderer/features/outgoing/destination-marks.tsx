import type { Destination, DestinationKind } from '#backend/contract/outgoing.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import classNames from 'classnames';
import { KIND_TEXTS } from './kind-texts.ts';
import { HEALTH_LABELS } from './outgoing-labels.ts';
import * as texts from './destinations-texts.tsx';
import * as styles from './outgoing.module.css';

/** The letters of a kind. */
export const KindTile = ({ kind, isSmall = false }: { kind: DestinationKind; isSmall?: boolean }) => (
  <span className={classNames(styles.tile, isSmall && styles.tile_small)} aria-hidden>
    {KIND_TEXTS[kind].tile}
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

/** The bars of {@link SentBars}: as wide as 24 with their gaps, and as high as the tallest. */
const BAR = 5;
const HEIGHT = 16;

/** Messages of the last 24 hours as bars, whose meaning is said in words. */
export function SentBars({ sent }: { sent: readonly number[] }) {
  const most = Math.max(1, ...sent);
  const total = sent.reduce((sum, count) => sum + count, 0);
  const path = sent
    .map((count, hour) => {
      const height = count === 0 ? 1 : 3 + Math.round(((HEIGHT - 3) * count) / most);
      return `M${hour * BAR} ${HEIGHT - height}h4v${height}h-4z`;
    })
    .join('');
  return (
    <>
      <span className="ad-hidden">{texts.sentInLast24Hours(total.toLocaleString('en'))}</span>
      <svg className={styles.bars} width={sent.length * BAR} height={HEIGHT} aria-hidden>
        <path d={path} />
      </svg>
    </>
  );
}
