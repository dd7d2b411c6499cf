import type { Looker } from '#backend/contract/live-event.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { Initials } from '#renderer/ui/initials.tsx';
import classNames from 'classnames';
import * as texts from './lookers-texts.ts';
import * as styles from './lookers-line.module.css';

/** More faces say no more than the number. */
const FACES = 2;

interface LookersLineProps {
  people: readonly Looker[];
  isHead: boolean | undefined;
}

/** Letters of who looks, and a name or how many they are. Screen readers are not interrupted by it. */
export function LookersLine({ people, isHead }: LookersLineProps) {
  const names = people.map(({ displayName }) => inertLine(displayName));
  const [first = ''] = names;
  return (
    <span
      className={classNames(styles.lookers, isHead && styles.lookers_head)}
      aria-hidden
      data-tip={names.join(', ')}
      data-tip-always
    >
      <span className={styles.edge} />
      <span className={styles.faces}>
        {people.slice(0, FACES).map(({ id, displayName }) => (
          <Initials key={id} name={displayName} />
        ))}
      </span>
      <span className={styles.words}>
        {names.length === 1 ? texts.isLooking(first.split(/\s+/)[0] ?? first) : texts.areLooking(names.length)}
      </span>
    </span>
  );
}
