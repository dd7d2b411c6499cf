/** What the header opens (`fetch-ahead.ts`). */
export const ahead = [
  () => import(/* webpackPrefetch: true */ '#renderer/features/bell/bell-panel.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/app/layout/sidebar-sheet.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/app/layout/user-menu-panel.tsx'),
];
