import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { noteListSchema } from '#backend/contract/note.ts';
import { queueOf } from '#tests/e2e/support/queue.ts';
import { ADMINISTRATOR, findCard, findConnected, intercept, memberWithQueue, openPage } from './support/open-page.tsx';

const panel = () => within(screen.getByRole('complementary', { name: 'Alert details' }));
const composer = () => panel().findByRole('textbox', { name: 'Add a note' });

test('a note whose answer was lost is there once when it is sent again, and the same words later are another note', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  const id = await app.post({ title: 'First' });
  const user = await openPage(mara, '/');
  await findConnected();
  await user.click(within(await findCard('First')).getByRole('link', { name: 'First' }));
  await waitFor(() => expect(panel().getByRole('heading', { name: 'First' })).toHaveFocus());
  const { client } = await queueOf(app, ADMINISTRATOR);
  const stored = async () =>
    noteListSchema.parse(await (await client.request('GET', `/api/alerts/${id}/notes`)).json()).map(({ text }) => text);
  const stop = intercept('POST', /\/notes$/, async (_call, go) => {
    await go();
    throw new TypeError('Failed to fetch');
  });
  await user.type(await composer(), 'Disk replaced.');
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(await panel().findByRole('alert')).toBeVisible();
  expect(await stored()).toEqual(['Disk replaced.']);
  stop();
  const send = async () => {
    (await composer()).focus();
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(async () => expect(await composer()).toHaveValue(''));
  };
  await send();
  expect(await stored()).toEqual(['Disk replaced.']);
  await user.type(await composer(), 'Disk replaced.');
  await send();
  expect(await stored()).toEqual(['Disk replaced.', 'Disk replaced.']);
});
