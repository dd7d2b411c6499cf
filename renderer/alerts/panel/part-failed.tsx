import { Button } from '@blueprintjs/core';

interface PartFailedProps {
  text: string;
  onRetry: () => void;
}

/** A failure of a part, with a way to try again. */
export function PartFailed({ text, onRetry }: PartFailedProps) {
  return (
    <div className="ad-panel-failed" role="alert">
      {text}
      <Button text="Try again" onClick={onRetry} />
    </div>
  );
}
