import { queryOptions } from '@tanstack/react-query';
import {
  type NotificationException,
  type NotificationPreview,
  notificationExceptionListSchema,
  notificationPreviewSchema,
} from '#backend/contract/notification-exception.ts';
import { type ApiPage, apiGet, apiGetPage } from '#renderer/lib/api-client.ts';
import { EXCEPTIONS_KEY, PREVIEW_KEY } from './mutes.ts';

/** `GET /api/notification-exceptions`: what I am notified of otherwise than of the rest, and how many there are in all. */
export const exceptionsQuery = queryOptions<ApiPage<NotificationException>>({
  queryKey: EXCEPTIONS_KEY,
  queryFn: ({ signal }) => apiGetPage(EXCEPTIONS_KEY[0], notificationExceptionListSchema, { signal }),
  refetchOnMount: 'always',
});

/** `GET /api/notification-preview`: what I would have been notified of in the last days. */
export const previewQuery = queryOptions<NotificationPreview>({
  queryKey: PREVIEW_KEY,
  queryFn: ({ signal }) => apiGet(PREVIEW_KEY[0], notificationPreviewSchema, { signal }),
  refetchOnMount: 'always',
});
