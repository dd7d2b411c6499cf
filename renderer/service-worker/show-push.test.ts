import { expect, test } from 'vitest';
import { WALLBOARD_PATH } from '#backend/contract/wallboard.ts';
import type { PushMessage } from '#backend/contract/push.ts';
import type { NoticeState } from '#renderer/notifications/notice-state.ts';
import { openPage } from './app-windows.ts';
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
}

/** A worker beside these windows, all of them visible. */
function workerBeside(...pages: Page[]) {
  const messages: string[] = [];
  const opened: string[] = [];
  const windows = pages.map(({ path, focused = false }) => ({
    url: `https://alerts.example.com${path}`,
    focused,
    visibilityState: 'visible',
    postMessage: () => void messages.push(path),
    focus: async () => undefined,
  }));
  const clients = { matchAll: async () => windows, openWindow: async (path: string) => void opened.push(path) };
  const worker = { clients, navigator: {} } as unknown as ServiceWorkerGlobalScope;
  return { worker, messages, opened };
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

  expect(await shownOf(workerBeside({ path: '/my-alerts', focused: true }).worker)).toEqual([]);
});
