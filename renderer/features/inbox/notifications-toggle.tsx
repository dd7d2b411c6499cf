import { Button, Switch } from '@blueprintjs/core';
import { NotificationsSnoozeIcon } from '@blueprintjs/icons';
import { atom, useAtom, useSetAtom } from 'jotai';
import { useEffect } from 'react';
import {
  notificationState,
  notificationsEnabledAtom,
  requestPermission,
  storedSwitch,
} from '#renderer/notifications/browser-notifications.ts';
import { MOBILE, useMediaQuery } from '#renderer/lib/use-media-query.ts';
import { usePause } from '#renderer/notifications/pause.ts';
import { useNotificationSwitch } from '#renderer/notifications/use-notification-switch.ts';
import * as texts from './notifications-toggle-texts.ts';
import * as styles from './notifications-toggle.module.css';

/**
 * Notifications On/Off in this browser. It is on when notifications can come: an undecided
 * permission is asked for when it is switched on, and on first load.
 */
export function NotificationsToggle() {
  useFirstPermission();
  const { isOn, turnOn, turnOff } = useNotificationSwitch();

  return (
    <div className={styles.notify}>
      <PausedNote />
      <Switch
        className={styles.toggle}
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        onChange={() => (isOn ? turnOff() : void turnOn())}
        label={texts.notifications(isOn)}
      />
    </div>
  );
}

/** Until when notifications are paused, and how to resume them. Nothing while they are not. */
function PausedNote() {
  const { until, isBusy, resume } = usePause();
  // There the filters' button and the counts stand beside it.
  const isSmall = useMediaQuery(MOBILE);
  if (until === undefined) return null;
  return (
    <span className={styles.paused}>
      <NotificationsSnoozeIcon size={14} />
      {isSmall ? (
        <>
          <span className="ad-hidden">{texts.pausedUntil(until)}</span>
          <span className={styles.until} aria-hidden>
            {until}
          </span>
        </>
      ) : (
        <span>{texts.pausedUntil(until)}</span>
      )}
      <Button variant="minimal" size="small" text={texts.resume} disabled={isBusy} onClick={resume} />
    </span>
  );
}

/** Whether this page has asked. */
const askedAtom = atom(false);

/**
 * On first load asks for permission to notify, unless somebody switched notifications off
 * here. Granted, now or before, the switch is noted as on.
 */
function useFirstPermission(): void {
  const setEnabled = useSetAtom(notificationsEnabledAtom);
  const [asked, setAsked] = useAtom(askedAtom);
  useEffect(() => {
    if (asked) return;
    setAsked(true);
    const stored = storedSwitch();
    if (notificationState() === 'granted' && stored === null) setEnabled(true);
    if (notificationState() !== 'default' || stored === 'false') return;
    const ask = async (): Promise<void> => {
      const answer = await requestPermission();
      // While the question waited, the switch may have asked again, and been switched off since.
      if (answer === 'granted' && storedSwitch() === null) setEnabled(true);
    };
    void ask();
  }, [asked, setAsked, setEnabled]);
}
