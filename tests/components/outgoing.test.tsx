import { screen, waitFor, within } from '@testing-library/dom';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { choosePersonBy } from './support/choose-person.ts';
import { deleteOutgoing } from './support/delete-outgoing.ts';
import { ADMINISTRATOR, appServer, findDialog, findToast, intercept, json, openPage } from './support/open-page.tsx';

beforeEach(async () => deleteOutgoing(await appServer()));
afterAll(async () => deleteOutgoing(await appServer()));

/** Nothing answers at this port of this machine, and messages may not go there. */
const INSIDE = 'https://10.0.4.7/in';

test('an alert says that no message about it went out, and why', async () => {
  const app = await appServer();
  const id = await app.post({ customer: 'Not sent anywhere' });
  const user = await openPage(ADMINISTRATOR, `/alert/${id}`);
  await user.click(await screen.findByRole('tab', { name: /Notified/ }));
  // Members are notified without a rule: it does not say that nobody was.
  expect(await screen.findByText('No message went to a destination')).toBeVisible();
  expect(screen.getByText('No rule sends alerts anywhere. Members are notified as each has chosen.')).toBeVisible();
});

test('each kind of destination asks for its own fields', async () => {
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/destinations/new');
  const kind = await screen.findByLabelText('Kind');
  await user.type(screen.getByLabelText('Name'), 'On call');
  await user.selectOptions(kind, 'Telegram');
  expect(screen.getByLabelText('Server')).toHaveValue('https://api.telegram.org');
  expect(screen.getByText('Enter the bot token.')).toBeVisible();
  await user.type(screen.getByLabelText('Bot token'), '123456789:AAE');
  expect(screen.getByText('Enter the chat id.')).toBeVisible();
  await user.type(screen.getByLabelText('Chat id'), 'Ops');
  expect((await screen.findAllByText(/The chat id is a number, which begins/)).length).toBeGreaterThan(0);
  await user.selectOptions(kind, 'Slack app, with buttons');
  expect(screen.getByLabelText('Web API')).toHaveValue('https://slack.com/api');
  await user.type(screen.getByLabelText('App-level token'), 'xapp-1');
  expect(screen.getByLabelText('Signing secret')).toBeVisible();
  await user.selectOptions(kind, 'Mattermost bot, with buttons');
  expect(screen.queryByLabelText('App-level token')).toBeNull();
  await user.selectOptions(kind, 'Zulip');
  expect(screen.getByLabelText('Server')).toHaveValue('');
  expect(screen.getByLabelText('Bot’s email')).toBeVisible();
  expect(screen.getByLabelText('API key')).toBeVisible();
  await user.selectOptions(kind, 'Microsoft Teams');
  await user.type(screen.getByLabelText('Workflow address'), 'https://prod-1.westus.logic.azure.com/workflows/1?sig=1');
  await user.click(screen.getByRole('button', { name: 'Create destination' }));
  const question = within(await screen.findByRole('dialog', { name: 'Send alerts of every customer?' }));
  await user.click(question.getByRole('button', { name: 'Save for all customers' }));
  await screen.findByRole('heading', { level: 1, name: 'On call' });
  expect(screen.getByLabelText('Workflow address')).toHaveAttribute('placeholder', 'Kept, ends with ig=1');
  await user.click(screen.getByRole('button', { name: 'Delete…' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Delete this destination?' }));
  await user.click(asked.getByRole('button', { name: /Delete/ }));
  await screen.findByText('Nothing goes out yet');
});

test('an error in a template of a ticket stands at its field, and the preview keeps its last good state', async () => {
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/destinations/new');
  await user.selectOptions(await screen.findByLabelText('Kind'), 'GitHub issues');
  expect(screen.getByLabelText('API')).toHaveValue('https://api.github.com');
  await user.type(screen.getByLabelText('Name'), 'Issues');
  await user.type(screen.getByLabelText('Token'), 'github_pat_1');
  await user.type(screen.getByLabelText('Repository'), 'acme/ops');
  const summary = screen.getByLabelText('Summary');
  expect(summary).toHaveValue('{{title}}');
  await user.clear(summary);
  // Braces are keys of their own where they are typed.
  await user.type(summary, 'Now: {{{{title}}');
  const seen = await screen.findByText(/^Test: Now: /);
  await user.type(summary, ' {{{{hots}}');
  await screen.findByText(/^Line 1, character \d+: There is no value hots\./);
  expect(seen).toBeVisible();
  expect(screen.getByLabelText('Complete the alert when the ticket is closed')).toBeChecked();
});

test('a destination is tried with the alert that is chosen', async () => {
  const app = await appServer();
  const host = crypto.randomUUID();
  const wanted = await app.post({ title: `Disk full on ${host}`, customer: 'Nordwind', severity: 'critical' });
  // Enough for a choice with a filter.
  for (let count = 1; count <= 8; count += 1) await app.post({ title: `Queue ${count} grows`, customer: 'Kestrel' });
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/destinations/new');
  await user.type(await screen.findByLabelText('Name'), 'Status page');
  await user.type(screen.getByLabelText('Address'), 'https://hooks.example.com/in');
  expect(await screen.findByText(/^Drawn from the newest alert/)).toBeVisible();
  expect(screen.getAllByText(/Queue 8 grows/)[0]).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Test with: Newest alert' }));
  const search = await screen.findByLabelText('Search alerts');
  await user.type(search, `nordwind ${host}`);
  const found = within(screen.getByRole('listbox', { name: 'Alert to test with' }));
  await waitFor(() => expect(found.getAllByRole('option')).toHaveLength(1));
  expect(search).toHaveFocus();
  await user.click(found.getByText(`Disk full on ${host}`));
  expect(await screen.findByText('Drawn from the alert that you chose.')).toBeVisible();
  expect(screen.getByLabelText('What is sent')).toHaveTextContent(wanted);
  expect(screen.getByRole('button', { name: `Test with: Disk full on ${host}` })).toBeVisible();
});

test('the result of a test stands while the destination is as it was tried', async () => {
  const message = 'Delivered in 5 ms';
  intercept('POST', '/api/outgoing/test', () => json({ isDelivered: true, durationMs: 5, message }));
  const app = await appServer();
  const body = { kind: 'webhook', name: 'Status page', url: 'https://hooks.example.com/in' };
  const made = await app.admin.request('POST', '/api/outgoing/destinations', body);
  const { destination } = (await made.json()) as { destination: { id: string } };
  const user = await openPage(ADMINISTRATOR, `/admin/outgoing/destinations/${destination.id}`);
  await user.click(await screen.findByRole('button', { name: 'Send test message' }));
  expect(await screen.findByText(message)).toBeVisible();
  const address = screen.getByLabelText('Address');
  await user.type(address, '2');
  expect(screen.queryByText(message)).toBeNull();
  await user.type(address, '{Backspace}');
  expect(screen.getByText(message)).toBeVisible();
  const event = screen.getByLabelText('What happens to the alert');
  await user.selectOptions(event, 'Completed');
  expect(screen.queryByText(message)).toBeNull();
  await user.selectOptions(event, 'New');
  expect(screen.getByText(message)).toBeVisible();
  // What was saved since is another destination.
  await user.type(address, '2');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await findToast('Destination saved');
  expect(address).toHaveValue('https://hooks.example.com/in2');
  expect(screen.queryByText(message)).toBeNull();
});

test('a destination and a rule are made, and leaving with changes asks', async () => {
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing');
  await waitFor(() => expect(location.pathname).toBe('/admin/outgoing/destinations'));
  await screen.findByText('Nothing goes out yet');
  await user.click(screen.getByRole('button', { name: 'New destination' }));
  const create = await screen.findByRole('button', { name: 'Create destination' });
  expect(create).toBeDisabled();
  await user.type(screen.getByLabelText('Name'), 'Status page');
  await user.type(screen.getByLabelText('Address'), INSIDE);
  await user.click(create);
  expect((await screen.findAllByText(/inside the network\. The operator has to allow/)).length).toBeGreaterThan(0);
  await user.clear(screen.getByLabelText('Address'));
  await user.type(screen.getByLabelText('Address'), 'https://hooks.example.com/in');
  await screen.findByText('What people see');
  await user.click(create);
  const dialog = within(await screen.findByRole('dialog', { name: 'Signing secret' }));
  await user.click(dialog.getByRole('button', { name: 'Copy signing secret' }));
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await screen.findByRole('heading', { level: 1, name: 'Status page' });

  await user.click(screen.getByRole('link', { name: 'Back to Destinations' }));
  await user.click(await screen.findByRole('link', { name: /^Rules/ }));
  await user.click(await screen.findByRole('button', { name: 'New rule' }));
  const save = await screen.findByRole('button', { name: 'Save rule' });
  await user.type(screen.getByLabelText('Name'), 'Everything');
  expect(save).toBeDisabled();
  expect(screen.getByText('Choose where it sends, or whom it notifies step by step.')).toBeVisible();
  await user.click(screen.getByRole('checkbox', { name: /Status page/ }));
  const search = screen.getByLabelText('Which alerts');
  await screen.findByText(/All alerts, .* in 7 days/, { ignore: 'output' });
  const isAnswered = Promise.withResolvers<void>();
  intercept('GET', '/api/alerts/all', async ({ url }, go) => {
    const answer = await go();
    // Drawn a moment later.
    if (url.searchParams.get('search')?.startsWith('severity:wo')) setTimeout(isAnswered.resolve, 100);
    return answer;
  });
  await user.type(search, 'severity:wo');
  await isAnswered.promise;
  expect(screen.queryByText(/severity: takes critical/)).toBeNull();
  await user.type(search, ' ');
  await screen.findByText(/severity: takes critical/);
  expect(screen.getByText(/\d in 7 days/, { ignore: 'output' })).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'Back to Rules' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  await user.click(asked.getByRole('button', { name: 'Stay' }));
  await user.clear(screen.getByLabelText('Which alerts'));
  await screen.findByText(/All alerts, .* in 7 days/, { ignore: 'output' });
  await user.click(save);
  await screen.findByRole('heading', { level: 1, name: 'Everything' });
});

const CALENDAR = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//test//EN',
  'BEGIN:VEVENT',
  'UID:1@test',
  'DTSTAMP:20260101T000000Z',
  'DTSTART:20200101T000000Z',
  'DURATION:P1D',
  'RRULE:FREQ=DAILY',
  'SUMMARY:Nobody We Know',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

test('a group and a calendar are made, and a rule notifies them step by step; the open alert says what happens next', async () => {
  const app = await appServer();
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/groups');
  await screen.findByText('No groups yet');
  await user.click(screen.getByRole('button', { name: 'New group' }));
  await user.type(await screen.findByLabelText('Name'), 'Night');
  const [firstMember] = screen.getAllByRole('checkbox');
  await user.click(firstMember as HTMLElement);
  await user.click(screen.getByRole('button', { name: 'Save group' }));
  await screen.findByRole('heading', { level: 1, name: 'Night' });

  await user.click(screen.getByRole('link', { name: 'Back to Groups' }));
  await user.click(await screen.findByRole('link', { name: /^Calendars/ }));
  await screen.findByText('No calendars yet');
  await user.click(screen.getByRole('button', { name: 'New calendar' }));
  await user.type(await screen.findByLabelText('Name'), 'Week');
  expect(screen.getByText('Enter the address of the calendar, or choose a file.')).toBeVisible();
  await user.upload(screen.getByLabelText(/Or a file/), new File([CALENDAR], 'week.ics', { type: 'text/calendar' }));
  await screen.findByText('week.ics');
  await user.click(screen.getByRole('button', { name: 'Save calendar' }));
  expect(await screen.findByText('No member is called Nobody We Know.')).toBeVisible();

  await user.click(screen.getByRole('link', { name: 'Back to Calendars' }));
  await user.click(await screen.findByRole('link', { name: /^Rules/ }));
  await user.click(await screen.findByRole('button', { name: 'New rule' }));
  await user.type(await screen.findByLabelText('Name'), 'Nights');
  await user.type(screen.getByLabelText('Which alerts'), 'customer:Ladder');
  await user.click(screen.getByRole('checkbox', { name: 'Notify people step by step' }));
  await user.click(screen.getByRole('button', { name: 'Add a step' }));
  const when = screen.getByLabelText('When step 2 comes');
  await user.selectOptions(when, '1440');
  // Its row is the same, with the focus, and no step comes after a day.
  expect(screen.getByLabelText('When step 2 comes')).toBe(when);
  expect(screen.getByRole('button', { name: 'Add a step' })).toBeDisabled();
  await user.selectOptions(when, '5');
  expect(screen.getByRole('button', { name: 'Save rule' })).toBeDisabled();
  expect(screen.getByText('Choose whom each step notifies.', { selector: '[class*=missing]' })).toBeVisible();
  await choosePersonBy(user, 'Choose whom… Whom else step 2 notifies', 'Group Night');
  await choosePersonBy(user, 'and… Whom else step 2 notifies', 'On now: Week');
  const dryRun = within(screen.getByRole('region', { name: 'If an alert came now' }));
  expect(await dryRun.findByText('Nobody is on by Week.')).toBeVisible();
  expect(dryRun.getByText('Step 2: Night, Week')).toBeVisible();
  expect(dryRun.getByText('Not taken: Every administrator')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Save rule' }));
  await screen.findByRole('heading', { level: 1, name: 'Nights' });

  const id = await app.post({ customer: 'Ladder', title: 'Disk almost full' });
  const reader = await openPage(ADMINISTRATOR, `/alert/${id}`);
  await reader.click(await screen.findByRole('tab', { name: /Notified/ }));
  const next = within(await screen.findByRole('region', { name: 'What happens next' }));
  expect(await next.findByRole('listitem', { name: 'Step 1, done' })).toBeVisible();
  expect(next.getByRole('listitem', { name: 'Step 2, next' })).toHaveTextContent('Night, Week');
  const sent: string[] = [];
  intercept('POST', /\/(?:skip|stop)$/, ({ url }, go) => (sent.push(url.pathname.split('/').at(-1) ?? ''), go()));
  const skip = next.getByRole('button', { name: 'Notify step 2 now' });
  const stop = next.getByRole('button', { name: 'Stop' });
  // What was meant otherwise is taken back before anything is sent. The time of a Stop goes on under the pointer, so the clock stops.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await reader.click(stop);
  await screen.findByText('Stopping the ladder');
  // Neither loses the focus, and neither does anything more.
  expect(stop).toHaveFocus();
  expect(stop).toBeEnabled();
  for (const button of [stop, skip]) expect(button).toHaveAttribute('aria-disabled', 'true');
  await reader.click(skip);
  await reader.keyboard('z');
  vi.setTimerTickMode('interval');
  await waitFor(() => expect(stop).not.toHaveAttribute('aria-disabled'));
  await reader.click(skip);
  await findToast('Notifying step 2');
  await reader.keyboard('z');
  await waitFor(() => expect(skip).not.toHaveAttribute('aria-disabled'));
  await reader.click(skip);
  expect(await next.findByRole('listitem', { name: 'Step 2, done' })).toBeVisible();
  expect(sent).toEqual(['skip']);
  await waitFor(() => expect(next.getByRole('button', { name: 'Stop' })).not.toHaveAttribute('aria-disabled'));
  await reader.click(next.getByRole('button', { name: 'Stop' }));
  expect(next.getByRole('listitem', { name: 'Not taken, next' })).toBeVisible();
  expect(await screen.findByText(/Stopped by .* after 2 steps/)).toBeVisible();
  expect(sent).toEqual(['skip', 'stop']);
});

test('a channel of one’s own is added, says why its code was not sent, and waits for it', async () => {
  const user = await openPage(ADMINISTRATOR, '/settings');
  const panel = within(await screen.findByRole('region', { name: 'Own channels' }));
  await user.click(await panel.findByRole('button', { name: 'Add a channel' }));
  await user.selectOptions(panel.getByLabelText('Kind'), 'Webhook');
  expect(panel.getByRole('button', { name: 'Send a code' })).toBeDisabled();
  await user.type(panel.getByLabelText('Name'), 'My pager');
  await user.type(panel.getByLabelText('Address'), INSIDE);
  await user.click(panel.getByRole('button', { name: 'Send a code' }));
  expect(await panel.findByText(/inside the network\. The operator has to allow/)).toBeVisible();
  await user.clear(panel.getByLabelText('Address'));
  await user.type(panel.getByLabelText('Address'), 'https://hooks.example.com/in');
  await user.click(panel.getByRole('button', { name: 'Send a code' }));
  expect(await panel.findByText(/The code could not be sent/)).toBeVisible();
  expect(panel.getByText('Waits for its code')).toBeVisible();
  await user.type(panel.getByLabelText('Code of My pager'), '000000');
  await user.click(panel.getByRole('button', { name: 'Confirm' }));
  expect(await panel.findByText('This is not the code that was sent last.')).toBeVisible();
  await user.click(panel.getByRole('button', { name: 'Remove My pager' }));
  await user.click((await findDialog()).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(panel.queryByText('My pager')).toBeNull());
});
