import { Button } from '@blueprintjs/core';
import { SendMessageIcon } from '@blueprintjs/icons';
import { Link } from 'react-router-dom';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { type TestAlertState, useTestAlert } from './use-test-alert.ts';

/** Sends an alert the whole way, and tells when it has arrived on this very screen. */
export function TestAlertPanel() {
  const { state, send } = useTestAlert();
  const isSending = state.at === 'sending' || state.at === 'stored';
  return (
    <Panel
      title="Try it"
      hint="Sends an alert from “Test alert” the whole way: stored, told to everybody, shown in New Alerts."
    >
      <div className="ad-panel-body ad-test-alert">
        <Button
          intent="primary"
          icon={<SendMessageIcon />}
          text="Send test alert"
          aria-disabled={isSending || undefined}
          onClick={() => isSending || void send()}
        />
        <output className={`ad-test-alert-state ad-test-alert-state--${state.at}`}>
          <TestAlertWords state={state} />
        </output>
      </div>
    </Panel>
  );
}

function TestAlertWords({ state }: { state: TestAlertState }) {
  switch (state.at) {
    case 'rest':
      return null;
    case 'sending':
      return 'Sending…';
    case 'failed':
      return `The test alert was not taken. ${state.error.message}`;
    case 'stored':
      return 'Stored. Waiting for it in New Alerts…';
    case 'arrived':
      return (
        <>
          Arrived in <InboxLink /> after {Math.max(1, Math.round(state.afterMs))} ms.
        </>
      );
    case 'late':
      return (
        <>
          It is stored, but this screen has not heard of it. Check the connection at the top right, and look into{' '}
          <InboxLink />.
        </>
      );
  }
}

const InboxLink = () => (
  <Link className="ad-link" to="/">
    New Alerts
  </Link>
);
