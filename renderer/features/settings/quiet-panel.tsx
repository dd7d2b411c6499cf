import { Button, HTMLSelect, InputGroup, Switch } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useId, useMemo } from 'react';
import {
  DEFAULT_QUIET_HOURS,
  type QuietHours,
  WEEKDAYS,
  type Weekday,
} from '#backend/contract/notification-settings.ts';
import {
  notificationSettingsQuery,
  useChangeNotificationSettings,
} from '#renderer/notifications/notification-settings.ts';
import { AN_HOUR, tomorrowMorning, usePause } from '#renderer/notifications/pause.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import { zonesWith } from '#renderer/lib/time-zones.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { LastingButton } from '#renderer/ui/lasting-button.tsx';
import { Panel, WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './quiet-panel.module.css';

/** Quiet on all my devices: for a while, and every week at the same hours. */
export function QuietPanel() {
  const settings = useQuery(notificationSettingsQuery);
  return (
    <Panel title={texts.quietHoursTitle} hint={texts.noNotificationsAndNoSounds}>
      <WhenLoaded what={texts.quietHoursInText} queries={[settings]}>
        {settings.data && (
          <div className={`${panelStyles.panelBody} ${styles.quiet}`}>
            <PauseRow />
            <QuietHoursForm quietHours={settings.data.quietHours} />
          </div>
        )}
      </WhenLoaded>
    </Panel>
  );
}

function PauseRow() {
  const { until, isBusy, pause, resume } = usePause();
  if (until !== undefined) {
    return (
      <div className={styles.pause}>
        <span>{texts.pausedUntil(until)}</span>
        <LastingButton text={texts.resume} isOff={isBusy} onClick={resume} />
      </div>
    );
  }
  return (
    <div className={styles.pause}>
      <LastingButton text={texts.pauseFor1Hour} isOff={isBusy} onClick={() => pause(AN_HOUR)} />
      <LastingButton
        text={pageTexts.pauseUntilTomorrow}
        isOff={isBusy}
        onClick={() => pause(tomorrowMorning(new Date()))}
      />
    </div>
  );
}

const DAYS: Record<Weekday, { short: string; long: string }> = {
  mon: { short: texts.mo, long: texts.monday },
  tue: { short: texts.tu, long: texts.tuesday },
  wed: { short: texts.we, long: texts.wednesday },
  thu: { short: texts.th, long: texts.thursday },
  fri: { short: texts.fr, long: texts.friday },
  sat: { short: texts.sa, long: texts.saturday },
  sun: { short: texts.su, long: texts.sunday },
};

/** Days, hours and time zone of the weekly quiet. Each change counts at once. */
export function QuietHoursForm({ quietHours }: { quietHours: QuietHours }) {
  const id = useId();
  const change = useChangeQuietHours();
  const { isOn, days, from, to, timeZone } = quietHours;
  const zones = useMemo(() => zonesWith(timeZone), [timeZone]);
  const setTime =
    (name: 'from' | 'to') =>
    ({ target }: ChangeEvent<HTMLInputElement>): void =>
      // Half-typed it is empty.
      void (target.value !== '' && change(() => ({ [name]: target.value })));

  return (
    <>
      <Switch
        className={styles.quietSwitch}
        role="switch"
        aria-checked={isOn}
        label={texts.weeklyQuietHours}
        checked={isOn}
        onChange={() => change((now) => ({ isOn: !now.isOn }))}
      />
      {isOn && (
        <div className={styles.form}>
          <span id={`${id}-days`}>{texts.days}</span>
          <fieldset aria-labelledby={`${id}-days`} className={styles.days}>
            {WEEKDAYS.map((day) => (
              <Button
                key={day}
                aria-pressed={days.includes(day)}
                active={days.includes(day)}
                onClick={() => change((now) => ({ days: toggled(now.days, day) }))}
              >
                <span aria-hidden>{DAYS[day].short}</span>
                <span className="ad-hidden">{DAYS[day].long}</span>
              </Button>
            ))}
          </fieldset>
          <label htmlFor={`${id}-from`}>{texts.from}</label>
          <InputGroup id={`${id}-from`} type="time" value={from} onChange={setTime('from')} />
          <label htmlFor={`${id}-to`}>{texts.to}</label>
          <InputGroup id={`${id}-to`} type="time" value={to} onChange={setTime('to')} />
          <label htmlFor={`${id}-zone`}>{pageTexts.timeZone}</label>
          <HTMLSelect
            id={`${id}-zone`}
            fill
            options={zones}
            value={timeZone}
            onChange={({ target }) => change(() => ({ timeZone: target.value }))}
          />
          {days.length === 0 && <p className={styles.note}>{texts.chooseAtLeastOneDay}</p>}
          {from > to && days.length > 0 && <p className={styles.note}>{texts.endsAfterMidnightOnDay}</p>}
        </div>
      )}
    </>
  );
}

const toggled = (days: readonly Weekday[], day: Weekday): Weekday[] =>
  days.includes(day) ? days.filter((one) => one !== day) : [...days, day];

/** Changes the quiet hours; without a chosen time zone, those of the clock on the person's own wall are meant. */
export function useChangeQuietHours(): (change: (now: QuietHours) => Partial<QuietHours>) => void {
  const client = useQueryClient();
  const { mutateAsync } = useChangeNotificationSettings();
  const toasts = useToasts();
  return (change) => {
    // As they are by now: the form may not have drawn the change before this one.
    const known = client.getQueryData(notificationSettingsQuery.queryKey);
    if (!known) return;
    const { timeZone } = known.quietHours;
    const here = timeZone === DEFAULT_QUIET_HOURS.timeZone ? { timeZone: timeZoneHere() } : {};
    mutateAsync({ quietHours: { ...known.quietHours, ...here, ...change(known.quietHours) } }).catch((error: Error) =>
      toasts.show({ variant: 'destructive', title: texts.failedToChangeQuietHours, description: error.message }),
    );
  };
}
