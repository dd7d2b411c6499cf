import { SmallTickIcon } from '@blueprintjs/icons';
import classNames from 'classnames';
import * as texts from './texts.tsx';
import * as styles from './new-source.module.css';

interface StepMarkProps {
  step: number;
  isDone?: boolean;
  /** An earlier step comes first. */
  isLater?: boolean;
}

/** Number of a step in a circle, or a tick once it is done. */
export function StepMark({ step, isDone = false, isLater = false }: StepMarkProps) {
  return (
    <span className={classNames(styles.step, isDone ? styles.step_done : isLater && styles.step_later)}>
      {isDone ? <SmallTickIcon title={texts.stepDone(step)} /> : step}
    </span>
  );
}
