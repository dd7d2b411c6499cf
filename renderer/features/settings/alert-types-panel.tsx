import { Button, HTMLSelect } from '@blueprintjs/core';
import { VolumeUpIcon } from '@blueprintjs/icons';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { soundOf } from '#backend/contract/announcement.ts';
import { SOUND_NAMES, type SoundName, soundNameSchema } from '#backend/contract/notification-settings.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useChangeAlertType } from '#renderer/mutes/change-mutes.ts';
import { MuteRow, MuteRows } from '#renderer/mutes/mute-rows.tsx';
import { alertTypeMutesQuery, useEndsOf } from '#renderer/mutes/mutes.ts';
import { alertTypesQuery, useNamePages } from '#renderer/mutes/names.ts';
import { notificationSettingsQuery, useChangeAlertSound } from '#renderer/notifications/notification-settings.ts';
import { SOUND_LABELS, trySound } from '#renderer/notifications/sounds.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { Panel, WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import * as texts from './texts.tsx';
import * as styles from './settings-page.module.css';
import * as quietPanelStyles from './quiet-panel.module.css';

/** Alert Type Subscriptions: the types that the member is notified of. */
export function AlertTypesPanel() {
  const types = useInfiniteQuery(alertTypesQuery);
  const mutes = useQuery(alertTypeMutesQuery);
  const change = useChangeAlertType();
  const { names = [], total, loadMore } = useNamePages(types);
  const ends = useEndsOf('alert_type');
  const muted = useMemo(() => new Set(mutes.data), [mutes.data]);

  return (
    <Panel title={texts.alertTypeSubscriptions}>
      <WhenLoaded what={texts.alertTypes} queries={[types, mutes]}>
        {names.length === 0 ? (
          <p className={styles.settingsEmpty}>{texts.noAlertTypesYet}</p>
        ) : (
          <MuteRows label={texts.alertTypes} rows={names} total={total} keyOf={(type) => type} loadMore={loadMore}>
            {(type, place) => (
              <MuteRow
                key={type}
                name={type}
                place={place}
                muted={muted.has(type)}
                until={ends.get(type)}
                onChange={(isMuted) => change(type, isMuted)}
                end={<SoundChoice alertType={type} />}
              >
                {texts.desktopAlertsForThisType(muted.has(type))}
              </MuteRow>
            )}
          </MuteRows>
        )}
      </WhenLoaded>
    </Panel>
  );
}

const OPTIONS = [
  { value: '', label: texts.noSound },
  ...SOUND_NAMES.map((name) => ({ value: name, label: SOUND_LABELS[name] })),
];

/** The sound that alerts of a type make, and how it sounds. */
export function SoundChoice({ alertType }: { alertType: string }) {
  const { data: settings } = useQuery(notificationSettingsQuery);
  const { mutateAsync } = useChangeAlertSound();
  const toasts = useToasts();
  const sound = settings && soundOf(settings.sounds, { alertType });
  const name = inertLine(alertType);

  const choose = (chosen: SoundName | null): void => {
    if (chosen) void trySound(chosen);
    mutateAsync({ alertType, sound: chosen }).catch((error: Error) =>
      toasts.show({ variant: 'destructive', title: texts.failedToChangeSound, description: error.message }),
    );
  };
  return (
    <span className={quietPanelStyles.sound}>
      <HTMLSelect
        className={quietPanelStyles.soundSelect}
        aria-label={texts.soundOf(name)}
        options={OPTIONS}
        disabled={!settings}
        value={sound ?? ''}
        onChange={({ target }) => choose(target.value === '' ? null : soundNameSchema.parse(target.value))}
      />
      <Button
        variant="minimal"
        icon={<VolumeUpIcon size={14} />}
        aria-label={texts.playSoundOf(name)}
        disabled={sound === undefined}
        onClick={() => sound && void trySound(sound)}
      />
    </span>
  );
}
