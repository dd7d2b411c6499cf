import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { alertListSchema } from '#backend/contract/alert.ts';
import {
  type MaintenanceWindow,
  type WindowPreview,
  type WindowPreviewQuery,
  windowPreviewSchema,
} from '#backend/contract/maintenance.ts';
import { COUNT_MS } from '#renderer/alerts/search/counted-search.tsx';
import { ApiError, apiGetPage, apiSend } from '#renderer/lib/api-client.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { type WindowDraft, isMoved, sentOf } from './window-draft.ts';

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
  const sent = sentOf(draft);
  if (!sent) return undefined;
  const { name: _, ...rest } = sent;
  return { ...rest, ...(windowId !== undefined && { windowId }) };
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
 * @param before the window where it is stored already: times that stay as they are may have passed, as of one that was extended
 * @param isAsked whether the server is asked: it answers those who may change windows
 */
export function usePreview(draft: WindowDraft, before: MaintenanceWindow | undefined, isAsked: boolean): Preview {
  const previewed = isAsked ? previewedOf(draft, before?.id) : undefined;
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
  const paths = (error instanceof ApiError && error.errors?.map(({ path }) => path)) || [];
  const isOfSearch = paths.includes('search');
  const isOfTimes = paths.length > 0 && !isOfSearch;
  const isHidden = isOfSearch || (isOfTimes && before !== undefined && !isMoved(before, draft));
  return {
    data: data ?? last,
    searchFault: isOfSearch ? error?.message : undefined,
    fault: isHidden ? undefined : error?.message,
  };
}
