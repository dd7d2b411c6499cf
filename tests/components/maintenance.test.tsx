import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type MaintenanceWindow, windowListSchema, windowSchema } from '#backend/contract/maintenance.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import {
  ADMINISTRATOR,
  appServer,
  findCard,
  findDialog,
  findToast,
  intercept,
  memberWithQueue,
  openPage,
  startServer,
} from './support/open-page.tsx';
import { bodiesOf, choose, nameForWindow, windowsNamed, writeWindow } from './support/window-form.ts';

/** The choice of how long a window lasts. */
const threeHours = () => screen.getByText('3 h').closest('[role="radio"]');

const goTo = (user: UserEvent, name: RegExp): Promise<void> =>
  user.click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name }));

test('an administrator starts a window over all alerts, whose cards are marked, and takes its end back', async () => {
  const app = await startServer();
  const user = await openPage(ADMINISTRATOR, '/maintenance', { app });
  await user.click(await screen.findByRole('button', { name: 'New window' }));
  // By their texts: roles are looked for among the names of all time zones.
  const plan = await screen.findByText('Plan window');
  expect(plan.closest('button')).toBeDisabled();
  await user.type(screen.getByLabelText('Name'), 'Upgrade');
  await user.click(screen.getByText('Now'));
  await user.click(await screen.findByText('Start window'));
  const dialog = await findDialog();
  await user.click(dialog.getByRole('button', { name: 'Start window' }));
  let banner = within(await screen.findByRole('region', { name: 'Maintenance' }));
  expect(banner.getByText(/is on until/)).toHaveTextContent('Upgrade is on until');
  await app.post({ customer: 'Nordwind', title: 'Primary does not answer' });
  await goTo(user, /^New Alerts/);
  const card = await findCard('Primary does not answer');
  await waitFor(() => expect(card).toHaveTextContent(/Upgradequiet until .*\d [AP]M, nobody is notified/));
  expect(card.querySelector('[data-icon="wrench"]')).not.toBeNull();
  await waitFor(() =>
    expect(card.closest('article')).toHaveAccessibleName(
      /Primary does not answer\..* Kept quiet by Upgrade until .* [AP]M\.$/,
    ),
  );
  await banner.findByText(/alert is kept and notifies nobody/);
  // Of what the window is about, the list has what it keeps quiet.
  expect(banner.getByRole('link', { name: 'Show 1' })).toHaveAttribute('href', '/admin/alerts?search=is%3Aquiet');
  await goTo(user, /^My Alerts/);
  await screen.findByRole('heading', { level: 1, name: 'My Alerts' });
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Maintenance' })).toBeNull());
  await goTo(user, /^New Alerts/);
  await user.click(await screen.findByRole('button', { name: 'Accept' }));
  await goTo(user, /^My Alerts/);
  await findCard('Primary does not answer');
  await screen.findByRole('region', { name: 'Maintenance' });
  // The queue, which is counted beside every list, keeps it over none that it is not about.
  await goTo(user, /^Snoozed/);
  await screen.findByRole('heading', { level: 1, name: 'Snoozed' });
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Maintenance' })).toBeNull());
  await goTo(user, /^My Alerts/);
  banner = within(await screen.findByRole('region', { name: 'Maintenance' }));
  await user.click(banner.getByRole('button', { name: 'End now' }));
  await findToast('Upgrade ends now');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await findToast('Upgrade goes on');
});

test('what a colleague saves of a window meanwhile is taken over, and asked about where both changed the same', async () => {
  const app = await startServer();
  const body = { name: 'Upgrade', search: 'type:disk', startsAt: '2099-01-04T02:00:00Z', minutes: 60, timeZone: 'UTC' };
  const made = await app.admin.request('POST', '/api/maintenance/windows', { ...body, rrule: null });
  const { id } = windowSchema.parse(await made.json());
  const theySave = (change: object) => app.admin.request('PATCH', `/api/maintenance/windows/${id}`, change);
  const user = await openPage(ADMINISTRATOR, `/maintenance/${id}`, { app });
  const name = await screen.findByLabelText('Name');
  await user.type(name, ' of db-7');
  expect((await theySave({ minutes: 180 })).status).toBe(200);
  await waitFor(() => expect(threeHours()).toHaveAttribute('aria-checked', 'true'));
  expect(name).toHaveValue('Upgrade of db-7');

  expect((await theySave({ name: 'Move to the new rack' })).status).toBe(200);
  expect(await screen.findByText('Someone else has saved the same settings in the meantime.')).toBeVisible();
  expect(screen.getByText('Save window').closest('button')).toBeDisabled();
  await user.click(screen.getByText('Keep editing'));
  expect(name).toHaveValue('Upgrade of db-7');
  await user.click(screen.getByText('Save window'));
  await findToast('Window saved');
  await waitFor(() => expect(document.querySelector('h1')).toHaveTextContent('Upgrade of db-7'));
});

/** The sentence on the page about when the window is on, without that for screen readers. */
const findSentence = (text: RegExp) => screen.findByText(text, { selector: 'p' });

/** A stored window about alerts of a customer of its own, which is gone after the test. */
async function planWindow(name: string, more: object = {}, app?: AppServer): Promise<MaintenanceWindow> {
  const { admin } = app ?? (await appServer());
  const times = { startsAt: '2099-01-04T02:00:00Z', minutes: 60, timeZone: 'UTC', rrule: null };
  const search = `customer:${crypto.randomUUID()}`;
  const made = await admin.request('POST', '/api/maintenance/windows', { name, search, ...times, ...more });
  const window = windowSchema.parse(await made.json());
  onTestFinished(async () => void (await admin.request('DELETE', `/api/maintenance/windows/${window.id}`)));
  return window;
}

test('a member reads when a window is on, and the server is asked nothing that it answers administrators alone', async () => {
  const { mara } = await memberWithQueue();
  const { admin } = await appServer();
  const { id, search } = await planWindow('Upgrade of the rack');
  const asked: string[] = [];
  for (const [method, path] of [
    ['POST', '/api/maintenance/preview'],
    ['GET', '/api/alerts/all'],
  ] as const) {
    intercept(method, path, ({ url }, go) => {
      asked.push(url.pathname);
      return go();
    });
  }
  await openPage(mara, `/maintenance/${id}`);
  const sentence = await findSentence(/^Once from Sun, Jan 4/);
  const { textContent: before } = sentence;
  expect(screen.getByText('Administrators plan and change windows.')).toBeVisible();
  expect(screen.getByLabelText('Which alerts')).toHaveValue(search);
  // What is said to screen readers is said later than the server would be asked about the same change.
  await admin.request('PATCH', `/api/maintenance/windows/${id}`, { search: `${search} disk`, minutes: 120 });
  const spoken = screen.getByText(/^Once from/, { selector: 'output' });
  await waitFor(() => expect(spoken).not.toHaveTextContent(before ?? ''));
  expect(sentence).toHaveTextContent(spoken.textContent);
  expect(screen.getByLabelText('Which alerts')).toHaveValue(`${search} disk`);
  expect(asked).toEqual([]);
  expect(screen.queryByText(/not allowed/)).toBeNull();
});

test('what was not changed of a window is not planned again, also of one that is on for longer than it was planned', async () => {
  const app = await startServer();
  const { admin } = app;
  const length = 60_000;
  /** Plans a window that ends so soon, and has it go on. Undefined where it has ended before that. */
  const planLonger = async (leftMs: number): Promise<MaintenanceWindow | undefined> => {
    const times = { startsAt: new Date(Date.now() - length + leftMs).toISOString(), minutes: 1 };
    const window = await planWindow('Upgrade', times, app).catch(() => undefined);
    const path = `/api/maintenance/occurrences/${window?.current?.id}/extend`;
    return (await admin.request('POST', path, { minutes: 30 })).ok ? window : undefined;
  };
  const window = (await planLonger(5_000)) ?? (await planLonger(15_000));
  if (!window) throw new Error('No window could be planned before it ended.');
  const { id, startsAt, current } = window;
  await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(startsAt) + length);
  const sent = bodiesOf('PATCH', `/api/maintenance/windows/${id}`);
  const previewed = Promise.withResolvers<number>();
  intercept('POST', '/api/maintenance/preview', async (_call, go) => {
    const answer = await go();
    previewed.resolve(answer.status);
    return answer;
  });
  const user = await openPage(ADMINISTRATOR, `/maintenance/${id}`, { app });
  await user.type(await screen.findByLabelText('Name'), ' of db-7');
  expect(await previewed.promise).toBe(422);
  await user.click(screen.getByText('Save window'));
  await findToast(/^Window saved/);
  expect(await findSentence(/^Once from/)).toBeVisible();
  expect(sent).toEqual([{ name: 'Upgrade of db-7' }]);
  await user.click(screen.getByText('3 h'));
  await user.click(screen.getByText('Save window'));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({ minutes: 180 });
  const stored = windowSchema.parse(await (await admin.request('GET', `/api/maintenance/windows/${id}`)).json());
  expect(stored).toMatchObject({ name: 'Upgrade of db-7', startsAt, minutes: 180, current: { id: current?.id } });
});

test('a window that starts now is on at once, also where the clock of the device is ahead', async () => {
  const app = await startServer();
  const now = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 6 * 60_000);
  onTestFinished(() => void vi.restoreAllMocks());
  const user = await openPage(ADMINISTRATOR, '/maintenance/new?search=customer:Nordwind', { app });
  await user.type(await screen.findByLabelText('Name'), 'Upgrade');
  await user.click(screen.getByText('Now'));
  await user.click(await screen.findByText('Start window'));
  const banner = within(await screen.findByRole('region', { name: 'Maintenance' }));
  await app.post({ customer: 'Nordwind', title: 'Primary does not answer' });
  await banner.findByText(/alert of Nordwind is kept and notifies nobody/);
  const windows = windowListSchema.parse(await (await app.admin.request('GET', '/api/maintenance/windows')).json());
  expect(windows).toMatchObject([{ minutes: 60, current: { state: 'on', kept: 1 } }]);
});

test('a window that starts now ends at the end that is written, and is not saved after that', async () => {
  const sent = bodiesOf('POST', '/api/maintenance/windows', 'Not now.');
  const user = await writeWindow();
  await user.click(screen.getByText('Now'));
  await user.click(screen.getByText('Until…'));
  const [date, time] = ['Last date', 'End time'].map((label) => screen.getByLabelText<HTMLInputElement>(label).value);
  await user.click(screen.getByText('Start window'));
  expect(await screen.findByText('Not now.')).toBeVisible();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ startsAt: 'now', endsAt: new Date(`${date}T${time}`).toISOString() });
  expect(sent[0]).not.toHaveProperty('minutes');
  await choose(user, 'Last date', '2020-01-04');
  await user.click(screen.getByText('Start window'));
  expect(screen.getByText('Start window').closest('button')).toHaveAttribute(
    'title',
    'Choose a start, and an end after it.',
  );
  expect(sent).toHaveLength(1);
});

test('a window repeats on the weekday of its date until days are chosen, and as often as is typed', async () => {
  const sent = bodiesOf('POST', '/api/maintenance/windows', 'Not now.');
  const user = await writeWindow();
  await choose(user, 'Date', '2099-01-04');
  await user.click(screen.getByText('Weekly'));
  expect(await findSentence(/^Every Sunday from/)).toBeVisible();
  await choose(user, 'Date', '2099-01-06');
  expect(await findSentence(/^Every Tuesday from/)).toBeVisible();
  await user.click(screen.getByLabelText('Monday'));
  await choose(user, 'Date', '2099-01-05');
  expect(await findSentence(/^Every Monday and Tuesday from/)).toBeVisible();

  await user.selectOptions(screen.getByLabelText(/^Ends/), 'after');
  const count = screen.getByLabelText('How often');
  expect(count).toHaveValue(10);
  await user.type(count, '{Backspace}{Backspace}');
  expect(count).toHaveValue(null);
  const plan = screen.getByText('Plan window').closest('button');
  expect(plan).toBeDisabled();
  expect(plan).toHaveAttribute('title', 'Write how often it is on: a number from 1 to 9999.');
  await user.type(count, '5');
  expect(await findSentence(/^Every Monday and Tuesday from .*, 5 times/)).toBeVisible();
  await user.click(screen.getByText('Plan window'));
  expect(await screen.findByText('Not now.')).toBeVisible();
  expect(sent).toMatchObject([{ rrule: 'FREQ=WEEKLY;BYDAY=MO,TU;COUNT=5' }]);
});

test('what is wrong with a search stands beside it, and what was found of the window before stays', async () => {
  const previews = bodiesOf('POST', '/api/maintenance/preview');
  const user = await openPage(ADMINISTRATOR, '/maintenance/new');
  const search = await screen.findByLabelText('Which alerts');
  expect(await screen.findByText('It would have kept quiet')).toBeVisible();
  await user.type(search, 'owner:ann');
  const fault = await screen.findByText(/^owner: cannot be used in a window/);
  expect(fault.parentElement).toContainElement(search);
  expect(previews.map((body) => body['search'])).toEqual(['', 'owner:ann']);
  expect(await findSentence(/^Once from/)).toBeVisible();
  expect(screen.getByText('It would have kept quiet')).toBeVisible();
  expect(screen.queryByText(/^Shown once/)).toBeNull();
});

test('a question that is confirmed by two quick clicks plans one window', async () => {
  const name = nameForWindow();
  const failed = bodiesOf('POST', '/api/maintenance/windows', 'Not now.');
  const user = await writeWindow();
  await choose(user, 'Name', name);
  await choose(user, 'Date', '2099-01-04');
  await user.click(screen.getByText('Until…'));
  await choose(user, 'Last date', '2099-01-07');
  await user.click(screen.getByText('Plan window'));
  const confirm = (await findDialog()).getByText('Plan window');
  await user.click(confirm);
  expect(await screen.findByText('Not now.')).toBeVisible();
  // It can still be pressed while the dialog fades.
  await user.click(confirm);
  expect(failed).toHaveLength(1);

  const sent = bodiesOf('POST', '/api/maintenance/windows');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByText('Plan window'));
  await user.dblClick((await findDialog()).getByText('Plan window'));
  expect(await screen.findByRole('link', { name })).toBeVisible();
  expect(sent).toHaveLength(1);
  expect(await windowsNamed(name)).toHaveLength(1);
});

test('keys open a new window and save it, once however fast they are pressed again', async () => {
  const sent = bodiesOf('POST', '/api/maintenance/windows', 'Not now.');
  const user = await openPage(ADMINISTRATOR, '/maintenance');
  expect(await screen.findByRole('button', { name: 'New window' })).toHaveAttribute('aria-keyshortcuts', 'N');
  await user.keyboard('n');
  const name = await screen.findByLabelText('Name');
  // Nothing is saved yet that has no name.
  await user.click(name);
  await user.keyboard('{Control>}{Enter}{/Control}');
  await user.type(name, 'Upgrade');
  await user.keyboard('{Control>}{Enter}{/Control}');
  const question = await findDialog();
  expect(question.getByText('Keep all alerts quiet?')).toBeVisible();
  await user.click(question.getByText('Cancel'));
  await user.type(screen.getByLabelText('Which alerts'), 'customer:Nordwind');
  const press = () => fireEvent.keyDown(name, { key: 'Enter', ctrlKey: true });
  press();
  press();
  expect(await screen.findByText('Not now.')).toBeVisible();
  expect(sent).toMatchObject([{ name: 'Upgrade', search: 'customer:Nordwind' }]);
});
