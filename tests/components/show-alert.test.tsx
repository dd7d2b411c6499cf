import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { waitFor } from '@testing-library/dom';
import { Provider, createStore } from 'jotai';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import { expect, onTestFinished, test } from 'vitest';
import { inboxQuery } from '#renderer/alerts/data/alert-queries.ts';
import { alertToShowAtom } from '#renderer/alerts/data/list-state.ts';
import { ShowAlert } from '#renderer/features/inbox/show-alert.ts';
import { catchingUpAtom, connectionAtom } from '#renderer/lib/connection.ts';
import { currentToastAtom } from '#renderer/toasts/toast.ts';
import { intercept, json } from './support/open-page.tsx';

const ALERT = crypto.randomUUID();

/** An inbox that has the alert, where a notification leads to it while what was missed is not known yet. */
function openCatchingUp() {
  intercept('GET', /^\/api\/alerts\//, () => {
    const answer = json([]);
    answer.headers.set('x-total-count', '0');
    return answer;
  });
  const store = createStore();
  store.set(connectionAtom, 'connected');
  store.set(catchingUpAtom, true);
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const setInbox = (ids: string[]) =>
    client.setQueryData(inboxQuery.queryKey, { pages: [{ ids, total: ids.length }], pageParams: [undefined] });
  setInbox([ALERT]);
  const root = createRoot(document.createElement('div'));
  onTestFinished(() => root.unmount());
  flushSync(() =>
    root.render(
      <Provider store={store}>
        <QueryClientProvider client={client}>
          <MemoryRouter initialEntries={[`/?alert=${ALERT}`]}>
            <ShowAlert />
          </MemoryRouter>
        </QueryClientProvider>
      </Provider>,
    ),
  );
  const shown = () => store.get(alertToShowAtom)?.id;
  const said = () => store.get(currentToastAtom)?.title;
  return { store, setInbox, shown, said };
}

test('an alert that went while the connection was lost is said to be gone, also before the page knows', async () => {
  const { store, setInbox, shown, said } = openCatchingUp();
  expect(shown()).toBeUndefined();
  setInbox([]);
  store.set(catchingUpAtom, false);
  await waitFor(() => expect(said()).toBe('No longer in the inbox'));
  expect(shown()).toBeUndefined();
});

test('an alert that is still there is shown once the page knows, or when the connection is lost again', async () => {
  for (const end of [
    ({ store }: ReturnType<typeof openCatchingUp>) => store.set(catchingUpAtom, false),
    ({ store }: ReturnType<typeof openCatchingUp>) => store.set(connectionAtom, 'disconnected'),
  ]) {
    const opened = openCatchingUp();
    expect(opened.shown()).toBeUndefined();
    end(opened);
    await waitFor(() => expect(opened.shown()).toBe(ALERT));
    expect(opened.said()).toBeUndefined();
  }
});
