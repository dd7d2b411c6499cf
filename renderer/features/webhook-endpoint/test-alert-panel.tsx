import { Button } from '@blueprintjs/core';
import { SendMessageIcon } from '@blueprintjs/icons';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { type WebhookReceipt, webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { hasLoaded } from '#renderer/alerts/data/list-pages.ts';
import { inboxQuery } from '#renderer/alerts/data/alert-queries.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import classNames from 'classnames';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './webhook-endpoint-page.module.css';

/** Sends an alert through the whole system, and reports when it has arrived on this screen. */
export function TestAlertPanel() {
  const { state, send } = useTestAlert();
  const isSending = state.at === 'sending' || state.at === 'stored';
  return (
    <Panel title={texts.tryIt} hint={texts.sendsAlertFromTestAlert}>
      <div className={`${panelStyles.panelBody} ${styles.testAlert}`}>
        <Button
          intent="primary"
          icon={<SendMessageIcon />}
          text={texts.sendTestAlert}
          aria-disabled={isSending || undefined}
          onClick={() => isSending || void send()}
        />
        <output className={classNames(styles.testAlertState, styles[`testAlertState_${state.at}`])}>
          <TestAlertMessage state={state} />
        </output>
      </div>
    </Panel>
  );
}

function TestAlertMessage({ state }: { state: TestAlertState }) {
  switch (state.at) {
    case 'rest':
      return null;
    case 'sending':
      return texts.sending;
    case 'failed':
      return texts.testAlertCouldNotBe(state.error.message);
    case 'stored':
      return texts.storedWaitingForItIn;
    case 'arrived':
      return (
        <>
          {texts.arrivedIn} <InboxLink /> {texts.afterMilliseconds(Math.max(1, Math.round(state.afterMs)))}
        </>
      );
    case 'late':
      return (
        <>
          {texts.notReceivedHint} <InboxLink />.
        </>
      );
  }
}

const InboxLink = () => (
  <Link className="ad-link" to="/">
    {common.newAlerts}
  </Link>
);

/** How long an alert may take into the inbox before something is wrong, in milliseconds. It needs a hundredth of that. */
const LATE_MS = 5000;

/** How far a test alert has come. `arrived` knows how long it took from the click on, in milliseconds. */
type TestAlertState =
  | { at: 'rest' }
  | { at: 'sending' }
  | { at: 'failed'; error: Error }
  | { at: 'stored' }
  | { at: 'arrived'; afterMs: number }
  | { at: 'late' };

/** Sends a test alert, and watches the inbox of this screen until it is there. */
function useTestAlert(): { state: TestAlertState; send: () => Promise<void> } {
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

/** Resolves with true as soon as this screen's inbox has the alert, with false when it has not within `withinMs`. */
function arrivesInInbox(client: QueryClient, id: string, withinMs: number): Promise<boolean> {
  const isInInbox = (): boolean => {
    const pages = client.getQueryData(inboxQuery.queryKey);
    return pages !== undefined && hasLoaded(pages, id);
  };
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(isInInbox()), withinMs);
  const unsubscribe = client.getQueryCache().subscribe(() => {
    if (isInInbox()) resolve(true);
  });
  if (isInInbox()) resolve(true);
  return promise.finally(() => {
    clearTimeout(timer);
    unsubscribe();
  });
}

/** `POST /api/webhook/test`: answered once the alert is stored. Throws an ApiError, 503 when it could not be. */
const sendTestAlert = (): Promise<WebhookReceipt> =>
  apiSend('POST', '/api/webhook/test', { schema: webhookReceiptSchema });
