import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { calendarSchema } from '#backend/contract/ladder.ts';
import { appServer, openPage } from './support/open-page.tsx';

const CALENDAR = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//test//EN',
  'BEGIN:VEVENT',
  'UID:1@test',
  'DTSTAMP:20260101T000000Z',
  'DTSTART:20200101T000000Z',
  'DURATION:P1D',
  'SUMMARY:Nobody',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

test('who is on instead is stored from the hour that the page shows, wherever the device is', async () => {
  const app = await appServer();
  const ann = await app.addMember('Ann Archer', 'admin');
  const client = await app.signIn(ann);
  // A zone whose clocks never show what those of this machine do.
  const timeZone = new Date(2099, 0, 4).getTimezoneOffset() === 0 ? 'Asia/Kolkata' : 'UTC';
  expect((await client.request('PATCH', '/api/auth/profile', { timeZone })).ok).toBe(true);
  const made = await client.request('POST', '/api/outgoing/calendars', { name: 'On call', content: CALENDAR });
  const { id } = calendarSchema.parse(await made.json());
  onTestFinished(async () => void (await client.request('DELETE', `/api/outgoing/calendars/${id}`)));

  const user = await openPage(ann, `/admin/outgoing/calendars/${id}`);
  await screen.findByRole('option', { name: 'Ann Archer' });
  await user.selectOptions(screen.getByLabelText(/^Who/, { selector: 'select' }), 'Ann Archer');
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2099-01-04T22:00' } });
  await user.click(screen.getByRole('button', { name: 'Add' }));
  const list = screen.getByRole('list', { name: 'On instead' });
  await waitFor(() => expect(list).toHaveTextContent(/Ann Archer.*10:00 PM/));
  const read = await (await client.request('GET', '/api/outgoing/calendars')).json();
  const stored = calendarSchema.parse((read as { id: string }[]).find((one) => one.id === id));
  const written = timeZone === 'UTC' ? '2099-01-04T22:00:00.000Z' : '2099-01-04T16:30:00.000Z';
  expect(stored.overrides.map(({ from }) => from)).toEqual([written]);
  expect(within(list).getAllByRole('listitem')).toHaveLength(1);

  await user.selectOptions(screen.getByLabelText(/^Who/, { selector: 'select' }), 'Ann Archer');
  const field = screen.getByLabelText('From');
  fireEvent.change(field, { target: { value: '12099-01-04T22:00' } });
  await user.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('Enter a date and a time.')).toBeVisible();
});
