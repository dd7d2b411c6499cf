/** The other lists that the sidebar leads to (`fetch-ahead.ts`). */
export const ahead = [
  () => import(/* webpackPrefetch: true */ '#renderer/features/my-alerts/my-alerts-page.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/features/snoozed/snoozed-page.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/features/folder/folder-page.tsx'),
];
