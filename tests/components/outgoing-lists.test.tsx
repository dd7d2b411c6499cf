import { screen, waitFor, within } from '@testing-library/dom';
import { uuidv7 } from 'uuidv7';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import { colleaguesSchema } from '#backend/contract/assignment.ts';
import { groupSchema } from '#backend/contract/ladder.ts';
import {
  type NewDestination,
  type OutgoingRuleChange,
  destinationListSchema,
  destinationWithSecretSchema,
  outgoingRuleSchema,
} from '#backend/contract/outgoing.ts';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { WEEK } from './support/calendar.ts';
import { deleteOutgoing } from './support/delete-outgoing.ts';
import {
  ADMINISTRATOR,
  appServer,
  findConnected,
  findRow,
  findToast,
  intercept,
  json,
  openPage,
  refusal,
} from './support/open-page.tsx';

let app: AppServer;
beforeEach(async () => {
  app = await appServer();
  await deleteOutgoing(app);
});

async function makeDestination(input: Partial<NewDestination>): Promise<string> {
  const body = { kind: 'webhook', name: 'Board', url: 'https://hooks.example.com/in', ...input };
  const made = await app.admin.request('POST', '/api/outgoing/destinations', body);
  const { id } = destinationWithSecretSchema.parse(await made.json()).destination;
  onTestFinished(async () => void (await app.admin.request('DELETE', `/api/outgoing/destinations/${id}`)));
  return id;
}

/** A rule, and how a colleague changes it on a page of theirs. */
async function makeRule(destinationId: string, search: string) {
  const body = { name: 'Nights', search, events: ['new'], destinationIds: [destinationId] };
  const made = await app.admin.request('POST', '/api/outgoing/rules', body);
  const path = `/api/outgoing/rules/${outgoingRuleSchema.parse(await made.json()).id}`;
  onTestFinished(async () => void (await app.admin.request('DELETE', path)));
  return {
    path,
    changeElsewhere: (change: OutgoingRuleChange) => app.admin.request('PATCH', path, change),
    stored: async () => outgoingRuleSchema.parse(await (await app.admin.request('GET', path)).json()),
  };
}

const names = () => screen.getAllByRole('link', { name: /^(?:Board|War room)/ }).map((link) => link.textContent);

test('a list is searched, filtered by health, and offers what can be done with each row', async () => {
  await makeDestination({});
  await makeDestination({ kind: 'discord', name: 'War room', url: 'https://discord.com/api/webhooks/1/x' });
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/destinations');
  const search = await screen.findByRole('searchbox', { name: 'Search destinations' });
  await screen.findByRole('link', { name: /^Destinations \d+$/ });
  await user.keyboard('/');
  expect(search).toHaveFocus();
  await user.keyboard('disc');
  await waitFor(() => expect(names()).toEqual(['War room']));
  expect(await screen.findByText(/^1 of \d+ shown$/)).toBeInTheDocument();
  await user.clear(search);
  await user.click(screen.getByRole('button', { name: /^Health/ }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Failing' }));
  expect(await screen.findByText('No destination is “Failing”')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Clear the search' }));
  await waitFor(() => expect(names()).toHaveLength(2));

  const choose = async (name: string, action: string): Promise<void> => {
    await user.click(screen.getByRole('button', { name: `Actions for ${name}` }));
    const menu = within(await screen.findByRole('menu', { name: `Actions for ${name}` }));
    await user.click(menu.getByRole('menuitem', { name: action }));
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  };
  await choose('Board', 'Pause');
  const toast = await findToast(/Destination paused/);
  expect(await screen.findByText('Paused')).toBeVisible();
  await user.click(within(toast).getByRole('button', { name: /Undo/ }));
  await waitFor(() => expect(screen.queryByText('Paused')).toBeNull());
  await choose('War room', 'Duplicate');
  expect(await screen.findByLabelText('Name')).toHaveValue('War room, copy');
  // Its address is a secret, which no copy has.
  expect(screen.getByText('Enter the webhook.')).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'Back to Destinations' }));
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Leave without saving?' })).getByRole('button', { name: 'Leave' }),
  );
  await screen.findByRole('button', { name: 'Actions for War room' });
  await choose('War room', 'Delete');
  const asked = within(await screen.findByRole('dialog', { name: 'Delete this destination?' }));
  await user.click(asked.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(names()).toEqual(['Board']));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('n');
  await screen.findByRole('button', { name: 'Create destination' });
});

test('a question about a destination stays when the destination leaves the list', async () => {
  const id = await makeDestination({});
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/destinations');
  await user.click(await screen.findByRole('button', { name: /^Health/ }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Never used' }));
  await user.click(await screen.findByRole('button', { name: 'Actions for Board' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const asked = await screen.findByRole('dialog', { name: 'Delete this destination?' });
  await findConnected();
  await app.admin.request('PATCH', `/api/outgoing/destinations/${id}`, { isPaused: true });
  expect(await screen.findByText('No destination is “Never used”')).toBeInTheDocument();
  expect(asked).toBeVisible();
  await user.click(within(asked).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Nothing goes out yet')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('what a colleague saves of a rule meanwhile is taken over, and asked about where both changed the same', async () => {
  const { path, changeElsewhere, stored } = await makeRule(await makeDestination({}), 'customer:Nobody');
  const user = await openPage(ADMINISTRATOR, `/admin${path.slice('/api'.length)}`);
  const name = await screen.findByLabelText('Name');
  await screen.findByText('Connected');
  await user.type(name, ' shift');
  await changeElsewhere({ search: 'customer:Somebody' });
  await waitFor(() => expect(screen.getByLabelText('Which alerts')).toHaveValue('customer:Somebody'));
  expect(name).toHaveValue('Nights shift');
  await changeElsewhere({ name: 'Evenings' });
  const notice = 'Someone else has saved the same settings in the meantime.';
  expect(await screen.findByText(notice)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Save rule' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(screen.queryByText(notice)).toBeNull();
  await user.click(name);
  await user.keyboard('{Control>}{Enter}{/Control}');
  await screen.findByRole('heading', { level: 1, name: 'Nights shift' });
  expect(await stored()).toMatchObject({ name: 'Nights shift', search: 'customer:Somebody' });

  await user.type(name, ' 2');
  await changeElsewhere({ name: 'Mornings' });
  await user.click(await screen.findByRole('button', { name: 'Show theirs' }));
  expect(name).toHaveValue('Mornings');
});

test('a rule shows what it would have sent, and the server says at a field what is wrong with it', async () => {
  const customer = `Preview ${crypto.randomUUID()}`;
  const destinationId = await makeDestination({});
  const { path } = await makeRule(destinationId, `customer:"${customer}"`);
  await app.post({ customer, title: 'Disk almost full' });
  await openPage(ADMINISTRATOR, `/admin${path.slice('/api'.length)}`);
  const week = within(await screen.findByRole('region', { name: 'The last 7 days' }));
  expect(await week.findByText('1 message')).toBeVisible();
  expect(week.getByText('1 message in 7 days')).toBeInTheDocument();
  expect(week.getByText('in the busiest hour').nextElementSibling).toHaveTextContent('1');

  const user = await openPage(ADMINISTRATOR, `/admin/outgoing/destinations/${destinationId}`);
  const address = await screen.findByLabelText('Address');
  await user.clear(address);
  await user.type(address, 'https://10.0.4.7/in');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(address).toHaveAttribute('aria-invalid', 'true'));
  expect(address).toHaveAccessibleDescription(/inside the network/);
});

test('the members of a group are those that there are, also when colleagues are added and disabled', async () => {
  const [ann, bea] = [
    await app.addMember(`Ann ${uuidv7().slice(-8)}`),
    await app.addMember(`Bea ${uuidv7().slice(-8)}`),
  ];
  const users = z
    .array(z.object({ id: z.string(), email: z.string() }))
    .parse(await (await app.admin.request('GET', '/api/auth/users')).json());
  const idOf = ({ email }: Person): string => users.find((one) => one.email === email)?.id ?? '';
  const made = await app.admin.request('POST', '/api/outgoing/groups', {
    name: 'Night',
    memberIds: [idOf(ann), idOf(bea)],
  });
  const { id } = groupSchema.parse(await made.json());
  const user = await openPage(ADMINISTRATOR, `/admin/outgoing/groups/${id}`);
  expect(await screen.findByRole('checkbox', { name: ann.displayName })).toBeChecked();
  const cleo = await app.addMember(`Cleo ${uuidv7().slice(-8)}`);
  await user.click(screen.getByRole('link', { name: 'Back to Groups' }));
  await user.click(await screen.findByRole('link', { name: 'Night' }));
  expect(await screen.findByRole('checkbox', { name: cleo.displayName })).not.toBeChecked();

  await findConnected();
  expect((await app.admin.request('PATCH', `/api/auth/users/${idOf(ann)}/toggle-active`, { active: false })).ok).toBe(
    true,
  );
  expect(await screen.findByRole('checkbox', { name: `${ann.displayName} (disabled)` })).toBeChecked();
  expect(screen.getAllByRole('checkbox', { name: new RegExp(`^${ann.displayName}`) })).toHaveLength(1);
});

test('saving a rule says that ladders that run keep their steps', async () => {
  const { path, changeElsewhere } = await makeRule(await makeDestination({}), 'customer:Nobody');
  const ladder = {
    steps: [{ afterMinutes: 0, recipients: [{ kind: 'online' as const }] }],
    repeat: 0,
    isUrgent: false,
  };
  expect((await changeElsewhere({ ladder })).ok).toBe(true);
  const user = await openPage(ADMINISTRATOR, `/admin${path.slice('/api'.length)}`);
  expect(await screen.findByText(/never for alerts that they muted, nor for who chose “Nothing”\.$/)).toBeVisible();
  await user.type(screen.getByLabelText('Name'), ' shift');
  await user.click(screen.getByRole('button', { name: 'Save rule' }));
  expect(await findToast('Rule saved')).toHaveTextContent(
    'Ladders that run go on with the steps that they began with.',
  );
});

test('the members of a group are found by name', async () => {
  // An attempt before may have left its own.
  const group = `Group${crypto.randomUUID()}`;
  const made = await Promise.all(
    ['Uma', 'Vera', 'Wim', 'Xaver', 'Yann', 'Zita', 'Quentin', 'Rosa'].map((name) => app.addMember(`${name} ${group}`)),
  );
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/groups/new');
  await user.type(await screen.findByRole('searchbox', { name: 'Find members' }), `rosa ${group.toLowerCase()}`);
  const [found, ...others] = screen.getAllByRole('checkbox', { name: new RegExp(` ${group}$`) });
  expect(others).toEqual([]);
  expect(found).toHaveAccessibleName(made.at(-1)?.displayName);
  await user.type(screen.getByRole('searchbox'), ' nowhere');
  expect(screen.getByText('No members found')).toBeVisible();
});

test('the question before a phone gateway is deleted says how many phones of members are reached through it', async () => {
  await makeDestination({ kind: 'phone', room: '+49301234567', method: 'POST', template: '{{number}}' });
  intercept('GET', '/api/outgoing/destinations', async (_call, go) => {
    const list = destinationListSchema.parse(await (await go()).json());
    return json({ ...list, destinations: list.destinations.map((one) => Object.assign(one, { phones: 2 })) });
  });
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/destinations');
  await user.click(await screen.findByRole('button', { name: 'Actions for Board' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const asked = await screen.findByRole('dialog', { name: 'Delete this destination?' });
  expect(asked).toHaveTextContent('2 phones of members are reached through it, and get nothing any more.');
});

test('a rule whose destination was deleted is off, and can be given another name', async () => {
  const destinationId = await makeDestination({});
  const { path, stored } = await makeRule(destinationId, 'customer:Nobody');
  await app.admin.request('DELETE', `/api/outgoing/destinations/${destinationId}`);
  const user = await openPage(ADMINISTRATOR, `/admin${path.slice('/api'.length)}`);
  await user.type(await screen.findByLabelText('Name'), ' shift');
  expect(screen.getByLabelText('Off')).not.toBeChecked();
  await user.click(screen.getByRole('button', { name: 'Save rule' }));
  await screen.findByRole('heading', { level: 1, name: 'Nights shift' });
  expect(await stored()).toMatchObject({ name: 'Nights shift', isOn: false });
});

test('rules are listed once it is known where they lead', async () => {
  await makeRule(await makeDestination({}), 'customer:Nobody');
  const restore = intercept('GET', '/api/outgoing/destinations', () => refusal(503, 'The database is away.'));
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/rules');
  expect(await screen.findByText('Rules could not be loaded')).toBeVisible();
  restore();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await findRow('Rules', 'Nights')).toHaveTextContent('Board');
});

test.each(['groups', 'calendars', 'members'])('a rule waits for its %s, and calls nobody unavailable', async (what) => {
  const make = async (kind: string, body: object) => {
    const made = await app.admin.request('POST', `/api/outgoing/${kind}`, body);
    return z.object({ id: z.string() }).parse(await made.json()).id;
  };
  const ann = await app.addMember(`Ann ${uuidv7().slice(-8)}`);
  const people = colleaguesSchema.parse(await (await app.admin.request('GET', '/api/people')).json());
  const memberId = people.find(({ displayName }) => displayName === ann.displayName)?.id ?? '';
  const groupId = await make('groups', { name: 'Night', memberIds: [memberId] });
  const calendarId = await make('calendars', { name: 'Week', content: WEEK });
  const { path, changeElsewhere } = await makeRule(await makeDestination({}), 'customer:Nobody');
  const recipients = [
    { kind: 'member' as const, id: memberId },
    { kind: 'group' as const, id: groupId },
    { kind: 'calendar' as const, id: calendarId },
  ];
  const ladder = { steps: [{ afterMinutes: 0, recipients }], repeat: 0, isUrgent: false };
  expect((await changeElsewhere({ ladder })).ok).toBe(true);
  const refused = what === 'members' ? '/api/people' : `/api/outgoing/${what}`;
  const restore = intercept('GET', refused, () => refusal(503, 'The database is away.'));
  const user = await openPage(ADMINISTRATOR, `/admin${path.slice('/api'.length)}`);
  expect(await screen.findByText('The rule could not be loaded')).toBeVisible();
  restore();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('listitem', { name: /^Step 1/ })).toHaveTextContent(
    new RegExp(`${ann.displayName}.*Group Night.*On now: Week`),
  );
  expect(screen.queryByText('Unavailable recipient')).toBeNull();
});
