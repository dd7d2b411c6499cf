import { Switch } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { QuietHours } from '#backend/contract/notification-settings.ts';
import { type NotificationState, useNotificationState } from '#renderer/notifications/browser-notifications.ts';
import { hoursOf } from '#renderer/lib/clock.ts';
import { writePattern } from '#renderer/lib/write-pattern.ts';
import { notificationSettingsQuery } from '#renderer/notifications/notification-settings.ts';
import { useNotificationSwitch } from '#renderer/notifications/use-notification-switch.ts';
import { pushDevicesQuery } from '#renderer/push/push-subscription.ts';
import { Panel, WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import { useChangeQuietHours } from './quiet-panel.tsx';
import * as texts from './texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './notify.module.css';

/** Where notifications come. @param hasPush false in the desktop app, which has none. */
export function WherePanel({ hasPush }: { hasPush: boolean }) {
  const settings = useQuery(notificationSettingsQuery);
  return (
    <Panel title={texts.where}>
      <WhenLoaded what={texts.where} queries={[settings]}>
        {settings.data && (
          <ul className={panelStyles.rows} aria-label={texts.where}>
            <Desktop isApp={!hasPush} />
            {hasPush && <WebPush />}
            <Row name="Sound" text={soundLabel(settings.data.sounds.length)} />
            <Quiet quietHours={settings.data.quietHours} />
          </ul>
        )}
      </WhenLoaded>
    </Panel>
  );
}

const soundLabel = (types: number): string => (types === 0 ? texts.noneChooseOneForAlert : texts.forAlert(types));

interface RowProps {
  name: string;
  text: ReactNode;
  /** Right of it. */
  end?: ReactNode;
  toggle?: { isOn: boolean; onChange: () => void };
}

function Row({ name, text, end, toggle }: RowProps) {
  const id = useId();
  return (
    <li className={`${panelStyles.row} ${styles.where}`}>
      <span className={styles.words}>
        <span className={styles.exceptionName}>{name}</span>
        <span id={`${id}-text`} className={styles.mutedText}>
          {text}
        </span>
      </span>
      {end}
      {toggle && (
        <Switch
          className={styles.switch}
          role="switch"
          aria-checked={toggle.isOn}
          aria-label={name}
          aria-describedby={`${id}-text`}
          checked={toggle.isOn}
          onChange={toggle.onChange}
        />
      )}
    </li>
  );
}

const DESKTOP: Record<NotificationState, string> = {
  granted: texts.turnedOffOnThisComputer,
  default: texts.notAllowedYet,
  denied: texts.blockedByBrowserOpenIcon,
  unsupported: texts.notSupportedByThisBrowser,
};

function Desktop({ isApp }: { isApp: boolean }) {
  const state = useNotificationState();
  const { isOn, turnOn, turnOff } = useNotificationSwitch();
  return (
    <Row
      name="Desktop"
      text={isOn ? texts.enabledHere(isApp) : DESKTOP[state]}
      {...(state !== 'unsupported' && {
        toggle: { isOn, onChange: () => (isOn ? turnOff() : void turnOn()) },
      })}
    />
  );
}

function WebPush() {
  const { data: devices } = useQuery(pushDevicesQuery);
  const count = devices?.length ?? 0;
  const text = count === 0 ? texts.notActiveOnAnyDevice : texts.activeOn(count);
  return <Row name={texts.webPush} text={devices === undefined ? '' : text} />;
}

/** A time of the clock, as the member reads times. */
function clockLabel(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return writePattern(new Date(2000, 0, 1, hours, minutes), hoursOf('h:mm a'));
}

function Quiet({ quietHours: { isOn, from, to } }: { quietHours: QuietHours }) {
  const change = useChangeQuietHours();
  return (
    <Row
      name={texts.quietHoursInText}
      text={isOn ? texts.quietHoursHint : texts.off}
      end={<span className={styles.times}>{texts.fromTo(clockLabel(from), clockLabel(to))}</span>}
      toggle={{ isOn, onChange: () => change((now) => ({ isOn: !now.isOn })) }}
    />
  );
}
