import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import { sourceSchema } from '#backend/contract/source.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { makeSource, sendLogged } from '#tests/e2e/support/sources.ts';
import { ADMINISTRATOR, appServer, findToast, openPage } from './support/open-page.tsx';

const of = (status: string, env: string) => ({
  checks: [
    { name: 'shop', status, env },
    { name: 'mail', status, env },
  ],
});

let app: AppServer;
let id: string;
beforeEach(async () => {
  app = await appServer();
  const source = await makeSource(app, `Rules ${crypto.randomUUID()}`, 'generic');
  ({ id } = source);
  await sendLogged(app, source, of('sideways', 'staging'));
  await sendLogged(app, source, of('sideways', 'prod'));
});

const field = (name: string) => screen.findByLabelText(name, { exact: true });
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const past = () => screen.getByRole('region', { name: 'Past deliveries' });

test('tables, a list to split and conditions are edited, and past deliveries show what they would become', async () => {
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/mapping`);
  await screen.findByText('Connected');
  await user.type(await field('one alert for each'), 'checks');
  expect(await screen.findByText('2 items in this delivery')).toBeVisible();
  await user.type(await field('title'), '{{{{name}} is {{{{status}}');
  const alert = screen.getByRole('region', { name: 'The alert' });
  await waitFor(() => expect(alert).toHaveTextContent('shop is sideways'));
  (await screen.findByRole('button', { name: 'Use status as…' })).focus();
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('menuitem', { name: 'state' }));
  await user.click(button('Add a value table to state'));
  await user.type(await field('state, row 1, value of the sender'), 'sideways');
  expect(await screen.findByText('1 entry to fix')).toBeVisible();
  expect(button('Save mapping')).toBeDisabled();
  await user.selectOptions(await field('state, row 1, becomes'), 'Resolved');
  await waitFor(() => expect(screen.queryByText('1 entry to fix')).toBeNull());
  await user.click(button('Add a condition'));
  await user.type(await field('Condition 1, name'), 'no staging');
  await user.type(await field('Condition 1, path'), 'env');
  await user.type(await field('Condition 1, value'), 'staging');
  expect(await screen.findByText('Leaves nothing out of this delivery.')).toBeVisible();

  const delivery = (index: number) => within(past()).getAllByRole('listitem')[index]!;
  // What the deliveries would have become without the condition stays until the server has answered.
  await waitFor(() => expect(delivery(1)).toHaveTextContent('1 alert → no alert (No alert when: no staging)'));
  expect(delivery(0)).toHaveTextContent('1 alert → 2 alerts');
  expect(past()).toHaveTextContent('2 of the last 2 would become something else.');
  await user.click(within(delivery(1)).getByRole('button'));
  expect(await screen.findByText('Leaves out 2 alerts of this delivery.')).toBeVisible();
  await waitFor(() => expect(alert).toHaveTextContent('No alert when: no staging'));

  await waitFor(() => expect(button('Save mapping')).toBeEnabled());
  await user.click(button('Save mapping'));
  await findToast('Mapping saved');
  const answer = await app.admin.request('GET', `/api/sources/${id}`);
  expect(sourceSchema.parse(await answer.json()).settings.mapping).toEqual({
    title: '{{name}} is {{status}}',
    state: 'status',
    values: { state: { rows: [{ from: 'sideways', to: 'resolved' }] } },
    split: 'checks',
    noAlertWhen: [{ name: 'no staging', path: 'env', test: 'is', value: 'staging' }],
  });
});

/** An alert as Alertmanager sends it. */
const alertOf = (summary: string) => ({
  status: 'firing',
  labels: { alertname: 'DiskFull' },
  annotations: { summary },
});

test('a sender’s rule that is changed begins as the path that a mapping reads the same by', async () => {
  const source = await makeSource(app, `Rules ${crypto.randomUUID()}`, 'alertmanager');
  await sendLogged(app, source, {
    groupLabels: {},
    receiver: 'desk',
    alerts: [alertOf('Disk one'), alertOf('Disk two')],
  });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${source.id}/mapping`);
  const shown = await screen.findByRole('region', { name: 'The alert' });
  await waitFor(() => expect(shown).toHaveTextContent('Disk one'));
  await user.click(button('Next alert'));
  expect(button('Next alert')).toHaveFocus();
  expect(button('Next alert')).toHaveAttribute('aria-disabled', 'true');
  await user.click(button('Change title'));
  expect(await field('title')).toHaveValue('annotations.summary');
  expect(await field('title')).toHaveFocus();
  await waitFor(() => expect(shown).toHaveTextContent('Disk two'));
  expect(screen.queryByText('No match in this delivery.')).toBeNull();
  await user.click(button("Use the sender's rule"));
  expect(button('Change title')).toHaveFocus();
});
