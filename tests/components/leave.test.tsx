import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test } from 'vitest';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { makeSource, sendLogged } from '#tests/e2e/support/sources.ts';
import { hold, isUnloadAsked } from './support/leaving.ts';
import { ADMINISTRATOR, appServer, findToast, openPage } from './support/open-page.tsx';

/** What leaves a page, and where to. */
const LEAVES: Record<string, { to: RegExp; go: (user: UserEvent, app: AppServer) => Promise<unknown> }> = {
  'a link': {
    to: /^\/my-alerts$/,
    go: (user) => user.click(screen.getByRole('link', { name: /^My Alerts/ })),
  },
  keys: { to: /^\/my-alerts$/, go: (user) => user.keyboard('gm') },
  'the command palette': {
    to: /^\/settings$/,
    async go(user) {
      await user.keyboard('{Control>}k{/Control}');
      await user.type(await screen.findByRole('combobox', { name: /command/i }), 'settings{Enter}');
    },
  },
  'a toast': {
    to: /^\/alert\//,
    async go(user, app) {
      await app.post({ customer: 'Atlas Freight' });
      await user.click(within(await findToast(/Atlas Freight/)).getByRole('button', { name: 'Open' }));
    },
  },
  'a notification': {
    to: /^\/settings$/,
    async go() {
      const data = { type: 'open', path: '/settings' };
      navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data }));
    },
  },
  Back: { to: /\/deliveries$/, go: async () => history.back() },
};

/** What a browser has of service workers, as far as its messages go. */
function offerWorkers(): void {
  const workers = Object.assign(new EventTarget(), {
    startMessages() {},
    getRegistration: async () => undefined,
    register: () => Promise.reject(new Error('There are no workers here.')),
  });
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: workers });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'));
}

const isQuestionGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

test.each(Object.entries(LEAVES))('an unsaved mapping is asked about before %s leaves it', async (_how, { to, go }) => {
  offerWorkers();
  const app = await appServer();
  const source = await makeSource(app, `Left ${crypto.randomUUID()}`, 'generic');
  await sendLogged(app, source, { order: 'HF-1' });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${source.id}`);
  await screen.findByText('Connected');
  await user.click(await screen.findByRole('link', { name: 'Mapping' }));
  const title = await screen.findByLabelText('title', { exact: true });
  expect(isUnloadAsked()).toBe(false);
  await user.type(title, 'order');
  expect(isUnloadAsked()).toBe(true);
  title.blur();
  const here = location.pathname;

  await go(user, app);
  await screen.findByRole('dialog', { name: 'Leave without saving?' });
  await user.keyboard('{Escape}');
  await isQuestionGone();
  expect(location.pathname).toBe(here);
  expect(title).toHaveValue('order');

  title.blur();
  await go(user, app);
  const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  await user.click(question.getByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(location.pathname).toMatch(to));
  await waitFor(() => expect(isUnloadAsked()).toBe(false));
});

test('a setting that is being typed, and a secret in a dialog, are asked about as well', async () => {
  const app = await appServer();
  const { id } = await makeSource(app, 'Typed');
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}`);
  await user.click(await screen.findByRole('link', { name: 'Settings' }));
  const name = await screen.findByLabelText('Name', { exact: true });
  await user.type(name, ' twice');
  history.back();
  await screen.findByRole('dialog', { name: 'Leave without saving?' });
  await user.keyboard('{Escape}');
  await isQuestionGone();
  expect(name).toHaveValue('Typed twice');
  await waitFor(() => expect(name).toHaveFocus());
  await user.keyboard('{Escape}');
  expect(name).toHaveValue('Typed');

  await user.click(screen.getByRole('button', { name: 'Rotate API key' }));
  const asked = within(await screen.findByRole('dialog', { name: /^Rotate API key of/ }));
  await user.click(asked.getByRole('button', { name: 'Rotate API key' }));
  const shown = within(await screen.findByRole('dialog', { name: 'New API key' }));
  history.back();
  expect(await shown.findByText('You have not copied it. Close anyway?')).toBeVisible();
  await user.click(shown.getByRole('button', { name: 'Keep open' }));
  await waitFor(() => expect(shown.queryByRole('button', { name: 'Close without it' })).toBeNull());
  expect(location.pathname).toMatch(/\/settings$/);
  history.back();
  await user.click(await shown.findByRole('button', { name: 'Close without it' }));
  await waitFor(() => expect(screen.queryByLabelText('Name', { exact: true })).toBeNull());
  expect(location.pathname).toMatch(/\/deliveries$/);
});

test('a key that is shown once keeps its page until it was copied, or is given up', async () => {
  const user = await openPage(ADMINISTRATOR, '/admin');
  await user.click(await screen.findByRole('link', { name: /API Keys/ }));
  await user.click(await screen.findByRole('button', { name: 'New Key' }));
  await user.type(await screen.findByLabelText('Name'), `Left ${crypto.randomUUID()}{Enter}`);
  const created = within(await screen.findByRole('dialog', { name: 'API Key Created' }));
  expect(isUnloadAsked()).toBe(true);
  history.back();
  expect(await created.findByText('The key has not been copied. Close anyway?')).toBeVisible();
  await user.click(created.getByRole('button', { name: 'Keep open' }));
  expect(location.pathname).toBe('/admin/api-keys');
  await user.click(created.getByRole('button', { name: 'Copy API key' }));
  await waitFor(() => expect(isUnloadAsked()).toBe(false));
  history.back();
  await waitFor(() => expect(location.pathname).toBe('/admin'));
});

test('Back that is pressed twice is asked about once, and leads where the first one led', async () => {
  const app = await appServer();
  const { id } = await makeSource(app, 'Quick');
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}`);
  await screen.findByText('Connected');
  await user.click(await screen.findByRole('link', { name: 'Mapping' }));
  await user.click(await screen.findByRole('link', { name: 'Settings' }));
  await user.type(await screen.findByLabelText('Name', { exact: true }), ' thinking');
  history.back();
  history.back();
  const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  expect(location.pathname).toMatch(/\/settings$/);
  const leave = question.getByRole('button', { name: 'Leave' });
  // Both clicks of a double click.
  leave.click();
  leave.click();
  await waitFor(() => expect(location.pathname).toMatch(/\/mapping$/));
  await waitFor(() => expect(screen.queryByLabelText('Name', { exact: true })).toBeNull());
  expect(location.pathname).toMatch(/\/mapping$/);
  history.forward();
  expect(await screen.findByLabelText('Name', { exact: true })).toHaveValue('Quick');
});

test('what was written to silence at the sender is asked about before it is left', async () => {
  const { id } = await makeSource(await appServer(), `Silenced ${crypto.randomUUID()}`);
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/settings`);
  await user.type(await screen.findByLabelText('Address'), 'http://10.0.4.7:9093');
  await user.click(screen.getByRole('link', { name: 'Deliveries' }));
  const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  await user.click(question.getByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(location.pathname).toMatch(/\/deliveries$/));
});

test('a secret that is being created keeps its page and its dialog until it is shown', async () => {
  const { id } = await makeSource(await appServer(), `Rotated ${crypto.randomUUID()}`);
  const release = hold('POST', `/api/sources/${id}/rotate`);
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/settings`);
  await user.click(await screen.findByRole('button', { name: 'Rotate API key' }));
  const asked = within(await screen.findByRole('dialog', { name: /^Rotate API key of/ }));
  await user.click(asked.getByRole('button', { name: 'Rotate API key' }));
  await waitFor(() => expect(isUnloadAsked()).toBe(true));
  expect(asked.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await user.keyboard('{Escape}');
  release();
  const shown = within(await screen.findByRole('dialog', { name: 'New API key' }));
  await user.click(shown.getByRole('button', { name: 'Copy API key' }));
  await shown.findByText('Copied');
  await user.click(shown.getByRole('button', { name: 'Done' }));
  await isQuestionGone();
});

test('leaving a set-up whose new address is being created stays with it', async () => {
  const { id } = await makeSource(await appServer(), `Set up ${crypto.randomUUID()}`);
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/set-up`);
  await user.click(await screen.findByRole('button', { name: 'New API key' }));
  await waitFor(() => expect(isUnloadAsked()).toBe(true));
  const release = hold('POST', `/api/sources/${id}/rotate`);
  const address = screen.getByRole('button', { name: 'New address' });
  await waitFor(() => expect(address).not.toHaveAttribute('aria-disabled'));
  await user.click(address);
  await waitFor(() => expect(address).toHaveAttribute('aria-disabled', 'true'));
  await user.click(screen.getByRole('link', { name: 'Deliveries' }));
  expect(await screen.findByText('A secret is being created. You can leave once it is shown here.')).toBeVisible();
  release();
  await waitFor(() => expect(screen.queryByText(/^A secret is being created/)).toBeNull());
  await user.click(screen.getByRole('link', { name: 'Deliveries' }));
  const question = within(await screen.findByRole('dialog', { name: 'Leave without copying the credential?' }));
  // Each of the two that nobody has copied.
  expect(question.getByRole('button', { name: 'Copy API key' })).toBeVisible();
  await user.click(question.getByRole('button', { name: 'Copy and leave' }));
  await waitFor(() => expect(location.pathname).toMatch(/\/deliveries$/));
  expect(await navigator.clipboard.readText()).toMatch(/^ad_.*\n.*\/in\//);
});
