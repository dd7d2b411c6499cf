/**
 * What is likely to be asked for next: once this file is loaded, webpack has the browser fetch these while it has nothing
 * else to do. Nothing is run before it is asked for, so these functions are never called.
 */
export const ahead = [
  () => import(/* webpackPrefetch: true */ '#renderer/ui/popup-button/opened-popup.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/features/bell/bell-panel.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/ui/hover-tip/tip-bubble.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/toasts/toast-card.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/alerts/card/departed-card.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/alerts/list/filter-menu.tsx'),
  () => import(/* webpackPrefetch: true */ './layout/sidebar-sheet.tsx'),
  () => import(/* webpackPrefetch: true */ './layout/user-menu-panel.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/alerts/panel/alert-panel.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/alerts/dialogs/extra-information-dialog.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/alerts/dialogs/history-dialog.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/features/my-alerts/my-alerts-page.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/features/snoozed/snoozed-page.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/features/folder/folder-page.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/folders/tree/create-folder-dialog.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/features/settings/settings-page.tsx'),
];
