import { QueryCache } from '@tanstack/react-query';
import { within } from '@testing-library/dom';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { findCard, findToast, memberWithQueue, openPage } from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
beforeEach(async () => {
  ({ app, mara } = await memberWithQueue());
  await app.clear();
});

/** The modules of the web app whose functions called one another here, the outermost first. */
const modulesOfStack = (): string[] =>
  [...(new Error('where').stack ?? '').matchAll(/\/renderer\/([\w/-]+)\.tsx?[:?]/g)]
    .map(([, path = '']) => path)
    .toReversed();

/** Adds to the returned modules those of each stack in which one of them begins it, while the test goes on. */
function passedFrom(beginnings: readonly string[]): ReadonlySet<string> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 200;
  const passed = new Set<string>();
  const note = (): void => {
    const modules = modulesOfStack();
    if (beginnings.includes(modules[0] ?? '')) for (const one of modules) passed.add(one);
  };
  // Each is called at the end of a part of the way: before a frame is drawn, with a list's change, with what is sent, with a toast.
  const frame = window.requestAnimationFrame.bind(window);
  vi.spyOn(window, 'requestAnimationFrame').mockImplementation((callback) => {
    if (modulesOfStack().at(-1) === 'live/apply-event') note();
    return frame(callback);
  });
  const { notify } = QueryCache.prototype;
  vi.spyOn(QueryCache.prototype, 'notify').mockImplementation(function noting(this: QueryCache, event) {
    const [path] = event.query.queryKey;
    const isPlaced = event.type === 'updated' && path === '/api/alerts/inbox';
    if (isPlaced && modulesOfStack().at(-1) === 'alerts/data/list-cache') note();
    notify.call(this, event);
  });
  const { fetch } = window;
  vi.spyOn(window, 'fetch').mockImplementation((...call) => {
    if (call[1]?.method === 'POST') note();
    return fetch(...call);
  });
  const clock = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => {
    if (modulesOfStack().at(-1) === 'toasts/toast') note();
    return clock();
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
    Error.stackTraceLimit = stackTraceLimit;
  });
  return passed;
}

test('a frame passes five modules to the list of its new alert, whose cards are drawn from there', async () => {
  await app.post({ customer: 'Orchard Foods' });
  await openPage(mara, '/');
  await findCard('Orchard Foods');
  await app.post({ customer: 'Quayside Ferries' });
  await findCard('Quayside Ferries');
  const passed = passedFrom(['live/connection', 'live/apply-event']);
  await app.post({ customer: 'Nordwind' });
  await findCard('Nordwind');
  expect([...passed]).toEqual([
    'live/connection',
    'live/catch-up',
    'live/apply-event',
    'alerts/data/alert-store',
    'alerts/data/list-cache',
  ]);
});

test('a click passes six modules to its request and the toast that undoes it, and two to what it changes on screen', async () => {
  await app.post({ customer: 'Nordwind' });
  const user = await openPage(mara, '/');
  const accept = within(await findCard('Nordwind')).getByRole('button', { name: 'Accept' });
  const passed = passedFrom(['alerts/card/alert-card', 'alerts/actions/change-alert']);
  await user.click(accept);
  await findToast('Alert accepted');
  expect([...passed]).toEqual([
    'alerts/card/alert-card',
    'alerts/actions/change-alert',
    'alerts/data/alert-store',
    'alerts/data/list-cache',
    'alerts/actions/changes',
    'lib/api-client',
    'toasts/undo-stack',
    'toasts/toast',
  ]);
});
