import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { expectCards, findCard, findToast, memberWithQueue, openPage } from './support/open-page.tsx';

const navigation = (name: string) =>
  within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: new RegExp(`^${name}`) });

test('an own alert that is snoozed comes back by itself and is announced', async () => {
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  const id = await queue.accept({ customer: 'Nordwind', type: 'disk.full' });
  const user = await openPage(mara, '/my-alerts');
  await screen.findByText('Connected');
  await findCard('Nordwind');
  const until = new Date(Date.now() + 3_000).toISOString();
  await queue.client.request('POST', `/api/alerts/${id}/snooze`, { until });
  await expectCards();
  await user.click(await screen.findByRole('link', { name: '1 snoozed' }));
  expect(await findCard('Nordwind')).toHaveTextContent('Until ');
  await user.click(navigation('New Alerts'));
  await findToast('Snoozed alert is back');
  await waitFor(() => expect(navigation('Snoozed')).not.toHaveTextContent('1'));
  await openPage(mara, '/my-alerts');
  expect(await findCard('Nordwind')).toHaveTextContent('Woke just now');
});
