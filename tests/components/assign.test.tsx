import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { colleaguesSchema } from '#backend/contract/assignment.ts';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { type Queue, queueOf } from '#tests/e2e/support/queue.ts';
import { choosePerson, findPerson } from './support/choose-person.ts';
import {
  expectCards,
  findCard,
  findToast,
  findings,
  intercept,
  memberWithQueue,
  openPage,
  refusal,
} from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
let queue: Queue;
/** Somebody to give alerts to, whose name nobody else on this server has. */
let jonas: Person;
let theirs: Queue;
beforeEach(async () => {
  ({ app, mara, queue } = await memberWithQueue());
  await app.clear();
  jonas = await app.addMember(`Jonas ${uuidv7().slice(-8)}`);
  theirs = await queueOf(app, jonas);
});

const dialogGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

test('an alert is assigned by key, and undo takes it back', async () => {
  const id = await app.post({ title: 'Disk almost full', customer: 'Atlas', severity: 'critical' });
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  await findCard('Disk almost full');
  await user.keyboard('j{Shift>}A{/Shift}');
  await screen.findByRole('dialog', { name: 'Assign this alert' });
  expect(await findPerson(jonas.displayName)).toHaveTextContent('0 open');
  expect(await findings()).toEqual([]);
  await choosePerson(user, jonas.displayName);
  await findToast(`Assigned to ${jonas.displayName}`);
  await expectCards();
  expect(await theirs.mine()).toEqual([id]);
  await dialogGone();
  await user.keyboard('z');
  await findCard('Disk almost full');
  await waitFor(async () => expect(await theirs.mine()).toEqual([]));
});

test('the other person sees who gave it, and is notified', async () => {
  const id = await app.post({ title: 'Disk almost full', customer: 'Atlas' });
  const people = colleaguesSchema.parse(await (await queue.client.request('GET', '/api/people')).json());
  const userId = people.find(({ displayName }) => displayName === jonas.displayName)?.id;
  await openPage(jonas, '/my-alerts');
  await screen.findByText('Connected');
  await queue.client.request('POST', `/api/alerts/${id}/assign`, { userId });
  await findToast('Mara Lindqvist assigned an alert to you');
  expect(await findCard('Disk almost full')).toHaveTextContent('Assigned by Mara Lindqvist');
});

test('a queue is handed over with its folders, and taken back as it was', async () => {
  await queue.accept({ title: 'Disk almost full', customer: 'One', severity: 'critical' });
  await queue.setStatus(await queue.accept({ title: 'Deploy failed', customer: 'Two' }), 'in-progress');
  await queue.setStatus(await queue.accept({ title: 'Done with this', customer: 'Three' }), 'completed');
  const folder = await queue.folder('Urgent', { color: 'red' });
  await queue.file(await queue.accept({ title: 'Filed away', customer: 'Four' }), folder);
  const user = await openPage(mara, '/my-alerts');
  await screen.findByText('Connected');
  await user.click(await screen.findByRole('button', { name: 'Hand over' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Hand over my queue' }));
  expect(await dialog.findByText(/2 open alerts go to one person/)).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'To' }));
  await choosePerson(user, jonas.displayName);
  const to = dialog.getByRole('button', { name: 'To' });
  await waitFor(() => expect(to).toHaveFocus());
  expect(to).toHaveAccessibleDescription(`${jonas.displayName} 0 open Notified once, and can hand the alerts back.`);
  await user.click(dialog.getByRole('checkbox', { name: /Also the alerts in my folders/ }));
  expect(await findings()).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Hand over 3' }));
  await findToast(`3 handed over to ${jonas.displayName}`);
  expect(await screen.findByText('Nothing open')).toBeVisible();
  expect(await theirs.mine()).toHaveLength(3);

  await dialogGone();
  await user.keyboard('z');
  await expectCards('Two', 'One');
  await waitFor(async () => expect(await theirs.mine()).toHaveLength(0));
  // An alert is filed again after it is one's own.
  await waitFor(async () => expect((await queue.folders())[0]?.alertCount).toBe(1));

  // The same again, to the same person, by two keys from another page.
  await user.keyboard('gi');
  await screen.findByRole('heading', { name: 'New Alerts' });
  await user.keyboard('{Shift>}H{/Shift}');
  const again = within(await screen.findByRole('dialog', { name: 'Hand over my queue' }));
  await waitFor(() => expect(again.getByRole('button', { name: 'Hand over 2' })).toBeEnabled());
  expect(again.getByRole('button', { name: 'To' })).toHaveTextContent(jonas.displayName);
  await user.keyboard('{Enter}');
  await findToast(`2 handed over to ${jonas.displayName}`);
  await waitFor(async () => expect(await theirs.mine()).toHaveLength(2));
});

test('people who could not be read to hand over to are read again', async () => {
  await queue.accept({ title: 'Disk almost full' });
  const recover = intercept('GET', '/api/people', () => refusal(503, 'The database is away.'));
  const user = await openPage(mara, '/my-alerts');
  await user.click(await screen.findByRole('button', { name: 'Hand over' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Hand over my queue' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('The database is away.');
  expect(dialog.getByRole('button', { name: 'To' })).toHaveAccessibleDescription(/^Could not be loaded /);
  recover();
  await user.click(dialog.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(dialog.queryByRole('alert')).toBeNull());
  await user.click(dialog.getByRole('button', { name: 'To' }));
  await choosePerson(user, jonas.displayName);
  expect(dialog.getByRole('button', { name: 'Hand over 1' })).toBeEnabled();
});
