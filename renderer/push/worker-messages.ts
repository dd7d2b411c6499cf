/** Path of the service worker, and its scope. */
export const WORKER_URL = '/service-worker.js';
export const WORKER_SCOPE = '/';

/** A message of the service worker to the pages. */
export type WorkerMessage =
  /** A notification was clicked: the page is to show what it is about, a path of the app. */
  | { type: 'open'; path: string }
  /** The test message that was asked for in Settings has arrived. */
  | { type: 'test-arrived' };

/** Whether something that came from the worker is one of its messages. */
export function isWorkerMessage(data: unknown): data is WorkerMessage {
  if (typeof data !== 'object' || data === null || !('type' in data)) return false;
  return data.type === 'test-arrived' || (data.type === 'open' && 'path' in data && typeof data.path === 'string');
}

/** What the worker asks a window in front before it leaves a push to it; answered by `true` or `false` over the message's port. */
export interface LiveQuestion {
  type: 'is-live';
}

/** Whether something that came from the worker is its {@link LiveQuestion}. */
export const isLiveQuestion = (data: unknown): data is LiveQuestion =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === 'is-live';

/** A message of a page to the service worker: a window in front has announced these alerts or notices, so their push is late. */
export interface AnnouncedMessage {
  type: 'announced';
  ids: readonly string[];
}

/** Ids of the alerts and notices that a page has announced; none when the message is another one. */
export function announcedIn(data: unknown): readonly string[] {
  const isAnnounced = typeof data === 'object' && data !== null && 'type' in data && data.type === 'announced';
  return isAnnounced && 'ids' in data && Array.isArray(data.ids) ? data.ids : [];
}
