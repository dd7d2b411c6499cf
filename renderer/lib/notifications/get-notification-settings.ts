import { queryOptions } from '@tanstack/react-query';
import { type NotificationSettings, notificationSettingsSchema } from '#backend/contract/notification-settings.ts';
import { apiGet } from '#renderer/lib/api-client.ts';

/** `GET /api/notification-settings`: my quiet hours, my pause, and the sounds of alert types. Throws an ApiError. */
export const notificationSettingsQuery = queryOptions<NotificationSettings>({
  queryKey: ['/api/notification-settings'],
  queryFn: ({ signal }) => apiGet('/api/notification-settings', notificationSettingsSchema, { signal }),
});
