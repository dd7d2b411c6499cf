/** What a click opens on most screens (`fetch-ahead.ts`). */
export const ahead = [
  () => import(/* webpackPrefetch: true */ '#renderer/ui/popup-button/opened-popup.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/ui/hover-tip/tip-bubble.tsx'),
  () => import(/* webpackPrefetch: true */ '#renderer/toasts/toast-card.tsx'),
];
