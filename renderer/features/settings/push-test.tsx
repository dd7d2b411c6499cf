import { Button, Spinner } from '@blueprintjs/core';
import { CrossIcon, TickIcon } from '@blueprintjs/icons';
import { usePushTest } from './use-push-test.ts';

/** Sends a test notification the whole way, and says step by step how far it came. */
export function PushTest() {
  const { steps, isBusy, run } = usePushTest();
  return (
    <>
      <Button text="Send me a test notification" disabled={isBusy} onClick={run} />
      <output className="ad-push-steps-region">
        {steps.length > 0 && (
          <ol className="ad-push-steps" aria-label="Test notification">
            {steps.map(({ name, state, detail }) => (
              <li key={name} className={`ad-push-step ad-push-step-${state}`}>
                {state === 'done' ? (
                  <TickIcon size={14} title="Done" />
                ) : state === 'failed' ? (
                  <CrossIcon size={14} title="Failed" />
                ) : (
                  <Spinner size={14} aria-label="Under way" />
                )}
                <span>
                  {name}
                  {detail !== undefined && <span className="ad-push-detail">{detail}</span>}
                </span>
              </li>
            ))}
          </ol>
        )}
      </output>
    </>
  );
}
