/** Path of the service worker, and its scope. */
export const WORKER_URL = '/service-worker.js';
export const WORKER_SCOPE = '/';

/** What the service worker tells the pages. */
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

/** What the pages tell the service worker: these alerts were told in a window in front, so a push of them is late. */
export interface ToldMessage {
  type: 'told';
  alertIds: readonly string[];
}

/** The alerts that a page says it has told; none when it says something else. */
export function alertsTold(data: unknown): readonly string[] {
  const isTold = typeof data === 'object' && data !== null && 'type' in data && data.type === 'told';
  return isTold && 'alertIds' in data && Array.isArray(data.alertIds) ? data.alertIds : [];
}

/** The path that shows an alert: the inbox, with the alert in view. */
export const pathOfAlert = (alertId: string): string => `/?alert=${encodeURIComponent(alertId)}`;
