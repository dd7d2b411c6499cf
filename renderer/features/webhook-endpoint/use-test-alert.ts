import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { arrivesInInbox } from './arrives-in-inbox.ts';
import { sendTestAlert } from './send-test-alert.ts';

/** How long an alert may take into the inbox before something is amiss, in milliseconds. It needs a hundredth of that. */
const LATE_MS = 5000;

/** How far a test alert has come. `arrived` knows how long it took from the click on, in milliseconds. */
export type TestAlertState =
  | { at: 'rest' }
  | { at: 'sending' }
  | { at: 'failed'; error: Error }
  | { at: 'stored' }
  | { at: 'arrived'; afterMs: number }
  | { at: 'late' };

/** Sends a test alert, and watches the inbox of this screen until it is there. */
export function useTestAlert(): { state: TestAlertState; send: () => Promise<void> } {
  const client = useQueryClient();
  const [state, setState] = useState<TestAlertState>({ at: 'rest' });

  const send = async (): Promise<void> => {
    const clickedAt = performance.now();
    setState({ at: 'sending' });
    try {
      const { id } = await sendTestAlert();
      setState({ at: 'stored' });
      const hasArrived = await arrivesInInbox(client, id, LATE_MS);
      setState(hasArrived ? { at: 'arrived', afterMs: performance.now() - clickedAt } : { at: 'late' });
    } catch (error) {
      setState({ at: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    }
  };
  return { state, send };
}
