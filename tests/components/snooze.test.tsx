import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { expectCards, findCard, findDialog, findToast, memberWithQueue, openPage } from './support/open-page.tsx';

const navigation = (name: string) =>
  within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: new RegExp(`^${name}`) });

test('an own alert that is snoozed comes back by itself and is announced', async () => {
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  const id = await queue.accept({ customer: 'Nordwind', type: 'disk.full' });
  const user = await openPage(mara, '/my-alerts');
  await screen.findByText('Connected');
  await findCard('Nordwind');
  const snoozeFor = (ms: number) =>
    queue.client.request('POST', `/api/alerts/${id}/snooze`, { until: new Date(Date.now() + ms).toISOString() });
  await snoozeFor(3_600_000);
  await expectCards();
  await user.click(await screen.findByRole('link', { name: '1 snoozed' }));
  expect(await findCard('Nordwind')).toHaveTextContent('Until ');
  await user.click(navigation('New Alerts'));
  await waitFor(async () => expect((await snoozeFor(1_500)).status).toBe(200));
  await findToast('Snoozed alert is back');
  await waitFor(() => expect(navigation('Snoozed')).not.toHaveTextContent('1'));
  await openPage(mara, '/my-alerts');
  expect(await findCard('Nordwind')).toHaveTextContent('Snooze ended just now');
});

test('an alert of the inbox is snoozed until a date by key, and woken from Snoozed', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  await app.post({ customer: 'Nordwind' });
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  await findCard('Nordwind');
  await user.keyboard('js');
  await user.click(await screen.findByRole('menuitem', { name: 'Date and time…' }));
  const dialog = await findDialog();
  const snoozeUntil = async (time: string): Promise<void> => {
    fireEvent.change(dialog.getByLabelText('Date and time'), { target: { value: time } });
    await user.click(dialog.getByRole('button', { name: 'Snooze' }));
  };
  await snoozeUntil('2020-01-01T09:00');
  expect(await dialog.findByRole('alert')).toHaveTextContent('This time has passed');
  // A day of which a card says the date, and which is within a year, whatever day it is today.
  const today = new Date();
  const [date, day] =
    today.getMonth() < 6 ? [`${today.getFullYear()}-11-24`, 'Nov 24'] : [`${today.getFullYear() + 1}-02-24`, 'Feb 24'];
  await snoozeUntil(`${date}T09:00`);
  await expectCards();
  await waitFor(() => expect(navigation('Snoozed')).toHaveTextContent('1'));

  await user.keyboard('gs');
  expect(await screen.findByRole('heading', { name: 'Snoozed' })).toBeVisible();
  expect(await findCard('Nordwind')).toHaveTextContent(new RegExp(`Until ${day}.*, 9:00 AM`));
  await user.click(within(await findCard('Nordwind')).getByRole('button', { name: 'Unsnooze' }));
  expect(await screen.findByText('Nothing is snoozed')).toBeVisible();
  await waitFor(async () => expect(await app.inbox()).toHaveLength(1));
});
