import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { queueOf } from '#tests/e2e/support/queue.ts';
import { ADMINISTRATOR, appServer, findCard, intercept, memberWithQueue, openPage } from './support/open-page.tsx';

const openPanel = () => within(screen.getByRole('complementary', { name: 'Alert details' }));

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

test('the open alert follows what happens: a colleague takes it, and it is deleted', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  const [taken, deleted] = [await app.post({ title: 'Taken' }), await app.post({ title: 'Deleted' })];
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  const open = async (title: string) => {
    await user.click(within(await findCard(title)).getByRole('link', { name: title }));
    await waitFor(() => expect(openPanel().getByRole('heading', { name: title })).toHaveFocus());
  };
  const findStatus = (text: string) =>
    waitFor(() =>
      expect(
        openPanel()
          .getAllByRole('status')
          .map(({ textContent }) => textContent),
      ).toContainEqual(expect.stringContaining(text)),
    );
  await open('Taken');
  await app.admin.request('POST', `/api/alerts/${taken}/accept`);
  await findStatus('Accepted by Administrator.');
  expect(openPanel().queryByRole('button', { name: 'Accept' })).toBeNull();

  await open('Deleted');
  await app.admin.request('DELETE', `/api/webhooks/${deleted}`);
  await findStatus('This alert was deleted.');
});

test('the keys with which a word is composed choose no colleague, save nothing and leave the note', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  await app.post({ title: 'Noted' });
  const user = await openPage(mara, '/');
  await user.click(within(await findCard('Noted')).getByRole('link', { name: 'Noted' }));
  const field = await screen.findByRole('textbox', { name: 'Add a note' });
  await user.type(field, '@Adm');
  expect(await screen.findByRole('option', { name: /Administrator/, selected: true })).toBeVisible();
  for (const [key, modifiers] of [
    ['Enter', {}],
    ['Enter', { ctrlKey: true }],
    ['Tab', {}],
    ['Escape', {}],
  ] as const) {
    fireEvent.keyDown(field, { key, isComposing: true, ...modifiers });
    fireEvent.keyDown(field, { key, keyCode: 229, ...modifiers });
  }
  expect(field).toHaveValue('@Adm');
  expect(screen.getByRole('listbox', { name: 'Colleagues' })).toBeVisible();
  await user.keyboard('{Enter}');
  expect(field).toHaveValue('@Administrator ');
});
