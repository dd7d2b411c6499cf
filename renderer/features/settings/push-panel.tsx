import { Button } from '@blueprintjs/core';
import { useAtomValue, useSetAtom, useStore } from 'jotai';
import { useEffect, useState } from 'react';
import { useNotificationsEnabled } from '#renderer/lib/notifications/notifications-enabled.ts';
import {
  type NotificationState,
  requestPermission,
  useNotificationState,
} from '#renderer/lib/notifications/permission.ts';
import { pushStateAtom, subscribeToPushAtom } from '#renderer/lib/notifications/push-state.ts';
import { PERMISSION_DENIED } from '#renderer/lib/notifications/words.ts';
import { useToasts } from '#renderer/lib/toast.ts';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { PushDevices } from './push-devices.tsx';
import { pushFailure } from './push-failure.ts';
import { PushTest } from './push-test.tsx';
import './push-panel.css';

const STATUS: Record<Exclude<NotificationState, 'unsupported'>, string> = {
  granted: 'Enabled',
  denied: 'Blocked',
  default: 'Not enabled',
};

/** How it stands with this browser, in one way: a permission of which nothing comes is not shown as enabled. */
function useStatus(state: keyof typeof STATUS): { status: string; isActive: boolean } {
  const [isEnabled] = useNotificationsEnabled();
  const push = useAtomValue(pushStateAtom);
  if (state !== 'granted') return { status: STATUS[state], isActive: false };
  if (!isEnabled || push.status === 'failed') return { status: STATUS.default, isActive: false };
  return { status: STATUS.granted, isActive: true };
}

/** Push Notifications: whether this browser receives pushes, and the member's other browsers. */
export function PushPanel() {
  const state = useNotificationState();
  return state === 'unsupported' ? null : <SupportedPush state={state} />;
}

function SupportedPush({ state }: { state: keyof typeof STATUS }) {
  const { status, isActive } = useStatus(state);
  return (
    <Panel title="Push Notifications" actions={isActive && <span className="ad-push-active">Active</span>}>
      <div className="ad-panel-body ad-push">
        <p className="ad-push-status">
          <span>Status</span> {status}
        </p>
        {state === 'denied' && (
          <p className="ad-push-hint">
            Notifications are blocked for this site. Allow them in your browser&apos;s settings, behind the icon beside
            the address.
          </p>
        )}
        {state === 'default' && <EnableButton />}
        {state === 'granted' && <ThisBrowser />}
        <PushTest />
      </div>
      <PushDevices />
    </Panel>
  );
}

/** Asks for permission, subscribes this browser, and reports the result in a toast. */
function EnableButton() {
  const [isBusy, setBusy] = useState(false);
  const [, setEnabled] = useNotificationsEnabled();
  const subscribe = useSetAtom(subscribeToPushAtom);
  const toasts = useToasts();
  const enable = async (): Promise<void> => {
    setBusy(true);
    const permission = await requestPermission();
    if (permission === 'denied') toasts.show(PERMISSION_DENIED);
    if (permission === 'granted') {
      setEnabled(true);
      const result = await subscribe();
      if (result.status === 'active') toasts.show({ intent: 'done', title: 'Push notifications enabled' });
      if (result.status === 'failed') toasts.show(pushFailure(result.error));
    }
    setBusy(false);
  };
  return <Button intent="primary" text="Enable Push Notifications" loading={isBusy} onClick={() => void enable()} />;
}

/** What is the matter with this browser's own pushes, if anything is. */
function ThisBrowser() {
  const [isEnabled, setEnabled] = useNotificationsEnabled();
  const push = useAtomValue(pushStateAtom);
  const subscribe = useSetAtom(subscribeToPushAtom);
  const store = useStore();
  useEffect(() => {
    // Permitted, but not subscribed: the page subscribes when it opens.
    if (isEnabled && store.get(pushStateAtom).status !== 'active') void subscribe();
  }, [isEnabled, subscribe, store]);

  if (!isEnabled) {
    return (
      <div className="ad-push-trouble">
        <p>
          {push.status === 'removed' && 'This browser is no longer among your devices. '}
          Notifications are switched off in this browser.
        </p>
        <Button text="Switch on" onClick={() => setEnabled(true)} />
      </div>
    );
  }
  if (push.status !== 'failed') return null;
  return (
    <div className="ad-push-trouble" role="alert">
      <p>
        {pushFailure(push.error).description}
        {push.error.message !== '' && <span className="ad-push-detail">{push.error.message}</span>}
      </p>
      <Button text="Try again" onClick={() => void subscribe()} />
    </div>
  );
}
