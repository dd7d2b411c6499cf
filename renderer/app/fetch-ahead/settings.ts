/** Settings (`fetch-ahead.ts`). */
export const ahead = [() => import(/* webpackPrefetch: true */ '#renderer/features/settings/settings-page.tsx')];
