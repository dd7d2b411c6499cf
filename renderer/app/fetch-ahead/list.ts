/** What a list needs beyond its cards (`fetch-ahead.ts`). */
export const ahead = [
  () => import(/* webpackPrefetch: true */ '#renderer/alerts/card/departed-card.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/alerts/list/filter-menu.tsx'),
];
