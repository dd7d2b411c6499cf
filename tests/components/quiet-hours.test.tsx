import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { notificationSettingsSchema } from '#backend/contract/notification-settings.ts';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { Queue } from '#tests/e2e/support/queue.ts';
import { intercept, memberWithQueue, openPage } from './support/open-page.tsx';

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

const quietHours = async () =>
  notificationSettingsSchema.parse(await (await queue.client.request('GET', SETTINGS)).json()).quietHours;

test('the answer to one change does not overwrite the next one', async () => {
  const { user, quiet, toggle } = await openPanel();
  toggle.focus();
  await user.keyboard(' ');
  const day = (name: string) => quiet.findByRole('button', { name });
  await waitFor(async () => expect(await day('Monday')).toHaveAttribute('aria-pressed', 'true'));
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
