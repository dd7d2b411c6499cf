import { screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { makeHeartbeat } from '#tests/e2e/support/sources.ts';
import { deleteOutgoing } from './support/delete-outgoing.ts';
import { ADMINISTRATOR, appServer, openPage } from './support/open-page.tsx';

const menuOf = (name: string) => screen.getByRole('button', { name: `Actions for ${name}` });

/** Chooses an entry of a row's menu by keys, and answers the question that it asks. */
async function choose(user: Awaited<ReturnType<typeof openPage>>, name: string, entry: string, answer: string) {
  (await screen.findByRole('button', { name: `Actions for ${name}` })).focus();
  await user.keyboard('{Enter}');
  (await screen.findByRole('menuitem', { name: entry })).focus();
  await user.keyboard('{Enter}');
  within(await screen.findByRole('dialog'))
    .getByRole('button', { name: answer })
    .focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

test('a question of the menu of a row gives the focus back to the menu, or to that of the next row when its row is gone', async () => {
  const app = await appServer();
  onTestFinished(() => deleteOutgoing(app));
  const address = 'https://discord.com/api/webhooks/1/x';
  for (const name of ['Alpha chat', 'Beta chat', 'Gamma chat'])
    await app.admin.request('POST', '/api/outgoing/destinations', {
      kind: 'discord',
      name,
      url: address,
      isPaused: true,
    });
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/destinations');
  await choose(user, 'Beta chat', 'Delete', 'Cancel');
  expect(menuOf('Beta chat')).toHaveFocus();
  await choose(user, 'Beta chat', 'Delete', 'Delete');
  await waitFor(() => expect(screen.queryByText('Beta chat')).toBeNull());
  expect(menuOf('Gamma chat')).toHaveFocus();
  await choose(user, 'Gamma chat', 'Delete', 'Delete');
  await waitFor(() => expect(screen.queryByText('Gamma chat')).toBeNull());
  expect(menuOf('Alpha chat')).toHaveFocus();
});

test('a heartbeat that is deleted from its menu leaves the focus to the menu of another', async () => {
  const app = await appServer();
  const names = [`Backup ${crypto.randomUUID()}`, `Cleanup ${crypto.randomUUID()}`] as const;
  for (const name of names) await makeHeartbeat(app, name);
  const user = await openPage(ADMINISTRATOR, '/heartbeats');
  await choose(user, names[0], 'New address…', 'Cancel');
  expect(menuOf(names[0])).toHaveFocus();
  await choose(user, names[0], 'Delete…', 'Delete');
  await waitFor(() => expect(screen.queryByText(names[0])).toBeNull());
  expect(document.activeElement).toHaveAccessibleName(/^Actions for /);
});
