import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect } from 'react';
import { useConnection } from '#renderer/lib/connection.ts';
import { useNotificationsEnabled } from '#renderer/lib/notifications/notifications-enabled.ts';
import { useNotificationState } from '#renderer/lib/notifications/permission.ts';
import {
  endPushAtom,
  forgetPushAtom,
  pushStateAtom,
  subscribeToPushAtom,
} from '#renderer/lib/notifications/push-state.ts';
import { REMOVED } from '#renderer/lib/notifications/words.ts';
import { useToasts } from '#renderer/lib/toast.ts';

/**
 * Keeps the server's pushes to this browser in step with its switch: while notifications are permitted and on, the
 * subscription is there and sent after each sign-in, and looked for each time the server was away; switched off, it ends.
 * One that was taken off the list of devices switches them off, which is told. Mounted once, in the signed-in layout.
 */
export function usePushSync(): void {
  const isGranted = useNotificationState() === 'granted';
  const [isEnabled] = useNotificationsEnabled();
  const isConnected = useConnection() === 'connected';
  const subscribe = useSetAtom(subscribeToPushAtom);
  const end = useSetAtom(endPushAtom);
  const forget = useSetAtom(forgetPushAtom);
  useEffect(() => {
    if (!isGranted || !isConnected) return;
    if (isEnabled) void subscribe();
    else void end();
  }, [isGranted, isConnected, isEnabled, subscribe, end]);
  const isRemoved = useAtomValue(pushStateAtom).status === 'removed';
  const toasts = useToasts();
  useEffect(() => {
    if (isRemoved) toasts.show(REMOVED);
  }, [isRemoved, toasts]);
  useEffect(() => () => forget(), [forget]);
}
