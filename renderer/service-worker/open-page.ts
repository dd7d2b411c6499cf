import type { WorkerMessage } from '#renderer/lib/notifications/worker-messages.ts';
import { appWindows } from './windows.ts';

/** Brings a window of the app to the front and has it show `path`; opens one when there is none. */
export async function openPage({ clients }: ServiceWorkerGlobalScope, path: string): Promise<void> {
  const windows = await appWindows(clients);
  const page = windows.find(({ visibilityState }) => visibilityState === 'visible') ?? windows[0];
  if (!page) {
    await clients.openWindow(path);
    return;
  }
  // The page goes there itself, without loading anew.
  page.postMessage({ type: 'open', path } satisfies WorkerMessage, []);
  // A browser that holds the click for too long ago does not focus; the page is there all the same.
  await page.focus().catch(() => undefined);
}
