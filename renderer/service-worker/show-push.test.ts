import { expect, onTestFinished, test, vi } from 'vitest';
import { WALLBOARD_PATH } from '#backend/contract/wallboard.ts';
import type { PushMessage } from '#backend/contract/push.ts';
import type { NoticeState } from '#renderer/notifications/notice-state.ts';
import type { LiveQuestion, WorkerMessage } from '#renderer/push/worker-messages.ts';
import { openPage } from './app-windows.ts';
import { offlineResponse } from './offline-page.ts';
import { createAnnouncedAlerts, showPush } from './show-push.ts';

const WORSE = {
  type: 'new_alert' as const,
  alertId: '0196a1f0-0000-7000-8000-000000000001',
  title: 'Alert is worse',
  body: 'Nordwind',
  tag: 'tag',
  url: '/',
} satisfies PushMessage;

interface Page {
  path: string;
  focused?: boolean;
  /** What it answers when it is asked whether it announces what comes; undefined for no answer. */
  isLive?: boolean;
}

/** A worker beside these windows, all of them visible. */
function workerBeside(...pages: Page[]) {
  const messages: string[] = [];
  const opened: string[] = [];
  const windows = pages.map(({ path, focused = false, isLive }) => ({
    url: `https://alerts.example.com${path}`,
    focused,
    visibilityState: 'visible',
    postMessage: ({ type }: WorkerMessage | LiveQuestion, [port]: MessagePort[]) => {
      if (type !== 'is-live') messages.push(path);
      else if (isLive !== undefined) port?.postMessage(isLive);
    },
    focus: async () => undefined,
  }));
  const clients = { matchAll: async () => windows, openWindow: async (path: string) => void opened.push(path) };
  const badges: number[] = [];
  const navigator = { setAppBadge: async (count: number) => void badges.push(count) };
  const worker = { clients, navigator } as unknown as ServiceWorkerGlobalScope;
  return { worker, messages, opened, badges };
}

/** Titles of what is shown of this push. */
async function shownOf(worker: ServiceWorkerGlobalScope, announced = createAnnouncedAlerts()): Promise<string[]> {
  const shown: string[] = [];
  const notices = {
    notify: async (all: readonly { title: string }[]) => void shown.push(...all.map(({ title }) => title)),
  } as unknown as NoticeState;
  await showPush(worker, notices, announced, WORSE);
  return shown;
}

test('a late push of what a window has announced is not shown, a later one of the same alert is', async () => {
  let now = 1_000;
  const announced = createAnnouncedAlerts(() => now);
  const { worker } = workerBeside({ path: '/' });
  announced.add([WORSE.alertId]);
  expect(await shownOf(worker, announced)).toEqual([]);
  expect(await shownOf(worker, announced)).toEqual(['Alert is worse']);

  announced.add([WORSE.alertId]);
  now += 31_000;
  expect(await shownOf(worker, announced)).toEqual(['Alert is worse']);
});

test('a wallboard in front leaves a push to be shown, and takes no click of it', async () => {
  const { worker, messages } = workerBeside({ path: WALLBOARD_PATH, focused: true }, { path: '/alerts' });
  expect(await shownOf(worker)).toEqual(['Alert is worse']);
  await openPage(worker, '/alert/1');
  expect(messages).toEqual(['/alerts']);

  const alone = workerBeside({ path: WALLBOARD_PATH, focused: true });
  await openPage(alone.worker, '/alert/1');
  expect(alone).toMatchObject({ messages: [], opened: ['/alert/1'] });

  expect(await shownOf(workerBeside({ path: '/my-alerts', focused: true, isLive: true }).worker)).toEqual([]);
});

test('a window in front that has no live connection, or does not answer, leaves a push to be shown', async () => {
  expect(await shownOf(workerBeside({ path: '/', focused: true, isLive: false }).worker)).toEqual(['Alert is worse']);
  expect(await shownOf(workerBeside({ path: '/', focused: true }).worker)).toEqual(['Alert is worse']);
  // A window behind announces nothing that is pushed.
  expect(await shownOf(workerBeside({ path: '/', isLive: true }).worker)).toEqual(['Alert is worse']);
});

/** What the worker counts on the badge beside these windows. */
async function badgesBeside(...pages: Page[]): Promise<number[]> {
  const { worker, badges } = workerBeside(...pages);
  await shownOf(worker);
  return badges;
}

test('the worker counts on the badge beside windows that cannot, as a suspended one, and leaves it to one that can', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('fetch', async () => new Response('[]', { headers: { 'X-Total-Count': '7' } }));
  expect(await badgesBeside()).toEqual([7]);
  expect(await badgesBeside({ path: '/' })).toEqual([7]);
  expect(await badgesBeside({ path: '/', isLive: false })).toEqual([7]);
  expect(await badgesBeside({ path: '/' }, { path: '/my-alerts', isLive: true })).toEqual([]);
});

test('the page that says that the server is away goes where a clicked notification leads', async () => {
  const script =
    /<script[^>]*>(?<script>[^]*)<\/script>/.exec(await offlineResponse().text())?.groups?.['script'] ?? '';
  const workers = new EventTarget();
  const assigned: string[] = [];
  const page = new EventTarget();
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('document', { querySelector: () => new EventTarget() });
  vi.stubGlobal('location', { assign: (path: string) => void assigned.push(path) });
  vi.stubGlobal('navigator', { serviceWorker: workers });
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('setInterval', () => 0);
  await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(script)}`);
  for (const data of [{ type: 'open', path: '/alert/1' }, { type: 'test-arrived' }, { type: 'is-live' }])
    workers.dispatchEvent(new MessageEvent('message', { data }));
  expect(assigned).toEqual(['/alert/1']);
});
