import { PulseIcon } from '@blueprintjs/icons';
import type { Flapping } from '#backend/contract/flapping.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { RHYTHM_HEIGHT, RHYTHM_WIDTH, flappingLine, rhythmPath } from './flapping-rhythm.ts';
import * as texts from './flapping-texts.ts';
import * as tagStyles from './outlined-tag.module.css';
import * as styles from './flapping-mark.module.css';

/** That a problem opens and closes again and again: the word, how often, and when it did. Where space is short the word is left. */
export function FlappingMark({ flapping }: { flapping: Flapping }) {
  const line = useNow((now) => flappingLine(flapping, now));
  const path = useNow((now) => rhythmPath(flapping, now));
  return (
    <>
      <span className={tagStyles.tag}>
        <PulseIcon size={12} />
        {texts.flapping}
      </span>
      <span className={styles.often} data-tip={line}>
        {line}
      </span>
      <svg
        className={styles.rhythm}
        viewBox={`0 0 ${RHYTHM_WIDTH} ${RHYTHM_HEIGHT}`}
        width={RHYTHM_WIDTH}
        height={RHYTHM_HEIGHT}
        data-tip={texts.rhythmHint}
        aria-hidden
      >
        <path className={styles.ground} d={`M0 ${RHYTHM_HEIGHT - 0.5}H${RHYTHM_WIDTH}`} />
        <path className={styles.turns} d={path} />
      </svg>
    </>
  );
}
