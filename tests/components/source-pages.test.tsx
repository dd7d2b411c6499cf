import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { ADMINISTRATOR, appServer, findings, openPage } from './support/open-page.tsx';

const PAGES = [
  ['Sources', '/admin/sources'],
  ['API Keys', '/admin/api-keys'],
  ['Webhook Endpoint', '/admin/webhook'],
  ['Service Tokens', '/admin/service-tokens'],
] as const;

const tabs = async () => within(await screen.findByRole('navigation', { name: 'Sources and keys' }));
const currentTab = async () =>
  (await tabs())
    .getAllByRole('link')
    .filter((link) => link.getAttribute('aria-current') === 'page')
    .map(({ textContent }) => textContent);

test('sources, keys, the endpoint and service tokens are tabs, each with its address, and Back goes back', async () => {
  const user = await openPage(ADMINISTRATOR, '/admin/sources');
  expect((await tabs()).getAllByRole('link').map(({ textContent }) => textContent)).toEqual(
    PAGES.map(([title]) => title),
  );
  for (const [title, path] of PAGES.slice(1)) {
    await user.click((await tabs()).getByRole('link', { name: title }));
    expect(await screen.findByRole('heading', { name: title, level: 1 })).toBeVisible();
    expect([location.pathname, await currentTab()]).toEqual([path, [title]]);
    expect(screen.getByRole('link', { name: 'Back to Admin Panel' })).toBeVisible();
  }
  expect(await findings()).toEqual([]);
  history.back();
  await waitFor(async () => expect(await currentTab()).toEqual(['Webhook Endpoint']));
});

test.each(PAGES)(
  '%s is there by its address, for administrators alone, and is one entry of the user menu',
  async (title, path) => {
    const app = await appServer();
    const user = await openPage(ADMINISTRATOR, path);
    expect(await screen.findByRole('heading', { name: title, level: 1 })).toBeVisible();
    expect(await currentTab()).toEqual([title]);
    await user.click(screen.getByRole('button', { name: /Administrator/ }));
    const menu = within(await screen.findByRole('menu', { name: 'Account' }));
    const current = menu.getAllByRole('menuitem').filter((item) => item.getAttribute('aria-current') === 'page');
    expect(current.map(({ textContent }) => textContent)).toEqual(['Sources']);
    await openPage(await app.addMember('Mara Lindqvist'), path);
    await waitFor(() => expect(location.pathname).toBe('/'));
  },
);

/** Whether the browser would ask before it reloads or closes the page. */
const isUnloadAsked = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('a link that nobody has copied is asked about, whichever way it is left', async () => {
  const email = `${uuidv7()}@example.org`;
  const user = await openPage(ADMINISTRATOR, '/admin');
  await user.click(await screen.findByRole('link', { name: /User Management/ }));
  await user.click(await screen.findByRole('button', { name: 'Invite' }));
  const form = within(await screen.findByRole('dialog', { name: 'Invite' }));
  await user.type(form.getByLabelText('Email'), email);
  await user.type(form.getByLabelText('Display Name'), 'Noor Haddad');
  await user.click(form.getByRole('button', { name: 'Invite' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Invitation' }));
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Copy link' })).toHaveFocus());
  const isAskedAfter = async (leave: () => unknown) => {
    await leave();
    expect(await dialog.findByText('The link has not been copied. Close anyway?')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Keep open' }));
    expect(location.pathname).toBe('/admin/users');
  };
  await isAskedAfter(() => user.click(dialog.getByRole('button', { name: 'Done' })));
  await isAskedAfter(() => user.keyboard('{Escape}'));
  await isAskedAfter(() => history.back());
  expect(isUnloadAsked()).toBe(true);
  await user.click(dialog.getByRole('button', { name: 'Copy link' }));
  await waitFor(() => expect(isUnloadAsked()).toBe(false));
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
