import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { ADMINISTRATOR, appServer, findToast, findings, openPage } from './support/open-page.tsx';

test('a link from a chat asks before it accepts, and is answered once', async () => {
  const app = await appServer();
  const id = await app.post({ title: 'Asked in Teams' });
  const user = await openPage(ADMINISTRATOR, `/alert/${id}?accept`);
  const asked = within(await screen.findByRole('dialog', { name: 'Accept this alert?' }));
  expect(await findings()).toEqual([]);
  await user.click(asked.getByRole('button', { name: 'Accept' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(location.search).toBe(''));
  expect((await screen.findAllByText(/Accepted/)).length).toBeGreaterThan(0);
  const toast = within(await findToast('Moved to your queue'));
  await user.click(toast.getByRole('button', { name: 'Undo' }));
  await waitFor(async () => expect((await app.inbox()).map((alert) => alert.id)).toContain(id));
});

test('a link to connect a chat account that is not valid says so, and is left', async () => {
  const user = await openPage(ADMINISTRATOR, '/account?connect=nothing');
  await screen.findByRole('heading', { name: 'Chat accounts' });
  expect(await screen.findByText(/This link is not valid\. Press the button in the chat again/)).toBeVisible();
  screen.getByRole('button', { name: 'Close' }).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Chat accounts' })).toBeNull());
  expect(location.search).toBe('');
  expect(screen.getByRole('main')).toHaveFocus();
});
