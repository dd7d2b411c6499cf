import { notificationSettingsSchema } from '#backend/contract/notification-settings.ts';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';

const SETTINGS = '/api/notification-settings';

test('the answer to one change does not overwrite the next one', async ({ app, openAs, mara }) => {
  const page = await openAs(mara, '/settings');
  const quiet = page.getByRole('region', { name: 'Quiet Hours' });
  await quiet.getByRole('switch', { name: 'Quiet every week' }).press('Space');
  await expect(quiet.getByRole('button', { name: 'Monday' })).toHaveAttribute('aria-pressed', 'true');
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const gates = [first.promise, second.promise];
  await page.route(`**${SETTINGS}`, async (route) => {
    if (route.request().method() === 'PATCH') await gates.shift();
    await route.continue();
  });
  const answerTo = (method: string) =>
    page.waitForResponse((answer) => answer.url().endsWith(SETTINGS) && answer.request().method() === method);
  const pressed = (day: string) => quiet.getByRole('button', { name: day });
  await pressed('Monday').click();
  await pressed('Tuesday').click();
  await expect(pressed('Tuesday')).toHaveAttribute('aria-pressed', 'false');
  await expect(pressed('Monday')).toHaveAttribute('aria-pressed', 'false');
  const answers = Promise.all([answerTo('PATCH'), answerTo('GET')]);
  first.resolve();
  // The page receives its own change, and reads the settings again.
  await answers;
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  await expect(pressed('Tuesday')).toHaveAttribute('aria-pressed', 'false');
  second.resolve();
  const { client } = await queueOf(app, mara);
  const days = async () =>
    notificationSettingsSchema.parse(await (await client.request('GET', SETTINGS)).json()).quietHours.days;
  await expect.poll(days).toEqual(['wed', 'thu', 'fri', 'sat', 'sun']);
  for (const day of ['Monday', 'Tuesday']) await expect(pressed(day)).toHaveAttribute('aria-pressed', 'false');
});

test('the chosen zone UTC stays when quiet hours are switched off and on', async ({ openAs, mara }) => {
  const page = await openAs(mara, '/settings', { timezoneId: 'Europe/Berlin' });
  const quiet = page.getByRole('region', { name: 'Quiet Hours' });
  const toggle = quiet.getByRole('switch', { name: 'Quiet every week' });
  const zone = quiet.getByLabel('Time zone');
  await toggle.press('Space');
  await expect(zone).toHaveValue('Europe/Berlin');
  await zone.selectOption('UTC');
  await toggle.press('Space');
  await expect(zone).toHaveCount(0);
  await toggle.press('Space');
  await expect(zone).toHaveValue('UTC');
});
