import { fireEvent, screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { ADMINISTRATOR, openPage, startServer } from './support/open-page.tsx';

test('Insight names the windows of its days with all that they kept, and not beside filtered figures', async () => {
  const app = await startServer();
  const planned = { name: 'Upgrade', search: '', minutes: 60, timeZone: 'UTC', rrule: null };
  const startsAt = new Date().toISOString();
  expect((await app.admin.request('POST', '/api/maintenance/windows', { ...planned, startsAt })).status).toBe(201);
  await app.post({ customer: 'Nordwind', title: 'Primary does not answer' });
  // By texts: roles are looked for among the names of all time zones.
  await openPage(ADMINISTRATOR, '/insight?days=7&customer=Nordwind', { app });
  await screen.findByText('Noisiest problems');
  history.pushState(null, '', '/insight?days=7');
  fireEvent.popState(window);
  expect(await screen.findByText('Kept quiet in maintenance windows: 1')).toBeVisible();
  history.pushState(null, '', '/insight?days=7&customer=Nordwind');
  fireEvent.popState(window);
  await waitFor(() => expect(screen.queryByText(/^Kept quiet in maintenance windows/)).toBeNull());
  expect(screen.getByText('Noisiest problems')).toBeVisible();
});

test('the days of Insight can be those of UTC and of the time zone here again, once another one was chosen', async () => {
  const user = await openPage(ADMINISTRATOR, '/insight?days=7&timeZone=Asia%2FTokyo');
  await user.click(await screen.findByLabelText('Choose days'));
  const zone = await screen.findByLabelText('Time zone');
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const name of ['Asia/Tokyo', 'UTC', here])
    expect([...zone.querySelectorAll('option')].map(({ value }) => value)).toContain(name);
});
