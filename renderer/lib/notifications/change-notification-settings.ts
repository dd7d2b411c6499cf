import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type AlertSoundChange,
  type NotificationSettings,
  type NotificationSettingsChange,
  notificationSettingsSchema,
} from '#backend/contract/notification-settings.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { notificationSettingsQuery } from './get-notification-settings.ts';

const PATH = '/api/notification-settings';

/** `PATCH /api/notification-settings`: quiet hours, or a pause. Throws an ApiError. */
export const changeNotificationSettings = (change: NotificationSettingsChange): Promise<NotificationSettings> =>
  apiSend('PATCH', PATH, { body: change, schema: notificationSettingsSchema });

/** `PUT /api/notification-settings/sounds`: the sound of an alert type, `null` for none. Throws an ApiError. */
export const changeAlertSound = (change: AlertSoundChange): Promise<NotificationSettings> =>
  apiSend('PUT', `${PATH}/sounds`, { body: change, schema: notificationSettingsSchema });

/** Changes settings: on screen at once, and as the server has them after its answer, whatever that was. */
function useChange<Change>(
  send: (change: Change) => Promise<NotificationSettings>,
  apply: (settings: NotificationSettings, change: Change) => NotificationSettings,
) {
  const client = useQueryClient();
  const { queryKey } = notificationSettingsQuery;
  return useMutation({
    mutationFn: send,
    // One after the other: of two changes the later one counts.
    scope: { id: PATH },
    onMutate: async (change: Change) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (settings) => settings && apply(settings, change));
    },
    onSuccess: (settings) => void client.setQueryData(queryKey, settings),
    onError: () => client.invalidateQueries({ queryKey }),
  });
}

/** Changes my quiet hours, or my pause. */
export const useChangeNotificationSettings = () =>
  useChange(changeNotificationSettings, (settings, { quietHours, pausedUntil }) => ({
    ...settings,
    ...(quietHours && { quietHours }),
    ...(pausedUntil !== undefined && { pausedUntil }),
  }));

/** Chooses the sound of an alert type. */
export const useChangeAlertSound = () =>
  useChange(changeAlertSound, (settings, { alertType, sound }) => {
    const others = settings.sounds.filter((one) => one.alertType !== alertType);
    return { ...settings, sounds: sound === null ? others : [...others, { alertType, sound }] };
  });
