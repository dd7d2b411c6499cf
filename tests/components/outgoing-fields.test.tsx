import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { calendarSchema, groupSchema } from '#backend/contract/ladder.ts';
import {
  destinationListSchema,
  destinationWithSecretSchema,
  outgoingRuleListSchema,
  outgoingRuleSchema,
} from '#backend/contract/outgoing.ts';
import { WEEK } from './support/calendar.ts';
import { deleteOutgoing } from './support/delete-outgoing.ts';
import { ADMINISTRATOR, appServer, findConnected, openPage } from './support/open-page.tsx';

beforeEach(async () => deleteOutgoing(await appServer()));
afterAll(async () => deleteOutgoing(await appServer()));

test('the name of a customer of a destination may have a comma, and several are pasted as lines', async () => {
  const { admin } = await appServer();
  const body = { kind: 'webhook', name: 'Board', url: 'https://hooks.example.com/in' };
  await admin.request('POST', '/api/outgoing/destinations', body);
  const stored = async () => {
    const answer = await admin.request('GET', '/api/outgoing/destinations');
    return destinationListSchema.parse(await answer.json()).destinations[0];
  };
  const user = await openPage(ADMINISTRATOR, `/admin/outgoing/destinations/${(await stored())?.id}`);
  const customers = await screen.findByLabelText('Customers');
  await user.type(customers, 'Acme, Inc.{Enter}');
  fireEvent.paste(customers, { clipboardData: { getData: () => 'Nordwind\nKestrel, Ltd.' } });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(async () => expect((await stored())?.customers).toEqual(['Acme, Inc.', 'Nordwind', 'Kestrel, Ltd.']));
});

test('a copy of what has a long name says that it is one, after whole characters', async () => {
  const { admin } = await appServer();
  const body = { name: `${'x'.repeat(93)}🔥${'y'.repeat(5)}`, memberIds: [] };
  const { id } = groupSchema.parse(await (await admin.request('POST', '/api/outgoing/groups', body)).json());
  await openPage(ADMINISTRATOR, `/admin/outgoing/groups/new?copy=${id}`);
  expect(await screen.findByLabelText('Name')).toHaveValue(`${'x'.repeat(93)}, copy`);
});

test('the file of a calendar can be chosen again, such as once it was corrected', async () => {
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/calendars/new');
  const input = await screen.findByLabelText(/Or a file/);
  const week = new File(['BEGIN:VCALENDAR'], 'week.ics', { type: 'text/calendar' });
  await user.upload(input, week);
  expect(await screen.findByText('week.ics')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByText('week.ics')).toBeNull());
  await user.upload(input, week);
  expect(await screen.findByText('week.ics')).toBeVisible();
});

test('that the file of a calendar is too large is said until another one is chosen', async () => {
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/calendars/new');
  const input = await screen.findByLabelText(/Or a file/);
  const tooLarge = 'The file is larger than 2 MB.';
  await user.upload(input, new File(['A'.repeat(2_100_000)], 'years.ics', { type: 'text/calendar' }));
  expect(await screen.findByText(tooLarge)).toBeVisible();
  await user.upload(input, new File(['BEGIN:VCALENDAR'], 'week.ics', { type: 'text/calendar' }));
  expect(await screen.findByText('week.ics')).toBeVisible();
  expect(screen.queryByText(tooLarge)).toBeNull();
});

const NOTICE = 'Someone else has saved the same settings in the meantime.';

test('a secret address that a colleague has replaced meanwhile is not saved over without asking', async () => {
  const { admin } = await appServer();
  const path = '/api/outgoing/destinations';
  const body = {
    kind: 'discord',
    name: 'War room',
    url: 'https://discord.com/api/webhooks/1/first',
    customers: ['Acme'],
  };
  const made = await admin.request('POST', path, body);
  const { id } = destinationWithSecretSchema.parse(await made.json()).destination;
  const change = (values: object) => admin.request('PATCH', `${path}/${id}`, values);
  const user = await openPage(ADMINISTRATOR, `/admin/outgoing/destinations/${id}`);
  await user.type(await screen.findByLabelText('Webhook'), 'https://discord.com/api/webhooks/1/mine');
  await findConnected();
  // Another field alone is taken over.
  await change({ name: 'War room 2' });
  await screen.findByRole('heading', { level: 1, name: 'War room 2' });
  expect(screen.queryByText(NOTICE)).toBeNull();
  await change({ url: 'https://discord.com/api/webhooks/1/theirs' });
  expect(await screen.findByText(NOTICE)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Show theirs' }));
  expect(screen.getByLabelText('Webhook')).toHaveValue('');
  expect(screen.getByLabelText('Webhook')).toHaveAttribute('placeholder', 'Kept, ends with eirs');
});

test('the file of a calendar that a colleague has replaced meanwhile is not saved over without asking', async () => {
  const { admin } = await appServer();
  const path = '/api/outgoing/calendars';
  const made = await admin.request('POST', path, { name: 'Week', content: WEEK });
  const { id } = calendarSchema.parse(await made.json());
  const user = await openPage(ADMINISTRATOR, `/admin/outgoing/calendars/${id}`);
  await user.type(await screen.findByLabelText('iCalendar address'), 'https://calendar.example.com/week.ics');
  await findConnected();
  expect((await admin.request('PATCH', `${path}/${id}`, { content: WEEK })).ok).toBe(true);
  expect(await screen.findByText(NOTICE)).toBeVisible();
});

test('the question before a destination is deleted names the rules that send to it, also by their ladders', async () => {
  const { admin } = await appServer();
  const destination = { kind: 'webhook', name: 'Board', url: 'https://hooks.example.com/in' };
  const made = await admin.request('POST', '/api/outgoing/destinations', destination);
  const { id } = destinationWithSecretSchema.parse(await made.json()).destination;
  const makeRule = async (name: string, where: object) => {
    const rule = { name, search: 'customer:Nobody', events: ['new'], ...where };
    expect((await admin.request('POST', '/api/outgoing/rules', rule)).status).toBe(201);
  };
  await makeRule('Nights', { destinationIds: [id] });
  const user = await openPage(ADMINISTRATOR, `/admin/outgoing/destinations/${id}`);
  await user.click(await screen.findByRole('button', { name: 'Delete…' }));
  expect(await screen.findByRole('dialog', { name: 'Delete this destination?' })).toHaveTextContent(
    'The rule “Nights” sends to it, and is turned off if it leads nowhere else.',
  );
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  const steps = [{ afterMinutes: 0, recipients: [{ kind: 'destination', id }] }];
  await makeRule('Days', { destinationIds: [], ladder: { steps, repeat: 0, isUrgent: false } });
  const again = await openPage(ADMINISTRATOR, '/admin/outgoing/destinations');
  await again.click(await screen.findByRole('button', { name: 'Actions for Board' }));
  await again.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  expect(await screen.findByRole('dialog', { name: 'Delete this destination?' })).toHaveTextContent(
    '2 rules send to it, and are turned off if they lead nowhere else: “Days”, “Nights”.',
  );
});

test('what was wrong with a destination is shown no more once its field is changed, or all is discarded', async () => {
  const { admin } = await appServer();
  const url = 'https://hooks.example.com/in';
  const make = (name: string) => admin.request('POST', '/api/outgoing/destinations', { kind: 'webhook', name, url });
  await make('Board');
  const { id } = destinationWithSecretSchema.parse(await (await make('War room')).json()).destination;
  const user = await openPage(ADMINISTRATOR, `/admin/outgoing/destinations/${id}`);
  const address = await screen.findByLabelText('Address');
  await user.clear(address);
  await user.type(address, 'http://');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const fault = /must be an address that begins with https/;
  const settings = within(screen.getByRole('region', { name: 'Settings' }));
  expect(await settings.findByText(fault)).toBeVisible();
  await user.type(address, 'hooks.example.com/out');
  expect(settings.queryByText(fault)).toBeNull();
  const name = settings.getByLabelText('Name');
  await user.clear(name);
  await user.type(name, 'Board');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const taken = 'Another destination has this name. Choose another one.';
  expect(await settings.findByText(taken)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(name).toHaveValue('War room');
  expect(settings.queryByText(taken)).toBeNull();
});

test('a rule is saved without a destination that a colleague deletes while it is written', async () => {
  const { admin } = await appServer();
  const url = 'https://hooks.example.com/in';
  const make = async (name: string) => {
    const made = await admin.request('POST', '/api/outgoing/destinations', { kind: 'webhook', name, url });
    return destinationWithSecretSchema.parse(await made.json()).destination.id;
  };
  const [gone, kept] = [await make('Board'), await make('War room')];
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/rules/new');
  await user.type(await screen.findByLabelText('Name'), 'Nights');
  await findConnected();
  await user.click(screen.getByRole('checkbox', { name: /Board/ }));
  expect((await admin.request('DELETE', `/api/outgoing/destinations/${gone}`)).ok).toBe(true);
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: /Board/ })).toBeNull());
  // It leads nowhere now, and says so.
  expect(screen.getByRole('button', { name: 'Save rule' })).toBeDisabled();
  await user.click(screen.getByRole('checkbox', { name: /War room/ }));
  await user.click(screen.getByRole('button', { name: 'Save rule' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Nights' })).toBeVisible();
  const rules = outgoingRuleListSchema.parse(await (await admin.request('GET', '/api/outgoing/rules')).json());
  expect(rules.map(({ destinationIds }) => destinationIds)).toEqual([[kept]]);
});

test('what a colleague deletes while this page asks whether to delete it is deleted here, too', async () => {
  const { admin } = await appServer();
  const hook = { kind: 'webhook', name: 'Board', url: 'https://hooks.example.com/in' };
  const made = destinationWithSecretSchema.parse(
    await (await admin.request('POST', '/api/outgoing/destinations', hook)).json(),
  );
  const rule = { name: 'Nights', search: 'customer:Nobody', events: ['new'], destinationIds: [made.destination.id] };
  const { id } = outgoingRuleSchema.parse(await (await admin.request('POST', '/api/outgoing/rules', rule)).json());
  const { id: groupId } = groupSchema.parse(
    await (await admin.request('POST', '/api/outgoing/groups', { name: 'Pager', memberIds: [] })).json(),
  );
  const { id: calendarId } = calendarSchema.parse(
    await (await admin.request('POST', '/api/outgoing/calendars', { name: 'Week', content: WEEK })).json(),
  );
  for (const [list, name, one] of [
    ['rules', 'Nights', id],
    ['destinations', 'Board', made.destination.id],
    ['groups', 'Pager', groupId],
    ['calendars', 'Week', calendarId],
  ]) {
    const user = await openPage(ADMINISTRATOR, `/admin/outgoing/${list}`);
    await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog');
    expect((await admin.request('DELETE', `/api/outgoing/${list}/${one}`)).ok).toBe(true);
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByRole('button', { name: `Actions for ${name}` })).toBeNull();
  }
});
