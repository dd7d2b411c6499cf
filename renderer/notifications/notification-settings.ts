import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { addMinutes } from 'date-fns';
import {
  type AlertSoundChange,
  type NotificationSettings,
  type NotificationSettingsChange,
  notificationSettingsSchema,
} from '#backend/contract/notification-settings.ts';
import { apiGet, apiSend } from '#renderer/lib/api-client.ts';

/** Names the changes of these settings that are in flight. */
export const CHANGE_SETTINGS = ['change notification settings'];

/** `GET /api/notification-settings`: my quiet hours, my pause, and the sounds of alert types. Throws an ApiError. */
export const notificationSettingsQuery = queryOptions<NotificationSettings>({
  queryKey: ['/api/notification-settings'],
  queryFn: async ({ signal, client, queryKey }) => {
    const settings = await apiGet('/api/notification-settings', notificationSettingsSchema, { signal });
    // The answer to a change in flight is newer, and on screen already.
    const isChanging = client.isMutating({ mutationKey: CHANGE_SETTINGS }) > 0;
    return (isChanging && client.getQueryData<NotificationSettings>(queryKey)) || settings;
  },
});

const PATH = '/api/notification-settings';

/** `PATCH /api/notification-settings`: quiet hours, a pause, or what is mailed. Throws an ApiError. */
export const changeNotificationSettings = (change: NotificationSettingsChange): Promise<NotificationSettings> =>
  apiSend('PATCH', PATH, { body: change, schema: notificationSettingsSchema });

/** `PUT /api/notification-settings/sounds`: the sound of an alert type, `null` for none. Throws an ApiError. */
export const changeAlertSound = (change: AlertSoundChange): Promise<NotificationSettings> =>
  apiSend('PUT', `${PATH}/sounds`, { body: change, schema: notificationSettingsSchema });

/**
 * Changes settings: on screen at once, and as the server has them after its answer, whatever that was. The answer to a
 * change that another one follows is older than the screen, so that only the last answer counts.
 */
function useChange<Change>(
  send: (change: Change) => Promise<NotificationSettings>,
  apply: (settings: NotificationSettings, change: Change) => NotificationSettings,
) {
  const client = useQueryClient();
  const { queryKey } = notificationSettingsQuery;
  const isLast = (): boolean => client.isMutating({ mutationKey: CHANGE_SETTINGS }) === 1;
  return useMutation({
    mutationKey: CHANGE_SETTINGS,
    mutationFn: send,
    // One after the other: of two changes the later one counts.
    scope: { id: PATH },
    onMutate: async (change: Change) => {
      client.setQueryData(queryKey, (settings) => settings && apply(settings, change));
      await client.cancelQueries({ queryKey });
    },
    onSuccess: (settings) => void (isLast() && client.setQueryData(queryKey, settings)),
    // Not waited for: the change would be in flight until the answer, and keep it from the screen.
    onError: () => void (isLast() && client.invalidateQueries({ queryKey })),
  });
}

/** Changes how much I am notified of, my quiet hours, my pause, or what I am mailed. */
export const useChangeNotificationSettings = () =>
  useChange(changeNotificationSettings, (settings, { level, quietHours, pausedUntil, pausedMinutes, mail }) => ({
    ...settings,
    ...(level && { level }),
    ...(quietHours && { quietHours }),
    ...(pausedUntil !== undefined && { pausedUntil }),
    ...(pausedMinutes !== undefined && { pausedUntil: addMinutes(Date.now(), pausedMinutes).toISOString() }),
    ...(mail && { mail }),
  }));

/** Chooses the sound of an alert type. */
export const useChangeAlertSound = () =>
  useChange(changeAlertSound, (settings, { alertType, sound }) => {
    const others = settings.sounds.filter((one) => one.alertType !== alertType);
    return { ...settings, sounds: sound === null ? others : [...others, { alertType, sound }] };
  });
