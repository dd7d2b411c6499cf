/** What an alert opens in (`fetch-ahead.ts`). */
export const ahead = [() => import(/* webpackPrefetch: true */ '#renderer/alerts/panel/alert-panel.tsx')];
