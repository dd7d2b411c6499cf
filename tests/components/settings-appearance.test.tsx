import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import {
  expectCards,
  findCard,
  findConnected,
  findToast,
  intercept,
  json,
  memberWithQueue,
  openPage,
} from './support/open-page.tsx';

const PATH = '/settings';

let app: AppServer;
let mara: Person;
beforeEach(async () => {
  ({ app, mara } = await memberWithQueue());
  await app.clear();
});

async function option(group: string, name: string): Promise<HTMLElement> {
  const panel = await screen.findByRole('region', { name: 'Appearance' });
  return within(within(panel).getByRole('radiogroup', { name: group })).getByRole('radio', { name });
}

test('Settings opens from the user menu', async () => {
  const user = await openPage(mara, '/');
  await user.click(await screen.findByRole('button', { name: new RegExp(mara.email) }));
  await user.click(await screen.findByRole('menuitem', { name: 'Settings' }));
  await waitFor(() => expect(location.pathname).toBe(PATH));
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
});

const accept = async (user: UserEvent) => {
  await user.click(within(await findCard('First')).getByRole('button', { name: 'Accept' }));
  return within(await findToast('Alert accepted')).getByRole('button', { name: 'Undo' });
};

describe('the appearance', () => {
  test('has the theme that is chosen, which is remembered', async () => {
    const { classList } = document.documentElement;
    const user = await openPage(mara, PATH);
    expect(await option('Theme', 'System')).toBeChecked();
    expect(classList).not.toContain('bp6-dark');
    await user.click(await option('Theme', 'Dark'));
    await waitFor(() => expect(classList).toContain('bp6-dark'));
    classList.remove('bp6-dark');
    const again = await openPage(mara, PATH, { keepsStorage: true });
    await waitFor(() => expect(classList).toContain('bp6-dark'));
    expect(await option('Theme', 'Dark')).toBeChecked();
    await again.click(await option('Theme', 'Light'));
    await waitFor(() => expect(classList).not.toContain('bp6-dark'));
  });

  test('has Z switched off for who speaks to the device, and it stays off', async () => {
    await app.post({ customer: 'First' });
    const choose = async (name: string) => {
      const user = await openPage(mara, PATH, { keepsStorage: true });
      await user.click(await option('Single-key shortcuts', name));
      return openPage(mara, '/', { keepsStorage: true });
    };
    await openPage(mara, PATH);
    expect(await option('Single-key shortcuts', 'On')).toBeChecked();
    const off = await choose('Off');
    const undo = await accept(off);
    expect(undo).toHaveTextContent(/^Undo$/);
    await off.keyboard('zZ');
    await findConnected();
    expect(await app.inbox()).toEqual([]);
    await off.click(undo);
    await findCard('First');

    const on = await choose('On');
    expect(await accept(on)).toHaveTextContent(/^UndoZ$/);
    await expectCards();
    await on.keyboard('z');
    await findCard('First');
  });
});

const bells = async (name: string) => within(await findCard(name)).queryAllByText('Muted', { exact: true });

test('the cards of a muted customer carry a sleeping bell', async () => {
  const names = ['Quayside Ferries', 'Harbour Lights'];
  for (const customer of names) await app.post({ customer });
  // These alone: of the hundreds that other tests name only those in view would be drawn.
  intercept('GET', '/api/customers', async (_call, go) => {
    const known = (await (await go()).json()) as { name: string }[];
    return json(known.filter(({ name }) => names.includes(name)));
  });
  const user = await openPage(mara, PATH);
  (await screen.findByRole('checkbox', { name: 'Quayside Ferries' })).focus();
  await user.keyboard(' ');
  await findToast('Customer muted');
  await openPage(mara, '/');
  await waitFor(async () => expect(await bells('Quayside Ferries')).toHaveLength(1));
  expect(await bells('Harbour Lights')).toHaveLength(0);
});
