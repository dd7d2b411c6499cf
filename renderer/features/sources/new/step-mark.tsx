import { SmallTickIcon } from '@blueprintjs/icons';

/** Number of a step in a circle, or a tick once it is done. */
export function StepMark({ step, isDone = false }: { step: number; isDone?: boolean }) {
  return (
    <span className={`ad-step${isDone ? ' ad-step--done' : ''}`}>
      {isDone ? <SmallTickIcon title={`Step ${step}, done`} /> : step}
    </span>
  );
}
