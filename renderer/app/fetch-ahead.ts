/**
 * What is likely to be asked for next, a file for each group: once such a file is loaded, webpack has the browser fetch what
 * is named in it while it has nothing else to do. Nothing is run before it is asked for, so the functions in there are never
 * called. To begin all these fetches in one task would keep a slow phone from answering for 200 ms.
 */
export const fetchAhead: readonly (() => Promise<{ ahead: readonly (() => Promise<unknown>)[] }>)[] = [
  () => import('./fetch-ahead/popups.ts'),
  () => import('./fetch-ahead/header.ts'),
  () => import('./fetch-ahead/list.ts'),
  () => import('./fetch-ahead/alert.ts'),
  () => import('./fetch-ahead/dialogs.ts'),
  () => import('./fetch-ahead/lists.ts'),
  () => import('./fetch-ahead/settings.ts'),
];
