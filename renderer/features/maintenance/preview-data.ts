import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { alertListSchema } from '#backend/contract/alert.ts';
import { type WindowPreview, type WindowPreviewQuery, windowPreviewSchema } from '#backend/contract/maintenance.ts';
import { COUNT_MS } from '#renderer/alerts/search/counted-search.tsx';
import { ApiError, apiGetPage, apiSend } from '#renderer/lib/api-client.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
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

/** What the server asks to be written of a window to preview it; undefined while a time is missing or wrong. */
function previewedOf(draft: WindowDraft, windowId: string | undefined): WindowPreviewQuery | undefined {
  const written = windowOf(draft);
  if (!written) return undefined;
  const { search, startsAt, minutes, timeZone, rrule } = written;
  return { search, startsAt, minutes, timeZone, rrule, ...(windowId !== undefined && { windowId }) };
}

/** What a window would do as it is written. */
export interface Preview {
  /** The last good one: it stays while another is made, and while something is wrong. */
  data: WindowPreview | undefined;
  /** What is wrong with the search, as the server says, and what with the rest. */
  searchFault: string | undefined;
  fault: string | undefined;
}

/**
 * `POST /api/maintenance/preview`, once nothing has been typed for a moment.
 *
 * @param isAsked whether the server is asked: it answers those who may change windows
 */
export function usePreview(draft: WindowDraft, windowId: string | undefined, isAsked: boolean): Preview {
  const previewed = isAsked ? previewedOf(draft, windowId) : undefined;
  const settled = useSettled(previewed ? JSON.stringify(previewed) : '', COUNT_MS);
  const { data, error } = useQuery({
    queryKey: ['/api/maintenance/preview', settled],
    queryFn: () =>
      apiSend('POST', '/api/maintenance/preview', {
        body: JSON.parse(settled) as WindowPreviewQuery,
        schema: windowPreviewSchema,
      }),
    enabled: settled !== '',
    refetchOnMount: 'always',
  });
  const [last, setLast] = useState<WindowPreview>();
  if (data && data !== last) setLast(data);
  const isOfSearch = error instanceof ApiError && error.errors?.some(({ path }) => path === 'search') === true;
  return {
    data: data ?? last,
    searchFault: isOfSearch ? error.message : undefined,
    fault: isOfSearch ? undefined : error?.message,
  };
}
