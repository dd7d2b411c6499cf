/** Dialogs of an alert, and that of a new folder (`fetch-ahead.ts`). */
export const ahead = [
  () => import(/* webpackPrefetch: true */ '#renderer/alerts/dialogs/extra-information-dialog.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/alerts/dialogs/history-dialog.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/folders/tree/create-folder-dialog.tsx'),
];
