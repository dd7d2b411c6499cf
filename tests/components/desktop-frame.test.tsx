import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/dom';
import { Provider, createStore } from 'jotai';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Session } from '#backend/contract/session.ts';
import type { CallArgument, DesktopBridge } from '#electron/contract.ts';
import { updateToast } from '#renderer/desktop/desktop-side.tsx';
import { useReportSignedOut, useWindowShown } from '#renderer/desktop/desktop-frame.tsx';
import { isPageShown } from '#renderer/lib/page-shown.ts';
import { sessionQuery, signedOutByHandAtom } from '#renderer/session/session.ts';
import { useMaskWhenAway } from '#renderer/ui/mask-when-away.ts';

type Report = CallArgument<'reportAttention'>;

interface TriedProps {
  desktop: DesktopBridge;
  /** Called once the effects of what is tried have run: effects run in their order, and none after one that fails. */
  onReady: () => void;
}

function Reports({ desktop, onReady }: TriedProps) {
  useReportSignedOut(desktop);
  useEffect(onReady, [onReady]);
  return null;
}

/** A page of the desktop app with who is signed in on it, and what it reports. */
function openPage(session: Session | null) {
  const reports: Report[] = [];
  const desktop = { reportAttention: async (report: Report) => void reports.push(report) } as unknown as DesktopBridge;
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const store = createStore();
  const root = createRoot(document.createElement('div'));
  const onReady = vi.fn<() => void>();
  onTestFinished(() => root.unmount());
  client.setQueryData(sessionQuery.queryKey, session);
  root.render(
    <Provider store={store}>
      <QueryClientProvider client={client}>
        <Reports desktop={desktop} onReady={onReady} />
      </QueryClientProvider>
    </Provider>,
  );
  const signOut = (isByHand: boolean) => {
    store.set(signedOutByHandAtom, isByHand);
    client.setQueryData(sessionQuery.queryKey, null);
  };
  return { reports, signOut, onReady };
}

const MARA = { email: 'mara@example.com' } as Session;

test.each([
  ['a session that ends by itself is over', false, true],
  ['one that somebody logs out of has ended as it should', true, false],
])('%s', async (_, isByHand, hasEnded) => {
  const { reports, signOut, onReady } = openPage(MARA);
  await waitFor(() => expect(onReady).toHaveBeenCalled());
  expect(reports).toEqual([]);
  signOut(isByHand);
  await waitFor(() => expect(reports).toEqual([{ inboxCount: 0, connection: 'signed-out', hasEnded }]));
});

test('a page that opens with its sign-in says that nobody is signed in', async () => {
  const { reports } = openPage(null);
  await waitFor(() => expect(reports).toMatchObject([{ connection: 'signed-out', hasEnded: false }]));
});

function Secret({ desktop, onReady }: TriedProps) {
  useWindowShown(desktop);
  const { isMasked } = useMaskWhenAway();
  useEffect(onReady, [onReady]);
  return <p>{isMasked ? 'masked' : 'a secret'}</p>;
}

/** A page with a secret in the desktop app: its place in the document, once its effects have run. */
async function openSecret(desktop: DesktopBridge): Promise<HTMLElement> {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  const onReady = vi.fn<() => void>();
  root.render(<Secret desktop={desktop} onReady={onReady} />);
  await waitFor(() => expect(onReady).toHaveBeenCalled());
  return place;
}

test('a page counts as shown in a desktop app that is older than the web app and does not report it', async () => {
  const desktop = {
    on: () => {
      throw new Error('There is no such event.');
    },
  } as unknown as DesktopBridge;
  await openSecret(desktop);
  expect(screen.getByText('a secret')).toBeVisible();
  expect(isPageShown()).toBe(true);
});

test('a secret is masked once the window was in the tray or minimized for 15 minutes', async () => {
  const listeners: ((isShown: boolean) => void)[] = [];
  const desktop = {
    on: (_event: string, listener: (isShown: boolean) => void) => {
      listeners.push(listener);
      return () => undefined;
    },
    isWindowShown: async () => true,
  } as unknown as DesktopBridge;
  const report = (isShown: boolean) => {
    for (const listener of listeners) listener(isShown);
  };
  const place = await openSecret(desktop);
  expect(place).toHaveTextContent('a secret');
  expect(listeners).not.toEqual([]);

  let now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const hideFor = async (minutes: number) => {
    report(false);
    await waitFor(() => expect(isPageShown()).toBe(false));
    now += minutes * 60_000;
    report(true);
    await waitFor(() => expect(isPageShown()).toBe(true));
  };
  await hideFor(14);
  expect(place).toHaveTextContent('a secret');
  await hideFor(15);
  await screen.findByText('masked');
});

test('an update that was downloaded is installed by Restart, which its toast says', () => {
  const desktop = {
    downloadUpdate: vi.fn<DesktopBridge['downloadUpdate']>(),
    restartAndInstall: async () => undefined,
  };
  const state = { status: 'downloaded', version: '1.0.4', percent: null, error: null, channel: 'stable' } as const;
  expect(updateToast(state, desktop)).toMatchObject({
    title: 'Update Downloaded',
    description: 'Choose Restart to install version 1.0.4.',
    action: { label: 'Restart' },
  });
});
