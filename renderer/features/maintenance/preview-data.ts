import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { alertListSchema } from '#backend/contract/alert.ts';
import { windowPreviewSchema } from '#backend/contract/maintenance.ts';
import { apiGetPage, apiSend } from '#renderer/lib/api-client.ts';
import { type WindowDraft, windowOf } from './window-draft.ts';

/** How many open alerts a search finds. */
export const openQuery = (search: string) => {
  const path = `/api/alerts/all?${new URLSearchParams({ search: search.trim(), completion: 'open' })}`;
  return queryOptions({
    queryKey: ['/api/alerts/all', 'open', search],
    queryFn: ({ signal }) => apiGetPage(path, alertListSchema, { limit: 1, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
};

/** `POST /api/maintenance/preview`: what a window would do as it is written; the last good one stays while another is made. */
export const previewQuery = (draft: WindowDraft, windowId: string | undefined) => {
  const written = windowOf(draft);
  const body = written && {
    search: written.search,
    startsAt: written.startsAt,
    minutes: written.minutes,
    timeZone: written.timeZone,
    rrule: written.rrule,
    ...(windowId !== undefined && { windowId }),
  };
  return queryOptions({
    queryKey: ['/api/maintenance/preview', body],
    queryFn: () => apiSend('POST', '/api/maintenance/preview', { body: body ?? {}, schema: windowPreviewSchema }),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
};
