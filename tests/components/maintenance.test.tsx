import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type MaintenanceWindow, windowListSchema, windowSchema } from '#backend/contract/maintenance.ts';
import {
  ADMINISTRATOR,
  appServer,
  findCard,
  findDialog,
  findToast,
  intercept,
  memberWithQueue,
  openPage,
  refusal,
  startServer,
} from './support/open-page.tsx';

/** The choice of how long a window lasts. */
const threeHours = () => screen.getByText('3 h').closest('[role="radio"]');

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
  const banner = within(await screen.findByRole('region', { name: 'Maintenance' }));
  expect(banner.getByText(/is on until/)).toHaveTextContent('Upgrade is on until');
  await app.post({ customer: 'Nordwind', title: 'Primary does not answer' });
  await user.click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: /^New Alerts/ }));
  expect(await findCard('Primary does not answer')).toHaveTextContent('Upgrade');
  await banner.findByText(/alert is kept and notifies nobody/);
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

/** Bodies of calls of the page. They are answered with an error where it is given, and nothing is stored. */
function bodiesOf(method: string, path: string, error?: string): Record<string, unknown>[] {
  const bodies: Record<string, unknown>[] = [];
  intercept(method, path, ({ body }, go) => {
    bodies.push(JSON.parse(body));
    return error === undefined ? go() : refusal(422, error);
  });
  return bodies;
}

/** A window that is written about alerts of a customer of its own. */
async function writeWindow(): Promise<UserEvent> {
  const search = `customer:${crypto.randomUUID()}`;
  const user = await openPage(ADMINISTRATOR, `/maintenance/new?${new URLSearchParams({ search })}`);
  await user.type(await screen.findByLabelText('Name'), 'Upgrade');
  return user;
}

async function choose(user: UserEvent, label: string, value: string): Promise<void> {
  await user.clear(screen.getByLabelText(label));
  await user.type(screen.getByLabelText(label), value);
}

/** The sentence on the page about when the window is on, without that for screen readers. */
const findSentence = (text: RegExp) => screen.findByText(text, { selector: 'p' });

/** A stored window about alerts of a customer of its own, which is gone after the test. */
async function planWindow(name: string): Promise<MaintenanceWindow> {
  const { admin } = await appServer();
  const times = { startsAt: '2099-01-04T02:00:00Z', minutes: 60, timeZone: 'UTC', rrule: null };
  const search = `customer:${crypto.randomUUID()}`;
  const made = await admin.request('POST', '/api/maintenance/windows', { name, search, ...times });
  const window = windowSchema.parse(await made.json());
  onTestFinished(async () => void (await admin.request('DELETE', `/api/maintenance/windows/${window.id}`)));
  return window;
}

test('a member reads when a window is on, and the server is asked nothing that it answers administrators alone', async () => {
  const { mara } = await memberWithQueue();
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
  expect(await findSentence(/^Once from Sun, Jan 4/)).toBeVisible();
  expect(screen.getByText('Administrators plan and change windows.')).toBeVisible();
  expect(screen.getByLabelText('Which alerts')).toHaveValue(search);
  // Long enough for what is asked once nothing was typed for a moment.
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(asked).toEqual([]);
  expect(screen.queryByText(/not allowed/)).toBeNull();
});

test('a window that begins when it is saved ends when it says, and is not saved after that', async () => {
  const sent = bodiesOf('POST', '/api/maintenance/windows', 'Not now.');
  const user = await writeWindow();
  await user.click(screen.getByText('Now'));
  await user.click(screen.getByText('Until…'));
  const [date, time] = ['Last date', 'End time'].map((label) => screen.getByLabelText<HTMLInputElement>(label).value);
  const now = Date.now.bind(Date);
  let later = 20;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + later * 60_000);
  onTestFinished(() => void vi.restoreAllMocks());
  await user.click(screen.getByText('Start window'));
  expect(await screen.findByText('Not now.')).toBeVisible();
  expect(sent).toHaveLength(1);
  const startsAt = Date.parse(String(sent[0]?.['startsAt']));
  expect(startsAt + Number(sent[0]?.['minutes']) * 60_000).toBe(new Date(`${date}T${time}`).getTime());
  expect(Math.abs(Date.now() - startsAt)).toBeLessThan(3 * 60_000);
  later = 70;
  await user.click(screen.getByText('Start window'));
  expect(await screen.findByText('Choose a start, and an end after it.')).toBeVisible();
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
  const { admin } = await appServer();
  const failed = bodiesOf('POST', '/api/maintenance/windows', 'Not now.');
  const user = await writeWindow();
  await choose(user, 'Name', 'Upgrade of all racks');
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
  expect(await screen.findByRole('link', { name: 'Upgrade of all racks' })).toBeVisible();
  expect(sent).toHaveLength(1);
  const windows = windowListSchema.parse(await (await admin.request('GET', '/api/maintenance/windows')).json());
  const made = windows.filter(({ name }) => name === 'Upgrade of all racks');
  expect(made).toHaveLength(1);
  await admin.request('DELETE', `/api/maintenance/windows/${made[0]?.id}`);
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
