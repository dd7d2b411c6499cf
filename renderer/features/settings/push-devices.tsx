import { Button } from '@blueprintjs/core';
import { CrossIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import type { PushDevice } from '#backend/contract/push.ts';
import { useNotificationsEnabled } from '#renderer/lib/notifications/notifications-enabled.ts';
import { pushDevicesQuery, useRemovePushDevice } from '#renderer/lib/notifications/push-devices.ts';
import { pushStateAtom } from '#renderer/lib/notifications/push-state.ts';
import { formatDate, formatLastSeen } from '#renderer/lib/times.ts';
import { useToasts } from '#renderer/lib/toast.ts';
import { LoadError } from '#renderer/ui/load-error.tsx';

/** The browsers that are told of my alerts, each to be removed. Nothing while there is none. */
export function PushDevices() {
  const { data: devices, error, refetch } = useQuery(pushDevicesQuery);
  const { status } = useAtomValue(pushStateAtom);
  // This browser has come or gone.
  useEffect(() => {
    if (status !== 'working') void refetch();
  }, [status, refetch]);
  const remove = useRemove();

  if (error) return <LoadError what="Your devices" error={error} onRetry={() => void refetch()} />;
  if (!devices || devices.length === 0) return null;
  return (
    <>
      <h3 className="ad-push-heading">Your devices</h3>
      <ul className="ad-rows" aria-label="Devices">
        {devices.map((device) => (
          <li key={device.id} className="ad-row ad-push-device">
            <span className="ad-push-device-words">
              <span className="ad-push-device-name">
                {device.device}
                {device.isThisSession && <span className="ad-badge">This browser</span>}
              </span>
              <span className="ad-push-device-times">{timesOf(device)}</span>
            </span>
            <Button
              variant="minimal"
              icon={<CrossIcon size={14} />}
              aria-label={`Remove ${device.device}`}
              data-tip="No more notifications to this device"
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
    ? `Added ${formatDate(new Date(createdAt))}`
    : `Last told ${formatLastSeen(new Date(lastSuccessAt))}`;

/** Takes a device off the list, and says so. This browser is switched off with it, or it would come back by itself. */
function useRemove(): (device: PushDevice) => void {
  const { mutateAsync } = useRemovePushDevice();
  const [, setEnabled] = useNotificationsEnabled();
  const toasts = useToasts();
  const remove = async ({ id, isThisSession }: PushDevice): Promise<void> => {
    try {
      await mutateAsync(id);
      if (isThisSession) setEnabled(false);
      toasts.show({ intent: 'done', title: 'Device removed' });
    } catch (error) {
      const description = error instanceof Error ? error.message : '';
      toasts.show({ variant: 'destructive', title: 'Failed to remove device', description });
    }
  };
  return (device) => void remove(device);
}
