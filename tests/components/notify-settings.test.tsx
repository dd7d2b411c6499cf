import { screen, waitFor, within } from '@testing-library/dom';
import { addDays, set } from 'date-fns';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { customerSchema } from '#backend/contract/mute.ts';
import {
  notificationExceptionListSchema,
  notificationPreviewSchema,
} from '#backend/contract/notification-exception.ts';
import { notificationSettingsSchema } from '#backend/contract/notification-settings.ts';
import { viewSchema } from '#backend/contract/view.ts';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import type { Queue } from '#tests/e2e/support/queue.ts';
import { awayFromMidnight } from './support/away-from-midnight.ts';
import {
  findConnected,
  findToast,
  findings,
  intercept,
  json,
  memberWithQueue,
  openPage,
  refusal,
} from './support/open-page.tsx';

const EXCEPTIONS = '/api/notification-exceptions';
const SETTINGS = '/api/notification-settings';

let app: AppServer;
let mara: Person;
let queue: Queue;
beforeEach(async () => {
  ({ app, mara, queue } = await memberWithQueue());
  // Of the hundreds of names that other tests post only those in view would be drawn.
  for (const path of ['/api/customers', '/api/alert-types']) intercept('GET', path, () => json([]));
});

const region = async (name: string) => within(await screen.findByRole('region', { name }));
const level = (name: string) => screen.findByRole('radio', { name: new RegExp(`^${name}`) });
const levelNow = async () =>
  notificationSettingsSchema.parse(await (await queue.client.request('GET', SETTINGS)).json()).level;
const exceptionsNow = async () =>
  notificationExceptionListSchema.parse(await (await queue.client.request('GET', EXCEPTIONS)).json());
const preview = async () =>
  notificationPreviewSchema.parse(await (await queue.client.request('GET', '/api/notification-preview')).json());
const put = (body: object) => queue.client.request('PUT', EXCEPTIONS, body);
const customerId = async (name: string): Promise<string> => {
  const answer = await queue.client.request('GET', `/api/customers?q=${encodeURIComponent(name)}`);
  return z.array(customerSchema).parse(await answer.json())[0]?.id ?? '';
};
const newView = async (name: string) =>
  viewSchema.parse(
    await (
      await queue.client.request('POST', '/api/views', { name, list: 'inbox', search: 'severity:critical' })
    ).json(),
  ).id;

test('how much notifies is one choice of five, which counts at once, with Undo and on every page', async () => {
  const user = await openPage(mara, '/settings');
  const choices = await screen.findByRole('radiogroup', { name: 'Notify me of' });
  expect(within(choices).getAllByRole('radio')).toHaveLength(5);
  expect(await level('Everything')).toBeChecked();
  await user.click(await level('High and above'));
  await waitFor(async () => expect(await level('High and above')).toBeChecked());
  await findToast('Notifications changed');
  expect(await levelNow()).toBe('high');
  await user.click(await screen.findByRole('button', { name: /^Undo/ }));
  await waitFor(async () => expect(await level('Everything')).toBeChecked());
  await waitFor(async () => expect(await levelNow()).toBe('always'));
  // Another window of mine.
  await findConnected();
  await queue.client.request('PATCH', SETTINGS, { level: 'mine' });
  await waitFor(async () => expect(await level('Only what is mine')).toBeChecked());
  expect(await findings()).toEqual([]);
});

test('a choice that fails is taken back, and a toast says why', async () => {
  const user = await openPage(mara, '/settings');
  await level('Critical');
  intercept('PATCH', SETTINGS, () => refusal(503, 'The database is away.'));
  await user.click(await level('Critical'));
  await findToast('The database is away.');
  await waitFor(async () => expect(await level('Everything')).toBeChecked());
});

test('each choice says what it would have been in the last days', async () => {
  const { byLevel } = await preview();
  intercept('GET', '/api/notification-preview', async (_call, go) =>
    json({ ...(await (await go()).json()), byLevel: { ...byLevel, always: 8_680, high: 301, critical: 3, never: 0 } }),
  );
  await openPage(mara, '/settings');
  await waitFor(async () => expect(await level('Everything')).toHaveAccessibleName(/1,240 a day/));
  expect(await level('High and above')).toHaveAccessibleName(/43 a day/);
  expect(await level('Critical')).toHaveAccessibleName(/3 in 7 days/);
  expect(await level('Nothing')).toHaveAccessibleName(/0$/);
});

test('an exception is added, changed and removed, each with Undo; a mute is one, in both places', async () => {
  await app.post({ customer: 'Quayside Ferries', severity: 'critical' });
  const view = await newView('Night shift');
  const id = await customerId('Quayside Ferries');
  const user = await openPage(mara, '/settings');
  const panel = await region('Exceptions');
  expect(await panel.findByText(/^No exceptions\./)).toBeVisible();
  await user.click(panel.getByRole('button', { name: 'Add exception' }));
  const choice = await screen.findByRole('menuitem', { name: /Night shift/ });
  await user.click(choice);
  await findToast('Exception added');
  const select = () => panel.findByRole<HTMLSelectElement>('combobox', { name: 'Notify me of view Night shift' });
  expect(await select()).toHaveValue('critical');
  await user.selectOptions(await select(), 'always');
  await findToast('Exception changed');
  await waitFor(async () =>
    expect(await exceptionsNow()).toEqual([{ kind: 'view', id: view, name: 'Night shift', level: 'always' }]),
  );

  // Muted elsewhere.
  await put({ kind: 'customer', id, level: 'never' });
  const mute = await panel.findByRole('combobox', { name: 'Notify me of customer Quayside Ferries' });
  expect(mute).toHaveDisplayValue('Muted');
  await user.selectOptions(mute, 'high');
  await waitFor(async () => expect((await exceptionsNow()).map((one) => one.level)).toEqual(['always', 'high']));
  await user.click(panel.getByRole('button', { name: 'Remove the exception of Quayside Ferries' }));
  await findToast('Exception removed');
  await waitFor(async () => expect(await exceptionsNow()).toHaveLength(1));
  await user.click(await screen.findByRole('button', { name: /^Undo/ }));
  await waitFor(async () => expect((await exceptionsNow()).map((one) => one.level)).toEqual(['always', 'high']));
  expect(await findings()).toEqual([]);
});

/** As late as now, so many days later. */
const inDays = (days: number): Date => addDays(new Date(), days);

test('the end of a mute is said by the day that it is also where the page stays open for days', async () => {
  await awayFromMidnight();
  const name = 'Quayside Ferries';
  await app.post({ customer: name });
  const id = await customerId(name);
  intercept('GET', '/api/customers', () => json([{ id, name, lastSeenAt: new Date().toISOString() }]));
  await put({ kind: 'customer', id, level: 'never', until: set(inDays(3), { hours: 12 }).toISOString() });
  await openPage(mara, '/settings');
  const ends = async () => {
    const panel = await region('Exceptions');
    const exception = await panel.findByRole<HTMLSelectElement>('combobox', { name: `Notify me of customer ${name}` });
    const mute = await screen.findByText(/^Muted until /, { selector: 'span' });
    return [exception.selectedOptions[0]?.textContent, mute.textContent];
  };
  const [exception, mute] = await ends();
  expect(exception).toMatch(/^Muted until [A-Z][a-z]{2} \d/);
  expect(mute).toBe(exception);
  vi.useFakeTimers({ toFake: ['Date'], now: inDays(2) });
  onTestFinished(() => void vi.useRealTimers());
  document.dispatchEvent(new Event('visibilitychange'));
  const later = expect.stringMatching(/^Muted until tomorrow \d/);
  await waitFor(async () => expect(await ends()).toEqual([later, later]));
});

test('a change of an exception that fails is taken back', async () => {
  await put({ kind: 'view', id: await newView('Night shift'), level: 'high' });
  const user = await openPage(mara, '/settings');
  const panel = await region('Exceptions');
  const select = () => panel.findByRole('combobox', { name: 'Notify me of view Night shift' });
  await select();
  intercept('PUT', EXCEPTIONS, () => refusal(409, 'You have 200 exceptions already. Remove one first.'));
  await user.selectOptions(await select(), 'mine');
  await findToast('You have 200 exceptions already. Remove one first.');
  await waitFor(async () => expect(await select()).toHaveValue('high'));
});

test('recent alerts show what is decided of them now, and why', async () => {
  await app.post({ customer: 'Harbor & Finch', severity: 'critical', title: 'Disk almost full on db-7' });
  await app.post({ customer: 'Northwind Traders', severity: 'warning', title: 'p95 latency above 800 ms' });
  await app.post({ customer: 'Kestrel uptime', severity: 'high', title: 'Portal does not answer' });
  await put({ kind: 'customer', id: await customerId('Kestrel uptime'), level: 'never' });
  await queue.client.request('PATCH', SETTINGS, { level: 'high' });
  const user = await openPage(mara, '/settings');
  const list = within(await screen.findByRole('list', { name: 'If this had come now' }));
  const rowOf = async (title: string) => (await list.findByText(title)).closest('li');
  expect(await rowOf('Disk almost full on db-7')).toHaveTextContent(/Notified.*High and above/);
  expect(await rowOf('p95 latency above 800 ms')).toHaveTextContent(/Quiet.*below high/);
  expect(await rowOf('Portal does not answer')).toHaveTextContent(/Quiet.*Kestrel uptime: Muted/);
  await user.click(await level('Nothing'));
  await waitFor(async () => expect(await rowOf('Disk almost full on db-7')).toHaveTextContent(/Quiet.*Nothing/));
  await queue.client.request('PATCH', SETTINGS, {
    level: 'always',
    pausedUntil: new Date(Date.now() + 60_000).toISOString(),
  });
  await waitFor(async () => expect(await rowOf('Disk almost full on db-7')).toHaveTextContent(/Quiet.*paused/));
});

test('what could not be counted offers to try again, and the choice stays', async () => {
  const restore = intercept('GET', '/api/notification-preview', () => refusal(503, 'The database is away.'));
  const user = await openPage(mara, '/settings');
  const panel = await region('If This Had Come Now');
  const again = await panel.findByRole('button', { name: 'Try again' });
  expect(await level('Everything')).toBeEnabled();
  restore();
  await user.click(again);
  await waitFor(() => expect(panel.queryByRole('button', { name: 'Try again' })).toBeNull());
});
