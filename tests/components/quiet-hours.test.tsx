import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { notificationSettingsSchema } from '#backend/contract/notification-settings.ts';
import { pauseLabel } from '#renderer/notifications/pause.ts';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { Queue } from '#tests/e2e/support/queue.ts';
import { findConnected, findToast, intercept, memberWithQueue, openPage } from './support/open-page.tsx';

const SETTINGS = '/api/notification-settings';

let mara: Person;
let queue: Queue;
beforeEach(async () => {
  ({ mara, queue } = await memberWithQueue());
});

const findPanel = async () => within(await screen.findByRole('region', { name: 'Quiet Hours' }));

async function openPanel() {
  const user = await openPage(mara, '/settings');
  const quiet = await findPanel();
  const toggle = await quiet.findByRole('switch', { name: 'Weekly quiet hours' });
  return { user, quiet, toggle };
}

const settings = async () =>
  notificationSettingsSchema.parse(await (await queue.client.request('GET', SETTINGS)).json());
const quietHours = async () => (await settings()).quietHours;

/** Has the clock of the page be wrong by so many minutes, until the test ends. */
function shiftClock(minutes: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
  onTestFinished(() => void vi.useRealTimers());
}

test('the answer to one change does not overwrite the next one', async () => {
  const { user, quiet, toggle } = await openPanel();
  toggle.focus();
  await user.keyboard(' ');
  const day = (name: string) => quiet.findByRole('button', { name });
  await waitFor(async () => expect(await day('Monday')).toHaveAttribute('aria-pressed', 'true'));
  // What is intercepted from now on is of the changes below, not of this one.
  await waitFor(async () => expect((await quietHours()).days).toHaveLength(7));
  await findConnected();
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const gates = [first.promise, second.promise];
  const answered: string[] = [];
  for (const method of ['PATCH', 'GET'])
    intercept(method, SETTINGS, async (_call, go) => {
      if (method === 'PATCH') await gates.shift();
      const answer = await go();
      answered.push(method);
      return answer;
    });
  await user.click(await day('Monday'));
  await user.click(await day('Tuesday'));
  for (const name of ['Tuesday', 'Monday'])
    await waitFor(async () => expect(await day(name)).toHaveAttribute('aria-pressed', 'false'));
  first.resolve();
  // The page receives its own change, and reads the settings again.
  await waitFor(() => expect(answered.toSorted()).toEqual(['GET', 'PATCH']));
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  expect(await day('Tuesday')).toHaveAttribute('aria-pressed', 'false');
  second.resolve();
  await waitFor(async () => expect((await quietHours()).days).toEqual(['wed', 'thu', 'fri', 'sat', 'sun']));
  for (const name of ['Monday', 'Tuesday']) expect(await day(name)).toHaveAttribute('aria-pressed', 'false');
});

test('the chosen zone UTC stays when quiet hours are switched off and on', async () => {
  const options = { ...Intl.DateTimeFormat().resolvedOptions(), timeZone: 'Europe/Berlin' };
  const elsewhere = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(options);
  onTestFinished(() => elsewhere.mockRestore());
  const { user, quiet, toggle } = await openPanel();
  const zone = () => quiet.findByLabelText('Time zone');
  await user.click(toggle);
  await waitFor(async () => expect(await zone()).toHaveValue('Europe/Berlin'));
  await user.selectOptions(await zone(), 'UTC');
  await user.click(toggle);
  await waitFor(() => expect(quiet.queryByLabelText('Time zone')).toBeNull());
  await user.click(toggle);
  await waitFor(async () => expect(await zone()).toHaveValue('UTC'));
});

test('an hour of pause goes by the server’s clock, and a time that is over there is no pause', async () => {
  const { user, quiet } = await openPanel();
  const press = async (name: string) => {
    const button = await quiet.findByRole('button', { name });
    await waitFor(() => expect(button).not.toHaveAttribute('aria-disabled'));
    await user.click(button);
  };
  const start = Date.now();
  shiftClock(-70);
  await press('Pause for 1 hour');
  await findToast('Notifications paused');
  await findToast(`Until ${pauseLabel(new Date((await settings()).pausedUntil ?? ''), new Date())}`);
  expect(Date.parse((await settings()).pausedUntil ?? '')).toBeGreaterThanOrEqual(start + 60 * 60_000);
  await press('Resume');
  await findToast('Notifications resumed');
  shiftClock(-3 * 24 * 60);
  await press('Pause until tomorrow');
  await findToast('Failed to pause notifications');
  expect((await settings()).pausedUntil).toBeNull();
  await press('Pause for 1 hour');
  await findToast('Notifications paused');
});
