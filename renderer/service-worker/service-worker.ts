import '#renderer/lib/forbid-eval.ts';
import { createNoticeBoard, pathOfNotice } from '#renderer/lib/notifications/notice-board.ts';
import { alertsTold } from '#renderer/lib/notifications/worker-messages.ts';
import { offlineResponse } from './offline-page.ts';
import { openPage } from './open-page.ts';
import { readPush } from './read-push.ts';
import { renewSubscription } from './renew-subscription.ts';
import { tellPush } from './tell-push.ts';
import { createToldMemory } from './told-memory.ts';

/**
 * The service worker: shows pushes, leads from a notification to its alert, and stands in for a
 * server that cannot be reached with a page that says so. It keeps nothing, so nothing can go stale.
 */
declare const self: ServiceWorkerGlobalScope;

const board = createNoticeBoard(self.registration);
const told = createToldMemory();

// A new version does not wait for the pages of the last one: it has nothing in common with them but messages.
self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) =>
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()])),
);

self.addEventListener('fetch', (event) => {
  // Everything but a page goes its way as if there was no worker.
  if (event.request.mode === 'navigate') event.respondWith(answerNavigation(event));
});

async function answerNavigation(event: FetchEvent): Promise<Response> {
  try {
    const preloaded: Response | undefined = await event.preloadResponse;
    return preloaded ?? (await fetch(event.request));
  } catch {
    return offlineResponse();
  }
}

// What a window in front has told is not told again by a push that comes when it no longer is.
self.addEventListener('message', ({ data }) => told.note(alertsTold(data)));

self.addEventListener('push', (event) => event.waitUntil(tellPush(self, board, told, readPush(event.data?.text()))));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(self, pathOfNotice(event.notification.data)));
});

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(self, event)));
