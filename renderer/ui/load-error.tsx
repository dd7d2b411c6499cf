import { Button } from '@blueprintjs/core';
import { ErrorIcon } from '@blueprintjs/icons';
import { EmptyState } from './empty-state.tsx';

interface LoadErrorProps {
  what: string;
  error: Error;
  onRetry: () => void;
  /** It is all there is on the page. */
  isPage?: boolean;
}

/** In place of what could not be read: why, and a way to try again. `what` begins the title, e.g. "API keys". */
export function LoadError({ what, error, onRetry, isPage = false }: LoadErrorProps) {
  return (
    <EmptyState
      isError
      isPage={isPage}
      icon={<ErrorIcon size={40} />}
      title={`${what} could not be loaded`}
      text={error.message}
      action={<Button text="Try again" onClick={onRetry} />}
    />
  );
}
