import { infiniteQueryOptions } from '@tanstack/react-query';
import type { ZodMiniType } from 'zod/mini';
import { apiGetPage } from '#renderer/lib/api-client.ts';

/** Most pages that {@link readAllPages} reads: a server that never ends a list does not fill this tab. */
const MAX_PAGES = 100;

/**
 * The query of a list of names, page by page, each as long as the server makes it; with `search` of those that contain
 * it. Read again when a page opens: no event announces new names.
 */
export function namePagesQuery<Row>(path: string, schema: ZodMiniType<Row[]>, search = '') {
  return infiniteQueryOptions({
    queryKey: search === '' ? ([path, 'pages'] as const) : ([path, 'pages', search] as const),
    queryFn: ({ pageParam, signal }) =>
      apiGetPage(search === '' ? path : `${path}?${new URLSearchParams({ q: search })}`, schema, {
        before: pageParam,
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last): string | undefined => last.next,
    refetchOnMount: 'always',
    // A search is read again when it is typed again.
    gcTime: search === '' ? Infinity : 0,
  });
}

/** Every row of a list, however many pages it has. Throws as `apiGet` does. */
export async function readAllPages<Row>(path: string, schema: ZodMiniType<Row[]>, signal: AbortSignal): Promise<Row[]> {
  const rows: Row[] = [];
  let before: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await apiGetPage(path, schema, { before, signal });
    for (const row of page.rows) rows.push(row);
    if (page.next === undefined) break;
    before = page.next;
  }
  return rows;
}
