import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { deleteOutgoing } from './support/delete-outgoing.ts';
import { ADMINISTRATOR, appServer, findConnected, openPage } from './support/open-page.tsx';

let app: AppServer;
beforeEach(async () => {
  app = await appServer();
  await deleteOutgoing(app);
});

const idSchema = z.object({ id: z.string() });
const madeSchema = z.union([idSchema, z.object({ destination: idSchema })]);

/** Makes one, which is deleted with the test, and resolves to its path. */
async function make(path: string, body: object): Promise<string> {
  const made = madeSchema.parse(await (await app.admin.request('POST', path, body)).json());
  const one = `${path}/${'id' in made ? made.id : made.destination.id}`;
  onTestFinished(async () => void (await app.admin.request('DELETE', one)));
  return one;
}

const save = (name: string) => screen.getByRole('button', { name });

test('a rule whose destination is taken out and put back is as it is stored', async () => {
  const url = 'https://discord.com/api/webhooks/1/x';
  const ids = [];
  for (const name of ['Alpha room', 'Beta room'])
    ids.push(
      (await make('/api/outgoing/destinations', { kind: 'discord', name, url, isPaused: true })).split('/').at(-1),
    );
  const rule = { name: 'Disks', search: 'type:disk', events: ['new'], destinationIds: ids, ladder: null };
  const path = await make('/api/outgoing/rules', rule);
  const user = await openPage(ADMINISTRATOR, `/admin${path.slice('/api'.length)}`);
  for (const name of [/^Alpha room/, /^Beta room/]) {
    const box = await screen.findByRole('checkbox', { name });
    await user.click(box);
    expect(save('Save rule')).toBeEnabled();
    await user.click(box);
    expect(save('Save rule')).toBeDisabled();
  }
});

test('a destination whose customer is taken out and put back is as it is stored', async () => {
  const customers = ['Alpha Freight', 'Beta Foods'];
  const url = 'https://discord.com/api/webhooks/1/x';
  const path = await make('/api/outgoing/destinations', {
    kind: 'discord',
    name: 'Operations',
    url,
    customers,
    isPaused: true,
  });
  const user = await openPage(ADMINISTRATOR, `/admin${path.slice('/api'.length)}`);
  const [first] = await screen.findAllByRole('button', { name: /^Remove/ });
  await user.click(first as HTMLElement);
  expect(save('Save')).toBeEnabled();
  await user.type(screen.getByRole('textbox', { name: /^Customers/ }), 'Alpha Freight{Enter}');
  expect(save('Save')).toBeDisabled();
});

test('a calendar whose name and address are written back is as it is stored', async () => {
  const content = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n';
  const path = await make('/api/outgoing/calendars', { name: `Nights ${crypto.randomUUID()}`, content });
  const user = await openPage(ADMINISTRATOR, `/admin${path.slice('/api'.length)}`);
  await user.type(await screen.findByLabelText('Name'), ' ');
  await user.type(screen.getByLabelText('iCalendar address'), ' ');
  expect(save('Save calendar')).toBeDisabled();
  await user.type(screen.getByLabelText('Name'), '2');
  expect(save('Save calendar')).toBeEnabled();
});

test('a window whose times are written back is as it is stored, and is left without a question', async () => {
  const times = { startsAt: '2099-01-05T02:00:00Z', minutes: 60, timeZone: 'UTC', rrule: 'FREQ=DAILY' };
  const path = await make('/api/maintenance/windows', {
    name: `Upgrade ${crypto.randomUUID()}`,
    search: 'type:disk',
    ...times,
  });
  const user = await openPage(ADMINISTRATOR, `/maintenance/${path.split('/').at(-1)}`);
  const name = await screen.findByLabelText('Name');
  await user.type(name, ' ');
  await user.selectOptions(screen.getByRole('combobox', { name: /^Ends/ }), 'after');
  await user.type(screen.getByLabelText('How often'), '2');
  expect(save('Save window')).toBeEnabled();
  await user.selectOptions(screen.getByRole('combobox', { name: /^Ends/ }), 'never');
  expect(save('Save window')).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(window.location.pathname).toBe('/maintenance'));
});

test('a draft of what a colleague deletes that is written back can be saved, and is not left without a question', async () => {
  const name = `Nights ${crypto.randomUUID()}`;
  const path = await make('/api/outgoing/groups', { name, memberIds: [] });
  const user = await openPage(ADMINISTRATOR, `/admin${path.slice('/api'.length)}`);
  const field = await screen.findByLabelText('Name');
  await findConnected();
  await user.type(field, '2');
  await app.admin.request('DELETE', path);
  await screen.findByRole('alert');
  await user.type(field, '{Backspace}');
  expect(save('Save group')).toBeEnabled();
  await user.click(screen.getByRole('link', { name: 'Back to Groups' }));
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Leave without saving?' })).getByRole('button', { name: 'Leave' }),
  );
  await waitFor(() => expect(window.location.pathname).toBe('/admin/outgoing/groups'));
});
