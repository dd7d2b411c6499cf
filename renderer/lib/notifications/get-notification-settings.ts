import { queryOptions } from '@tanstack/react-query';
import { type NotificationSettings, notificationSettingsSchema } from '#backend/contract/notification-settings.ts';
import { apiGet } from '#renderer/lib/api-client.ts';

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
