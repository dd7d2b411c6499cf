import type { LiveQuestion, WorkerMessage } from '#renderer/push/worker-messages.ts';

/** Pages of this origin that are not the app. A wallboard announces nothing and shows no alert by itself. */
const NOT_THE_APP = /^\/(?:api|metrics|healthz|readyz|wallboard)\b/;

/** The app's open windows, the most recently focused first. */
export async function appWindows(clients: Clients): Promise<WindowClient[]> {
  const all = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  return all.filter(({ url }) => !NOT_THE_APP.test(new URL(url).pathname));
}

/** How long a window has to say that it announces what comes, in milliseconds. */
const ANSWER_MS = 300;

/**
 * Whether one of these windows is in front and announces what comes by itself. One without a live connection does not, nor
 * does the page that says that the server is away, which does not answer.
 */
export const isAnnouncedInFront = (windows: readonly WindowClient[]): Promise<boolean> =>
  isAnyLive(windows.filter(({ focused }) => focused));

/** Whether one of these windows has a live connection. One that the browser has suspended does not answer. */
export async function isAnyLive(windows: readonly WindowClient[]): Promise<boolean> {
  const answers = await Promise.all(windows.map(isLive));
  return answers.includes(true);
}

async function isLive(page: WindowClient): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ANSWER_MS, false);
  port1.addEventListener('message', ({ data }) => resolve(data === true));
  port1.start();
  page.postMessage({ type: 'is-live' } satisfies LiveQuestion, [port2]);
  const answer = await promise;
  clearTimeout(timer);
  port1.close();
  return answer;
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
