import { SmallTickIcon } from '@blueprintjs/icons';
import './new-source.module.css';

interface StepMarkProps {
  step: number;
  isDone?: boolean;
  /** An earlier step comes first. */
  isLater?: boolean;
}

/** Number of a step in a circle, or a tick once it is done. */
export function StepMark({ step, isDone = false, isLater = false }: StepMarkProps) {
  return (
    <span className={`ad-step${isDone ? ' ad-step--done' : isLater ? ' ad-step--later' : ''}`}>
      {isDone ? <SmallTickIcon title={`Step ${step}, done`} /> : step}
    </span>
  );
}
