import type { WorkerMessage } from '#renderer/push/worker-messages.ts';

/** Pages of this origin that are not the app. A wallboard announces nothing and shows no alert by itself. */
const NOT_THE_APP = /^\/(?:api|metrics|healthz|readyz|wallboard)\b/;

/** The app's open windows, the most recently focused first. */
export async function appWindows(clients: Clients): Promise<WindowClient[]> {
  const all = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  return all.filter(({ url }) => !NOT_THE_APP.test(new URL(url).pathname));
}

/** Brings a window of the app to the front and has it show `path`; opens one when there is none. */
export async function openPage({ clients }: ServiceWorkerGlobalScope, path: string): Promise<void> {
  const windows = await appWindows(clients);
  const page = windows.find(({ visibilityState }) => visibilityState === 'visible') ?? windows[0];
  if (!page) {
    await clients.openWindow(path);
    return;
  }
  // The page navigates itself, without loading again.
  page.postMessage({ type: 'open', path } satisfies WorkerMessage, []);
  // A browser that holds the click for too long ago does not focus; the page is there all the same.
  await page.focus().catch(() => undefined);
}
