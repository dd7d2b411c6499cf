import { Button } from '@blueprintjs/core';
import { CrossIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useAtomValue, useSetAtom, useStore } from 'jotai';
import { useEffect, useState } from 'react';
import type { PushDevice } from '#backend/contract/push.ts';
import { formatDate, formatLastSeen } from '#renderer/lib/times.ts';
import {
  type NotificationState,
  PERMISSION_DENIED,
  requestPermission,
  useNotificationState,
  useNotificationsEnabled,
} from '#renderer/notifications/browser-notifications.ts';
import { pushStateAtom, subscribeToPushAtom } from '#renderer/push/push-state.ts';
import { pushDevicesQuery, pushFailure, useRemovePushDevice } from '#renderer/push/push-subscription.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { LoadError } from '#renderer/ui/empty-state.tsx';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { PushTest } from './push-test.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as statusStyles from '#renderer/alerts/card/status.module.css';
import * as styles from './push-panel.module.css';

const STATUS: Record<Exclude<NotificationState, 'unsupported'>, string> = {
  granted: texts.enabled,
  denied: texts.blocked,
  default: texts.notEnabled,
};

/** The status of this browser: a permission without working pushes is not shown as enabled, and active is what is subscribed. */
function useStatus(state: keyof typeof STATUS): { status: string; isActive: boolean } {
  const [isEnabled] = useNotificationsEnabled();
  const push = useAtomValue(pushStateAtom);
  if (state !== 'granted') return { status: STATUS[state], isActive: false };
  if (!isEnabled || push.status === 'failed') return { status: STATUS.default, isActive: false };
  return { status: STATUS.granted, isActive: push.status === 'active' };
}

/** Push Notifications: whether this browser receives pushes, and the member's other browsers. */
export function PushPanel() {
  const state = useNotificationState();
  return state === 'unsupported' ? null : <SupportedPush state={state} />;
}

function SupportedPush({ state }: { state: keyof typeof STATUS }) {
  const { status, isActive } = useStatus(state);
  return (
    <Panel title={texts.pushNotifications} actions={isActive && <ActiveTag />}>
      <div className={`${panelStyles.panelBody} ${styles.push}`}>
        <p className={styles.status}>
          <span>{pageTexts.status}</span> {status}
        </p>
        {state === 'denied' && <p className={styles.hint}>{texts.notificationsAreBlockedForThis}</p>}
        {state === 'default' && <EnableButton />}
        {state === 'granted' && <ThisBrowser />}
        <PushTest />
      </div>
      <PushDevices />
    </Panel>
  );
}

const ActiveTag = () => (
  <span className={`${statusStyles.tag} ${statusStyles.status_accepted}`}>
    <span className={statusStyles.dot} />
    {texts.active}
  </span>
);

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
      if (result.status === 'active') toasts.show({ intent: 'done', title: texts.pushNotificationsEnabled });
      if (result.status === 'failed') toasts.show(pushFailure(result.error));
    }
    setBusy(false);
  };
  return (
    <Button intent="primary" text={texts.enablePushNotifications} loading={isBusy} onClick={() => void enable()} />
  );
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
      <div className={styles.trouble}>
        <p>{texts.pushTurnedOff(push.status)}</p>
        <Button text={texts.turnOn} onClick={() => setEnabled(true)} />
      </div>
    );
  }
  if (push.status !== 'failed') return null;
  return (
    <div className={styles.trouble} role="alert">
      <p>
        {pushFailure(push.error).description}
        {push.error.message !== '' && <span className={styles.detail}>{push.error.message}</span>}
      </p>
      <Button text={common.tryAgain} onClick={() => void subscribe()} />
    </div>
  );
}

/** The browsers that are notified of my alerts, with a button to remove each. Nothing while there is none. */
export function PushDevices() {
  const { data: devices, error, refetch } = useQuery(pushDevicesQuery);
  const push = useAtomValue(pushStateAtom);
  // This browser has come or gone, or the server was asked again after it was away.
  useEffect(() => {
    if (push.status !== 'working') void refetch();
  }, [push, refetch]);
  const remove = useRemove();

  if (error) return <LoadError what={texts.yourDevices} error={error} onRetry={() => void refetch()} />;
  if (!devices || devices.length === 0) return null;
  return (
    <>
      <h3 className={styles.heading}>{texts.yourDevices}</h3>
      <ul className={panelStyles.rows} aria-label={texts.devices}>
        {devices.map((device) => (
          <li key={device.id} className={`${panelStyles.row} ${styles.device}`}>
            <span className={styles.deviceWords}>
              <span className={styles.deviceName}>
                {device.device}
                {device.isThisSession && <span className={panelStyles.badge}>{pageTexts.thisBrowser}</span>}
              </span>
              <span className={styles.deviceTimes}>{timesOf(device)}</span>
            </span>
            <Button
              variant="minimal"
              icon={<CrossIcon size={14} />}
              aria-label={texts.removeDevice(device.device)}
              data-tip={texts.noMoreNotificationsToThis}
              onClick={() => remove(device)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

const timesOf = ({ createdAt, lastSuccessAt }: PushDevice): string =>
  lastSuccessAt === undefined
    ? texts.addedTime(formatDate(new Date(createdAt)))
    : texts.lastNotified(formatLastSeen(new Date(lastSuccessAt)));

/** Takes a device off the list. This browser is switched off with it, or it would come back by itself. */
function useRemove(): (device: PushDevice) => void {
  const { mutateAsync } = useRemovePushDevice();
  const [, setEnabled] = useNotificationsEnabled();
  const toasts = useToasts();
  const remove = async ({ id, isThisSession }: PushDevice): Promise<void> => {
    try {
      await mutateAsync(id);
      if (isThisSession) setEnabled(false);
    } catch (error) {
      const description = error instanceof Error ? error.message : '';
      toasts.show({ variant: 'destructive', title: texts.failedToRemoveDevice, description });
    }
  };
  return (device) => void remove(device);
}
