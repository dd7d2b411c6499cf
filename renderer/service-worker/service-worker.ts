import '#renderer/lib/forbid-eval.ts';
import { createNoticeState, pathOfNotice } from '#renderer/notifications/notice-state.ts';
import { announcedIn } from '#renderer/push/worker-messages.ts';
import { offlineResponse } from './offline-page.ts';
import { openPage } from './app-windows.ts';
import { createAnnouncedAlerts, readPush, showPush } from './show-push.ts';
import { renewSubscription } from './renew-subscription.ts';

/**
 * The service worker: shows pushes, leads from a notification to its alert, and stands in for a
 * server that cannot be reached with a page that says so. It keeps nothing, so nothing can go stale.
 */
declare const self: ServiceWorkerGlobalScope;

const notices = createNoticeState(self.registration);
const announced = createAnnouncedAlerts();

// A new version does not wait for the pages of the last one: it has nothing in common with them but messages.
self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) =>
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()])),
);

self.addEventListener('fetch', (event) => {
  // Everything but a page is fetched as if there was no worker.
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

// An alert that a window in front has announced is not announced again by a late push.
self.addEventListener('message', ({ data }) => announced.add(announcedIn(data)));

self.addEventListener('push', (event) =>
  event.waitUntil(showPush(self, notices, announced, readPush(event.data?.text()))),
);

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(self, pathOfNotice(event.notification.data)));
});

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(self, event)));
