import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { ADMINISTRATOR, appServer, findCard, findDialog, findToast, openPage } from './support/open-page.tsx';

let app: AppServer;
beforeEach(async () => {
  app = await appServer();
  await app.clear();
});

const navigation = (name: string) =>
  within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: new RegExp(`^${name}`) });

const working = () => screen.findByRole('radio', { name: 'In Progress' });

test('an empty inbox says so', async () => {
  await openPage(ADMINISTRATOR, '/');
  expect(await screen.findByText('All caught up!')).toBeVisible();
  const hint = "No new alerts waiting for you. When webhooks arrive, they'll appear here.";
  expect(screen.getByText(hint)).toBeVisible();
  expect(document.title).toBe('Alertdesk');
});

test('a card says who, what, when and four fields; the rest is in Extra Information', async () => {
  await app.post({
    customer: { id: 7, name: 'Orchard Health' },
    alert_type: 'backup_failed',
    _internal: 'hidden',
    pk: 1,
    job_name: 'nightly',
    host: 'db-7',
    attempts: 3,
    duration_seconds: 812,
    exit_code: 75,
    ticket_age: 9,
    details: { volume: 'vol-9', used: '98 %' },
  });
  const user = await openPage(ADMINISTRATOR, '/');
  const card = await findCard('Orchard Health');
  for (const shown of ['New', 'backup_failed', 'host', 'attempts', 'duration seconds'])
    expect(card).toHaveTextContent(shown);
  for (const hidden of ['ticket age', 'internal', 'vol-9']) expect(card).not.toHaveTextContent(hidden);

  await user.click(within(card).getByRole('button', { name: /^Extra information/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Extra Information' });
  for (const text of ['Additional fields from this alert', 'ticket age', '9', 'vol-9'])
    expect(dialog).toHaveTextContent(text);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('an alert is accepted, worked on, and its history says by whom', async () => {
  const mara = await app.addMember('Mara Lindqvist');
  await app.post({ customer: 'Tamarind Foods', alertType: 'stock_low' });
  const user = await openPage(mara, '/');
  const inbox = await findCard('Tamarind Foods');
  await waitFor(() => expect(navigation('New Alerts')).toHaveTextContent('1'));
  await user.click(within(inbox).getByRole('button', { name: 'Accept' }));
  await user.click(navigation('My Alerts'));
  await waitFor(() => expect(location.pathname).toBe('/my-alerts'));
  await waitFor(() => expect(navigation('My Alerts')).toHaveTextContent('1'));

  await user.click(await working());
  expect(await findToast('Status updated')).toHaveTextContent('Alert status changed to In Progress');
  const again = await openPage(mara, '/my-alerts');
  expect(await working()).toBeChecked();
  await again.click(within(await findCard('Tamarind Foods')).getByRole('button', { name: 'Alert history' }));
  const history = await findDialog();
  for (const text of ['Complete tracking history for this alert', 'Status Change'])
    expect(await history.findByText(text)).toBeVisible();
  const authors = history.getAllByText(/^By/).map(({ textContent }) => textContent);
  expect(new Set(authors)).toEqual(new Set(['By Mara Lindqvist', 'By End-to-end tests']));
});
