import { HTMLSelect, SegmentedControl } from '@blueprintjs/core';
import { useId, useMemo } from 'react';
import type { ProfileChange } from '#backend/contract/account.ts';
import { timeFormatSchema } from '#backend/contract/session.ts';
import { writeTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { useSession } from '#renderer/session/session.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { useChangeProfile } from './account.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './account-page.module.css';

const FORMATS = [
  { label: pageTexts.hours(12), value: '12h' },
  { label: pageTexts.hours(24), value: '24h' },
  { label: texts.system, value: 'system' },
];

/** Stands for the time zone of each device. */
const DEVICE_ZONE = '';

const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** How I read times, on all my devices. Each change counts at once. */
export function TimePanel() {
  const { timeFormat = '12h', timeZone = DEVICE_ZONE } = useSession();
  const change = useChangeProfile();
  const toasts = useToasts();
  const id = useId();
  const zones = useMemo(() => zonesWith(timeZone), [timeZone]);
  const now = useNow((moment) => writeTime(moment, 'EEEE, MMM d, h:mm a (O)'));
  const { variables, isPending } = change;
  // What was chosen, while it is on its way.
  const shown = isPending && variables ? variables : {};

  const choose = (chosen: ProfileChange): void =>
    change.mutate(chosen, {
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: texts.failedToChangeTimeFormat, description: message }),
    });

  return (
    <Panel title={texts.times} hint={texts.itIsNow(now)}>
      <div className={`${panelStyles.panelBody} ${styles.times}`}>
        <span id={`${id}-format`}>{texts.format}</span>
        <SegmentedControl
          aria-labelledby={`${id}-format`}
          options={FORMATS}
          value={shown.timeFormat ?? timeFormat}
          onValueChange={(value) => choose({ timeFormat: timeFormatSchema.parse(value) })}
        />
        <label htmlFor={`${id}-zone`}>{pageTexts.timeZone}</label>
        <HTMLSelect
          id={`${id}-zone`}
          fill
          options={zones}
          value={shown.timeZone === undefined ? timeZone : (shown.timeZone ?? DEVICE_ZONE)}
          onChange={({ target }) => choose({ timeZone: target.value === DEVICE_ZONE ? null : target.value })}
        />
      </div>
    </Panel>
  );
}

/** Every time zone that the browser knows, with the one that is set. */
function zonesWith(chosen: string): { label: string; value: string }[] {
  const names = [...new Set([chosen, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
    .filter((name) => name !== '')
    .sort();
  return [
    { label: texts.thisDevices(deviceZone()), value: DEVICE_ZONE },
    ...names.map((name) => ({ label: name, value: name })),
  ];
}
