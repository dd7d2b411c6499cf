import { Button, HTMLSelect } from '@blueprintjs/core';
import { VolumeUpIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { soundOf } from '#backend/contract/announcement.ts';
import { SOUND_NAMES, type SoundName, soundNameSchema } from '#backend/contract/notification-settings.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useChangeAlertSound } from '#renderer/lib/notifications/change-notification-settings.ts';
import { notificationSettingsQuery } from '#renderer/lib/notifications/get-notification-settings.ts';
import { SOUND_WORDS, playSound } from '#renderer/lib/notifications/sounds.ts';
import { useToasts } from '#renderer/lib/toast.ts';

const OPTIONS = [
  { value: '', label: 'No sound' },
  ...SOUND_NAMES.map((name) => ({ value: name, label: SOUND_WORDS[name] })),
];

/** The sound that alerts of a type make, and how it sounds. */
export function SoundChoice({ alertType }: { alertType: string }) {
  const { data: settings } = useQuery(notificationSettingsQuery);
  const { mutateAsync } = useChangeAlertSound();
  const toasts = useToasts();
  const sound = settings && soundOf(settings.sounds, { customer: null, alertType });
  const name = inertLine(alertType);

  const choose = (chosen: SoundName | null): void => {
    if (chosen) void playSound(chosen);
    mutateAsync({ alertType, sound: chosen }).catch((error: Error) =>
      toasts.show({ variant: 'destructive', title: 'Failed to change the sound', description: error.message }),
    );
  };
  return (
    <span className="ad-sound">
      <HTMLSelect
        className="ad-sound-select"
        aria-label={`Sound of ${name}`}
        options={OPTIONS}
        disabled={!settings}
        value={sound ?? ''}
        onChange={({ target }) => choose(target.value === '' ? null : soundNameSchema.parse(target.value))}
      />
      <Button
        variant="minimal"
        icon={<VolumeUpIcon size={14} />}
        aria-label={`Play the sound of ${name}`}
        disabled={sound === undefined}
        onClick={() => sound && void playSound(sound)}
      />
    </span>
  );
}
