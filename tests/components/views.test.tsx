import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { viewSchema } from '#backend/contract/view.ts';
import { ADMINISTRATOR, findCard, findDialog, memberWithQueue, openPage } from './support/open-page.tsx';

/** A view's row in the sidebar: its name, whether it is shared, its count. */
const row = (name: string) =>
  within(screen.getByRole('region', { name: 'Views' })).findByRole('link', { name: new RegExp(name) });

test('a shared view appears for members, follows its administrator, and says when it is gone', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  await app.post({ customer: 'Nordwind', title: 'Pump stopped', severity: 'critical' });
  await app.post({ customer: 'Nordwind', title: 'Pump is warm', severity: 'warning' });
  const admin = await openPage(ADMINISTRATOR, '/?search=severity:critical');
  await admin.click(await screen.findByRole('button', { name: 'Save as view' }));
  const dialog = await findDialog();
  await admin.type(dialog.getByLabelText('Name'), 'Critical');
  await admin.click(dialog.getByText('Share with everyone'));
  await admin.click(dialog.getByRole('button', { name: 'Save View' }));
  await screen.findByRole('heading', { level: 1, name: 'Critical' });
  const id = location.pathname.split('/').at(-1);
  const path = `/api/views/${id}`;

  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  await waitFor(async () => expect(await row('Critical')).toHaveTextContent('1'));
  await user.click(await row('Critical'));
  await user.click(within(await findCard('Pump stopped')).getByRole('button', { name: 'Accept' }));
  expect(await screen.findByText('No alerts in this view')).toBeVisible();
  await waitFor(async () => expect(await row('Critical')).not.toHaveTextContent('1'));

  // The administrator widens it: who looks at it as it was sees the new one.
  const listed = await app.admin.request('GET', '/api/views');
  const view = ((await listed.json()) as unknown[]).map((one) => viewSchema.parse(one)).find((one) => one.id === id);
  expect(view).toMatchObject({ name: 'Critical', isShared: true });
  await app.admin.request('PATCH', path, { version: view?.version, search: 'severity:critical severity:warning' });
  await findCard('Pump is warm');
  await waitFor(async () => expect(await row('Critical')).toHaveTextContent('1'));

  await app.admin.request('PATCH', path, { version: (view?.version ?? 0) + 1, isShared: false });
  expect(await screen.findByText('Critical was deleted')).toBeVisible();
  expect(within(screen.getByRole('region', { name: 'Views' })).queryByRole('link', { name: /Critical/ })).toBeNull();
  await user.click(within(screen.getByRole('main')).getByRole('button', { name: 'New Alerts' }));
  await findCard('Pump is warm');
  await app.admin.request('DELETE', path);
});
