import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/dom';
import { Provider, createStore, getDefaultStore } from 'jotai';
import { type ReactNode, useEffect } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reloadReasonAtom } from '#renderer/lib/connection.ts';
import { afterFirstScreen, watchFirstScreen } from '#renderer/lib/first-screen.ts';
import { partAfterFirstScreen } from '#renderer/lib/lazy-part.ts';
import type { NotificationChannel } from '#renderer/notifications/notification-channel.ts';
import { useAnnouncements } from '#renderer/notifications/use-announcements.ts';
import { SessionContext } from '#renderer/session/session.ts';
import { makeAlert } from '#tests/support/make-alert.ts';

const noNetwork = () => Promise.reject(new Error('No network'));

/** Draws something on an empty page, whose first screen is complete. */
function draw(node: ReactNode): void {
  void watchFirstScreen(new QueryClient());
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  root.render(node);
}

test('a later part is drawn where its place was, and at once the next time', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const loads: number[] = [];
  const Part = partAfterFirstScreen<{ name: string }>(async () => {
    loads.push(loads.length);
    await promise;
    return ({ name }) => <p>part {name}</p>;
  }, 'omit');
  draw(
    <>
      <Part name="one" place={<p>its place</p>} />
      <Part name="two" />
    </>,
  );
  expect(await screen.findByText('its place')).toBeVisible();
  expect(screen.queryByText(/^part/)).toBeNull();
  resolve();
  expect(await screen.findByText('part one')).toBeVisible();
  expect(await screen.findByText('part two')).toBeVisible();
  expect(screen.queryByText('its place')).toBeNull();
  flushSync(() => draw(<Part name="three" place={<p>its place</p>} />));
  expect(screen.getByText('part three')).toBeVisible();
  expect(screen.queryByText('its place')).toBeNull();
  expect(loads).toHaveLength(1);
});

test('where a later part is missing, what stands for it is drawn, and it is reported', async () => {
  const store = getDefaultStore();
  onTestFinished(() => store.set(reloadReasonAtom, undefined));
  const Missing = partAfterFirstScreen(noNetwork, 'report', () => <p>instead</p>);
  draw(<Missing place={<p>its place</p>} />);
  expect(await screen.findByText('instead')).toBeVisible();
  expect(screen.queryByText('its place')).toBeNull();
  await waitFor(() => expect(store.get(reloadReasonAtom)).toBe('missing-part'));
});

test('the channel to notifications is fetched again when that fails, and what came meanwhile is notified', async () => {
  const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  onTestFinished(() => focus.mockRestore());
  const notified: string[] = [];
  const channel: NotificationChannel = {
    state: () => ({ notificationsOn: true, hasPush: false }),
    notify: async (notices) => void notified.push(...notices.map(({ tag }) => tag)),
    show: async () => undefined,
    flash: () => undefined,
    reportAnnounced: async () => undefined,
    filterPushed: async () => [],
    close: async () => undefined,
    clear: async () => undefined,
  };
  const load = vi.fn<() => Promise<NotificationChannel>>(async () => channel).mockImplementationOnce(noNetwork);
  function Page() {
    const receive = useAnnouncements(() => undefined, load);
    useEffect(() => receive([{ type: 'new_alert', alert: makeAlert('arrived') }]), [receive]);
    return null;
  }
  draw(
    <Provider store={createStore()}>
      <QueryClientProvider client={new QueryClient()}>
        <SessionContext value={{ id: 'mara', email: 'mara@example.com', displayName: 'Mara', role: 'user' }}>
          <MemoryRouter>
            <Page />
          </MemoryRouter>
        </SessionContext>
      </QueryClientProvider>
    </Provider>,
  );
  await waitFor(() => expect(notified).toEqual(['arrived']));
  expect(load).toHaveBeenCalledTimes(2);
});

test('each of what comes after the first screen has a task of its own, but on a hidden page', async () => {
  void watchFirstScreen(new QueryClient());
  await afterFirstScreen();
  const begun: string[] = [];
  const other = new MessageChannel();
  other.port1.addEventListener('message', () => void begun.push('another task'));
  other.port1.start();
  onTestFinished(() => other.port1.close());
  const begin = (name: string) => {
    begun.push(name);
    other.port2.postMessage(name);
  };
  await Promise.all(['one', 'two'].map((name) => afterFirstScreen().then(() => begin(name))));
  expect(begun.slice(0, 3)).toEqual(['one', 'another task', 'two']);
  begun.length = 0;
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  onTestFinished(() => hidden.mockRestore());
  await Promise.all(['one', 'two'].map((name) => afterFirstScreen().then(() => begin(name))));
  expect(begun.slice(0, 2)).toEqual(['one', 'two']);
});
