import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { waitFor } from '@testing-library/dom';
import { Provider, createStore } from 'jotai';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { tagOfAlert } from '#backend/contract/announcement.ts';
import { sessionSchema } from '#backend/contract/session.ts';
import type { DesktopBridge } from '#electron/contract.ts';
import type { DesktopNotification, NotificationAction, NotificationState } from '#electron/contract/desktop.ts';
import { useNotificationActions } from '#renderer/desktop/desktop-side.tsx';
import { desktopChannel } from '#renderer/desktop/desktop-channel.ts';
import { SessionContext } from '#renderer/session/session.ts';
import { intercept, json, memberWithQueue, openPage } from './support/open-page.tsx';

function Actions({ desktop }: { desktop: DesktopBridge }) {
  useNotificationActions(desktop);
  return null;
}

test('a button of a notification is about its alert, however many have come since', async () => {
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  const [first, taken] = [await app.post({ customer: 'Nordwind' }), await app.post({ customer: 'Atlas' })];
  await app.admin.request('POST', `/api/alerts/${taken}/accept`);
  await openPage(mara, '/settings');
  const session = sessionSchema.parse(await (await fetch('/api/auth/session')).json());
  // None of them is among those that are loaded.
  intercept('GET', '/api/alerts/inbox', () => {
    const answer = json([]);
    answer.headers.set('x-total-count', '0');
    return answer;
  });
  const listeners: ((action: NotificationAction) => void)[] = [];
  const press = (action: NotificationAction) => listeners.at(-1)?.(action);
  const desktop = {
    on: (_event: string, listener: (action: NotificationAction) => void) => {
      listeners.push(listener);
      return () => undefined;
    },
  } as unknown as DesktopBridge;
  const store = createStore();
  const root = createRoot(document.createElement('div'));
  onTestFinished(() => root.unmount());
  root.render(
    <Provider store={store}>
      <QueryClientProvider client={new QueryClient()}>
        <SessionContext value={session}>
          <Actions desktop={desktop} />
        </SessionContext>
      </QueryClientProvider>
    </Provider>,
  );
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
