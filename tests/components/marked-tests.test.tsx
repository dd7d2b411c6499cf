import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { makeSource, send } from '#tests/e2e/support/sources.ts';
import { ADMINISTRATOR, findConnected, findToast, findings, openPage, startServer } from './support/open-page.tsx';

const cardsNamed = async (name: RegExp) => within(await screen.findByRole('feed')).findAllByRole('article', { name });

test('a test alert says that it is one: in the toast, on its card, opened, to the ear; is:test finds it', async () => {
  const app = await startServer();
  await app.post({ title: 'Disk full', customer: 'Atlas' });
  const user = await openPage(ADMINISTRATOR, '/my-alerts', { app });
  await findConnected();
  await app.admin.request('POST', '/api/webhook/test');
  expect(await findToast(/New alert received/)).toHaveTextContent(/Test: test from Test alert/);

  await user.click(screen.getByRole('link', { name: /^New Alerts/ }));
  const [card] = await cardsNamed(/^Test, new: Sent from/);
  expect(within(card as HTMLElement).getByText('Test', { exact: true })).toBeVisible();
  const [other] = await cardsNamed(/^New: Disk full/);
  expect(within(other as HTMLElement).queryByText('Test', { exact: true })).toBeNull();

  await user.type(screen.getByRole('combobox', { name: 'Search alerts' }), 'is:te{Tab}');
  await waitFor(() => expect(new URLSearchParams(location.search).get('search')).toBe('is:test'));
  await waitFor(async () => expect(await cardsNamed(/./)).toHaveLength(1));
  await user.click(screen.getByRole('link', { name: /^Sent from/ }));
  const heading = await screen.findByRole('heading', { level: 2, name: /^Sent from/ });
  const head = within(heading.parentElement as HTMLElement);
  expect(head.getByText('Test', { exact: true })).toBeVisible();
  expect(await screen.findByText('Test Received')).toBeVisible();
  expect(await findings()).toEqual([]);
});

test('deleted sources stand behind one entry of the filter, and in one row of Insight', async () => {
  const app = await startServer();
  const user = await openPage(ADMINISTRATOR, '/', { app });
  for (const name of ['Old Grafana', 'Old Zabbix', 'Shop']) {
    const source = await makeSource(app, name);
    await send(app, source.key, { title: `From ${name}` });
    if (name !== 'Shop') await app.admin.request('DELETE', `/api/sources/${source.id}`);
  }
  await cardsNamed(/From Shop/);
  await user.click(await screen.findByRole('button', { name: /^Source/ }));
  const menu = within(await screen.findByRole('menu', { name: 'Source' }));
  await menu.findByRole('menuitemradio', { name: /^Shop/ });
  expect(menu.queryByRole('menuitemradio', { name: /^Old/ })).toBeNull();
  await user.click(menu.getByRole('menuitem', { name: /^Deleted \(2\)/ }));
  await user.click(await menu.findByRole('menuitemradio', { name: /^Old Zabbix/ }));
  await waitFor(async () => expect(await cardsNamed(/./)).toHaveLength(1));
  await cardsNamed(/From Old Zabbix/);

  await user.click(screen.getByRole('link', { name: 'Insight' }));
  const names = within(await screen.findByRole('radiogroup', { name: 'Group by' }));
  await user.click(names.getByRole('radio', { name: 'Source' }));
  const table = within(await screen.findByRole('region', { name: 'By source, table' }));
  expect(table.queryByText('Old Zabbix')).toBeNull();
  await user.click(table.getByRole('button', { name: 'Deleted (2)' }));
  expect(await table.findByText('Old Zabbix')).toBeVisible();
  expect(table.getByText('Old Grafana')).toBeVisible();
});
