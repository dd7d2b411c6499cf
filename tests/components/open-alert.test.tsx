import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { queueOf } from '#tests/e2e/support/queue.ts';
import { ADMINISTRATOR, appServer, findCard, intercept, openPage } from './support/open-page.tsx';

test('an answer from before a deletion does not bring the open alert back', async () => {
  const app = await appServer();
  const mara = await app.addMember('Mara Lindqvist');
  const id = await app.post({ title: 'Deleted while it is read' });
  const answered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  intercept('GET', `/api/alerts/${id}`, async (_call, go) => {
    const answer = await go();
    answered.resolve();
    await released.promise;
    setTimeout(arrived.resolve);
    return answer;
  });
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  const card = await findCard('Deleted while it is read');
  await user.click(within(card).getByRole('link', { name: 'Deleted while it is read' }));
  const panel = within(await screen.findByRole('complementary', { name: 'Alert details' }));
  await answered.promise;

  const { client } = await queueOf(app, ADMINISTRATOR);
  await client.request('DELETE', `/api/webhooks/${id}`);
  expect(await panel.findByText('This alert was deleted.')).toBeVisible();
  released.resolve();
  await arrived.promise;
  await new Promise((resolve) => setTimeout(resolve));
  expect(panel.getByText('This alert was deleted.')).toBeVisible();
});
