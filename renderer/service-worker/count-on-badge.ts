/** Puts the size of the inbox on the app's badge, where there is one. Without an answer the badge stays as it is. */
export async function countOnBadge(navigator: WorkerNavigator): Promise<void> {
  if (!('setAppBadge' in navigator)) return;
  const response = await fetch('/api/alerts/inbox?limit=1', { credentials: 'include' }).catch(() => undefined);
  const total = Number(response?.ok ? response.headers.get('X-Total-Count') : Number.NaN);
  if (Number.isNaN(total)) return;
  // Refused where the app is not installed.
  await (total > 0 ? navigator.setAppBadge(total) : navigator.clearAppBadge()).catch(() => undefined);
}
