import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { uuidv7 } from 'uuidv7';
import { expect, onTestFinished, test } from 'vitest';
import { colleaguesSchema } from '#backend/contract/assignment.ts';
import { type Shift, calendarListSchema, calendarSchema } from '#backend/contract/ladder.ts';
import { WEEK } from './support/calendar.ts';
import { ADMINISTRATOR, appServer, intercept, json, openPage } from './support/open-page.tsx';

test('who is on instead is stored from the hour that the page shows, wherever the device is', async () => {
  const app = await appServer();
  // A name of its own: whom other tests have added, or an earlier attempt, may be put on as well.
  const name = `Ann ${uuidv7()
    .slice(-12)
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))}`;
  const ann = await app.addMember(name, 'admin');
  const client = await app.signIn(ann);
  // A zone whose clocks never show what those of this machine do.
  const timeZone = new Date(2099, 0, 4).getTimezoneOffset() === 0 ? 'Asia/Kolkata' : 'UTC';
  expect((await client.request('PATCH', '/api/auth/profile', { timeZone })).ok).toBe(true);
  const made = await client.request('POST', '/api/outgoing/calendars', { name: 'On call', content: WEEK });
  const { id } = calendarSchema.parse(await made.json());
  onTestFinished(async () => void (await client.request('DELETE', `/api/outgoing/calendars/${id}`)));

  const user = await openPage(ann, `/admin/outgoing/calendars/${id}`);
  await screen.findByRole('option', { name });
  await user.selectOptions(screen.getByLabelText(/^Who/, { selector: 'select' }), name);
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2099-01-04T22:00' } });
  await user.click(screen.getByRole('button', { name: 'Add' }));
  const list = screen.getByRole('list', { name: 'On instead' });
  await waitFor(() => expect(list).toHaveTextContent(new RegExp(`${name}.*10:00 PM`)));
  const read = await (await client.request('GET', '/api/outgoing/calendars')).json();
  const stored = calendarSchema.parse((read as { id: string }[]).find((one) => one.id === id));
  const written = timeZone === 'UTC' ? '2099-01-04T22:00:00.000Z' : '2099-01-04T16:30:00.000Z';
  expect(stored.overrides.map(({ from }) => from)).toEqual([written]);
  expect(within(list).getAllByRole('listitem')).toHaveLength(1);

  await user.selectOptions(screen.getByLabelText(/^Who/, { selector: 'select' }), name);
  const field = screen.getByLabelText('From');
  fireEvent.change(field, { target: { value: '12099-01-04T22:00' } });
  await user.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('Enter a date and a time.')).toBeVisible();
});

/** A calendar on which nobody is named. */
async function makeCalendar(): Promise<string> {
  const { admin } = await appServer();
  const made = await admin.request('POST', '/api/outgoing/calendars', { name: 'On call', content: WEEK });
  const { id } = calendarSchema.parse(await made.json());
  onTestFinished(async () => void (await admin.request('DELETE', `/api/outgoing/calendars/${id}`)));
  return id;
}

const hour = (count: number): string => new Date(Date.UTC(2026, 0, 1, count)).toISOString();

test('every shift of the next 48 hours is listed, also those in which nobody is on', async () => {
  const id = await makeCalendar();
  const shifts = Array.from({ length: 20 }, (_, index): Shift => ({
    from: hour(index),
    to: hour(index + 1),
    people: index === 19 ? [] : [{ id: crypto.randomUUID(), displayName: `Member ${index}` }],
    isOverride: false,
  }));
  intercept('GET', '/api/outgoing/calendars', async (_call, go) =>
    json(calendarListSchema.parse(await (await go()).json()).map((one) => Object.assign(one, { shifts }))),
  );
  await openPage(ADMINISTRATOR, `/admin/outgoing/calendars/${id}`);
  const rows = within(await screen.findByRole('list', { name: 'Who is on' })).getAllByRole('listitem');
  expect(rows).toHaveLength(20);
  expect(rows[19]).toHaveTextContent('Nobody');
});

test('somebody is put on instead once by two quick clicks', async () => {
  const app = await appServer();
  const id = await makeCalendar();
  const ann = await app.addMember('Ann Archer');
  const changes: string[] = [];
  const answered = Promise.withResolvers<void>();
  intercept('PATCH', `/api/outgoing/calendars/${id}`, async ({ body }, go) => {
    changes.push(body);
    await answered.promise;
    return go();
  });
  const user = await openPage(ADMINISTRATOR, `/admin/outgoing/calendars/${id}`);
  const [option] = await screen.findAllByRole('option', { name: ann.displayName });
  await user.selectOptions(screen.getByLabelText(/^Who/, { selector: 'select' }), option as HTMLElement);
  const add = screen.getByRole('button', { name: 'Add' });
  await user.dblClick(add);
  expect(add).toHaveAttribute('aria-disabled', 'true');
  answered.resolve();
  const list = within(screen.getByRole('list', { name: 'On instead' }));
  await list.findByRole('button', { name: /Ann Archer/ });
  await waitFor(() => expect(add).not.toHaveAttribute('aria-disabled'));
  expect(changes).toHaveLength(1);
  expect(screen.queryByText(/changed|meantime/)).toBeNull();
});

test('members to be put on instead are offered by name', async () => {
  const app = await appServer();
  const id = await makeCalendar();
  // Only these two: the names of other tests' members may have digits, which are compared as numbers.
  const attempt = uuidv7().slice(-12);
  const names = [`Zoe ${attempt}`, `Ann ${attempt}`];
  for (const name of names) await app.addMember(name);
  intercept('GET', '/api/people', async (_call, go) =>
    json(
      colleaguesSchema
        .parse(await (await go()).json())
        .filter(({ displayName }) => names.includes(displayName))
        .toSorted((one, other) => other.displayName.localeCompare(one.displayName)),
    ),
  );
  await openPage(ADMINISTRATOR, `/admin/outgoing/calendars/${id}`);
  await screen.findByRole('option', { name: `Zoe ${attempt}` });
  const [, ...offered] = within(screen.getByLabelText(/^Who/, { selector: 'select' })).getAllByRole('option');
  expect(offered.map(({ textContent }) => textContent)).toEqual(names.toReversed());
});
