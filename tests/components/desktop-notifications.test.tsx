import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { waitFor } from '@testing-library/dom';
import { Provider, createStore } from 'jotai';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Alert, alertSchema } from '#backend/contract/alert.ts';
import { tagOfAlert } from '#backend/contract/announcement.ts';
import { sessionSchema } from '#backend/contract/session.ts';
import type { DesktopBridge } from '#electron/contract.ts';
import type { DesktopNotification, NotificationAction, NotificationState } from '#electron/contract/desktop.ts';
import { useNotificationActions } from '#renderer/desktop/desktop-side.tsx';
import { desktopChannel } from '#renderer/desktop/desktop-channel.ts';
import { noticeOf } from '#renderer/notifications/notice-state.ts';
import { SessionContext } from '#renderer/session/session.ts';
import { appServer, intercept, json, memberWithQueue, openPage } from './support/open-page.tsx';

function Actions({ desktop }: { desktop: DesktopBridge }) {
  useNotificationActions(desktop);
  return null;
}

type Press = (action: NotificationAction) => void;

/** What does the work of buttons on notifications, for who is signed in; resolves with how one is pressed. */
async function openActions(more: Partial<DesktopBridge> = {}): Promise<Press> {
  const session = sessionSchema.parse(await (await fetch('/api/auth/session')).json());
  const listeners: Press[] = [];
  const desktop = {
    on: (_event: string, listener: Press) => {
      listeners.push(listener);
      return () => undefined;
    },
    showNotification: async () => true,
    ...more,
  } as unknown as DesktopBridge;
  const root = createRoot(document.createElement('div'));
  onTestFinished(() => root.unmount());
  root.render(
    <Provider store={createStore()}>
      <QueryClientProvider client={new QueryClient()}>
        <SessionContext value={session}>
          <Actions desktop={desktop} />
        </SessionContext>
      </QueryClientProvider>
    </Provider>,
  );
  await waitFor(() => expect(listeners).not.toEqual([]));
  return (action) => listeners.at(-1)?.(action);
}

test('a button of a notification is about its alert, however many have come since', async () => {
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  const [first, taken] = [await app.post({ customer: 'Nordwind' }), await app.post({ customer: 'Atlas' })];
  await app.admin.request('POST', `/api/alerts/${taken}/accept`);
  await openPage(mara, '/settings');
  // None of them is among those that are loaded.
  intercept('GET', '/api/alerts/inbox', () => {
    const answer = json([]);
    answer.headers.set('x-total-count', '0');
    return answer;
  });
  const press = await openActions();
  const asked = vi.fn<() => void>();
  intercept('GET', `/api/alerts/${taken}`, (_call, go) => {
    asked();
    return go();
  });
  await waitFor(() => {
    press({ button: 'accept', tag: tagOfAlert(taken) });
    expect(asked).toHaveBeenCalled();
  });
  press({ button: 'accept', tag: tagOfAlert(first) });
  await waitFor(async () => expect(await queue.mine()).toEqual([first]));
});

test('a button that did nothing says so in a notification that leads to its alert and passes a pause, while nobody looks at the window', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  const [taken, refused] = [await app.post({ customer: 'Atlas' }), await app.post({ customer: 'Nordwind' })];
  await app.admin.request('POST', `/api/alerts/${taken}/accept`);
  await openPage(mara, '/settings');
  intercept('POST', `/api/alerts/${refused}/accept`, () => new Response('The database is away.', { status: 503 }));
  const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  onTestFinished(() => focus.mockRestore());
  const shown: Partial<DesktopNotification>[] = [];
  const press = await openActions({
    showNotification: async ({ tag, title, path, isAnswer }) => {
      shown.push({ tag, title, path, ...(isAnswer && { isAnswer }) });
      return true;
    },
  });
  press({ button: 'accept', tag: tagOfAlert(taken) });
  await waitFor(() =>
    expect(shown).toEqual([
      {
        tag: tagOfAlert(taken),
        title: 'This alert is no longer in the inbox',
        path: `/alert/${taken}`,
        isAnswer: true,
      },
    ]),
  );
  press({ button: 'accept', tag: tagOfAlert(refused) });
  await waitFor(() =>
    expect(shown.at(-1)).toEqual({
      tag: tagOfAlert(refused),
      title: 'Could not accept the alert',
      path: `/alert/${refused}`,
      isAnswer: true,
    }),
  );
});

test('a storm after a quiet time is counted by itself', async () => {
  let now = 1_000_000;
  const clocks = [
    vi.spyOn(performance, 'now').mockImplementation(() => now),
    vi.spyOn(Date, 'now').mockImplementation(() => now),
  ];
  onTestFinished(() => {
    for (const clock of clocks) clock.mockRestore();
  });
  const shown: string[] = [];
  const state: NotificationState = { status: 'shown', pausedUntil: null };
  const desktop = {
    on: () => () => undefined,
    getNotificationState: async () => state,
    showNotification: async ({ tag, body }: DesktopNotification) => {
      if (tag === 'new-alerts') shown.push(body);
      return true;
    },
  } as unknown as DesktopBridge;
  const channel = desktopChannel({ desktop, client: new QueryClient(), store: createStore() });
  const arrive = (count: number) =>
    channel.notify(
      Array.from({ length: count }, () => ({ title: 'New', body: '', tag: crypto.randomUUID(), path: '/' })),
    );
  await arrive(10);
  now += 5_000;
  await arrive(5);
  now += 3_600_000;
  await arrive(8);
  expect(shown).toEqual(['7 new alerts', '12 new alerts', '5 new alerts']);
});

test('a page that was loaded again closes what it has shown before, by its tag and, once nobody is signed in, altogether', async () => {
  const closed: (readonly string[] | null)[] = [];
  const desktop = {
    on: () => () => undefined,
    getNotificationState: async () => ({ status: 'shown', pausedUntil: null }),
    closeNotifications: async (tags: readonly string[] | null) => void closed.push(tags),
  } as unknown as DesktopBridge;
  const channel = desktopChannel({ desktop, client: new QueryClient(), store: createStore() });
  await channel.close(['one', 'two']);
  await channel.clear();
  expect(closed).toEqual([['one', 'two'], null]);
});

test('a critical alert that is in no loaded list is critical to the app, alone and among several', async () => {
  const app = await appServer();
  const alertOf = async (severity: string) =>
    alertSchema.parse(
      await (
        await app.admin.request('GET', `/api/alerts/${await app.post({ customer: 'Nordwind', severity })}`)
      ).json(),
    );
  const [critical, minor] = [await alertOf('critical'), await alertOf('low')];
  const shown: Pick<DesktopNotification, 'tag' | 'isCritical'>[] = [];
  const desktop = {
    on: () => () => undefined,
    getNotificationState: async () => ({ status: 'shown', pausedUntil: null }),
    showNotification: async ({ tag, isCritical }: DesktopNotification) => {
      shown.push({ tag, isCritical });
      return true;
    },
  } as unknown as DesktopBridge;
  const channel = desktopChannel({ desktop, client: new QueryClient(), store: createStore() });
  const arrive = (...alerts: Alert[]) => channel.notify(alerts.map((alert) => noticeOf(alert, false)));
  await arrive(critical, minor, minor);
  await arrive(minor);
  await arrive(critical);
  await arrive(minor);
  expect(shown).toEqual([
    { tag: tagOfAlert(critical.id), isCritical: true },
    { tag: tagOfAlert(minor.id), isCritical: false },
    { tag: tagOfAlert(minor.id), isCritical: false },
    { tag: 'new-alerts', isCritical: false },
    { tag: 'new-alerts', isCritical: true },
    // One of those that it stands for is.
    { tag: 'new-alerts', isCritical: true },
  ]);
});
