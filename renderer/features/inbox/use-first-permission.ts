import { atom, useAtom, useSetAtom } from 'jotai';
import { useEffect } from 'react';
import { notificationsEnabledAtom, storedSwitch } from '#renderer/lib/notifications/notifications-enabled.ts';
import { notificationState, requestPermission } from '#renderer/lib/notifications/permission.ts';

/** Whether this page has asked. */
const askedAtom = atom(false);

/**
 * On first load asks for permission to notify, unless somebody switched notifications off
 * here. Granted, now or before, the switch is noted as on.
 */
export function useFirstPermission(): void {
  const setEnabled = useSetAtom(notificationsEnabledAtom);
  const [asked, setAsked] = useAtom(askedAtom);
  useEffect(() => {
    if (asked) return;
    setAsked(true);
    const stored = storedSwitch();
    if (notificationState() === 'granted' && stored === null) setEnabled(true);
    if (notificationState() !== 'default' || stored === 'false') return;
    const ask = async (): Promise<void> => {
      if ((await requestPermission()) === 'granted') setEnabled(true);
    };
    void ask();
  }, [asked, setAsked, setEnabled]);
}
