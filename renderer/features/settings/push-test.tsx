import { Spinner } from '@blueprintjs/core';
import { CrossIcon, TickIcon } from '@blueprintjs/icons';
import { useQueryClient } from '@tanstack/react-query';
import { useSetAtom, useStore } from 'jotai';
import { useState } from 'react';
import { notificationsEnabledAtom, requestPermission } from '#renderer/notifications/browser-notifications.ts';
import { endPushAtom, subscribeToPushAtom } from '#renderer/push/push-state.ts';
import { PushError, causeOf, pushDevicesQuery, sendTestPush } from '#renderer/push/push-subscription.ts';
import { listenToWorker, registerWorker } from '#renderer/push/service-worker.ts';
import classNames from 'classnames';
import { LastingButton } from '#renderer/ui/lasting-button.tsx';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './push-panel.module.css';

/** The steps of a notification, in order. */
const STEPS = [
  texts.permission,
  texts.serviceWorker,
  texts.subscription,
  texts.server,
  texts.pushService,
  texts.arrival,
] as const;
type StepName = (typeof STEPS)[number];

/** How long the message may be in flight from the push service to this browser, in milliseconds. */
const ARRIVAL_MS = 10_000;

interface TestStep {
  name: StepName;
  state: 'working' | 'done' | 'failed';
  detail?: string;
}

/** A step failed; the message says why. */
class StepFailure extends Error {
  readonly step: StepName;

  constructor(step: StepName, message: string) {
    super(message);
    this.step = step;
  }
}

/**
 * Runs the test: every step that was reached, and of the last one how it ended. It goes past the switch of this browser, and
 * leaves it as it is.
 */
export function usePushTest(): { steps: readonly TestStep[]; isBusy: boolean; run: () => void } {
  const [steps, setSteps] = useState<readonly TestStep[]>([]);
  const [isBusy, setBusy] = useState(false);
  const subscribe = useSetAtom(subscribeToPushAtom);
  const end = useSetAtom(endPushAtom);
  const store = useStore();
  const client = useQueryClient();

  const reach = (name: StepName): void => setSteps(upTo(name, 'working'));
  const run = async (): Promise<void> => {
    reach('Permission');
    await askPermission();
    reach(texts.serviceWorker);
    await registerWorker().catch((error: Error) => {
      throw new StepFailure(texts.serviceWorker, `${causeOf(new PushError('worker', '', {}))} ${error.message}`);
    });
    reach('Subscription');
    const push = await subscribe();
    if (push.status !== 'active') throw subscriptionFailure(push.status === 'failed' ? push.error : new Error(''));
    reach('Server');
    const arrival = waitForArrival();
    try {
      const result = await sendTestPush(push.endpoint).catch((error: Error) => {
        throw new StepFailure('Server', error.message);
      });
      reach(texts.pushService);
      if (result.outcome !== 'sent') throw new StepFailure(texts.pushService, result.detail);
      reach('Arrival');
      await arrival.promise;
      setSteps(upTo('Arrival', 'done'));
    } finally {
      arrival.stop();
    }
  };

  return {
    steps,
    isBusy,
    run: () => {
      setBusy(true);
      void run()
        .catch((error: unknown) => {
          const failure = error instanceof StepFailure ? error : new StepFailure('Arrival', String(error));
          setSteps(upTo(failure.step, 'failed', failure.message));
        })
        .finally(async () => {
          // What was subscribed for the test alone would bring alerts here.
          if (!store.get(notificationsEnabledAtom)) {
            await end();
            await client.invalidateQueries({ queryKey: pushDevicesQuery.queryKey });
          }
          setBusy(false);
        });
    },
  };
}

/** The steps before this one, done, and this one. */
const upTo = (name: StepName, state: TestStep['state'], detail?: string): TestStep[] => [
  ...STEPS.slice(0, STEPS.indexOf(name)).map((done): TestStep => ({ name: done, state: 'done' })),
  { name, state, ...(detail !== undefined && { detail }) },
];

async function askPermission(): Promise<void> {
  const state = await requestPermission();
  if (state === 'denied') throw new StepFailure('Permission', texts.notificationsAreBlockedInYour);
  if (state === 'default') throw new StepFailure('Permission', texts.browserAskedForPermissionAnd);
}

function subscriptionFailure(error: Error): StepFailure {
  const step = error instanceof PushError && error.step !== 'subscription' ? error.step : undefined;
  const said = error instanceof PushError && error.message !== '' ? ` ${error.message}` : '';
  if (step === 'worker') return new StepFailure(texts.serviceWorker, `${causeOf(error)}${said}`);
  return new StepFailure(step === 'server' ? 'Server' : 'Subscription', `${causeOf(error)}${said}`);
}

/** The moment at which the worker has shown the message. */
function waitForArrival(): { promise: Promise<void>; stop: () => void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Nobody may be waiting any more.
  promise.catch(() => undefined);
  const unlisten = listenToWorker(({ type }) => void (type === 'test-arrived' && resolve()));
  const late = texts.pushServiceAcceptedMessageBut;
  const timer = setTimeout(() => reject(new StepFailure('Arrival', late)), ARRIVAL_MS);
  return {
    promise,
    stop: () => {
      clearTimeout(timer);
      unlisten();
    },
  };
}

/** Sends a test notification through every step, and shows how far it came. */
export function PushTest() {
  const { steps, isBusy, run } = usePushTest();
  return (
    <>
      <LastingButton text={texts.sendMeTestNotification} isOff={isBusy} onClick={run} />
      <output className={styles.stepsRegion}>
        {steps.length > 0 && (
          <ol className={styles.steps} aria-label={texts.testNotification}>
            {steps.map(({ name, state, detail }) => (
              <li key={name} className={classNames(styles.step, styles[`step_${state}`])}>
                {state === 'done' ? (
                  <TickIcon size={14} title={pageTexts.done} />
                ) : state === 'failed' ? (
                  <CrossIcon size={14} title={texts.failed} />
                ) : (
                  <Spinner size={14} aria-label={texts.inProgress} />
                )}
                <span>
                  {name}
                  {detail !== undefined && <span className={styles.detail}>{detail}</span>}
                </span>
              </li>
            ))}
          </ol>
        )}
      </output>
    </>
  );
}
