import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { awayFromMidnight } from './support/away-from-midnight.ts';
import {
  activeOption,
  findCard,
  findConnected,
  findings,
  intercept,
  json,
  memberWithQueue,
  openPage,
} from './support/open-page.tsx';

beforeEach(awayFromMidnight);

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search alerts' });
const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
const search = () => new URLSearchParams(location.search).get('search');
const chipOf = (part: string) => screen.findByRole('button', { name: `Remove ${part}` });

/** A day so many days from now, by the calendar of this device. */
function dayFrom(days: number): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 12);
}
const inWords = (day: Date): string => {
  const parts = { weekday: 'short', month: 'short', day: 'numeric' } as const;
  const otherYear = day.getFullYear() === new Date().getFullYear() ? {} : ({ year: 'numeric' } as const);
  return new Intl.DateTimeFormat('en-US', { ...parts, ...otherYear }).format(day);
};

async function openSearch(typed: string): Promise<UserEvent> {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  await app.post({ customer: 'Nordwind' });
  const user = await openPage(mara, '/');
  await findCard('Nordwind');
  await findConnected();
  await user.type(await screen.findByRole('combobox', { name: 'Search alerts' }), typed);
  return user;
}

const label = (day: Date): string => new Intl.DateTimeFormat('en-US', { dateStyle: 'full' }).format(day);

/** The day that has the focus. */
const focusedDay = () => document.activeElement?.getAttribute('aria-label');

async function openCalendar(typed: string): Promise<UserEvent> {
  const user = await openSearch(typed);
  await user.click(await screen.findByRole('option', { name: 'Choose a day…' }));
  await screen.findByRole('grid');
  return user;
}

test('after a key for times words are offered with the day that each means, and a chip says it', async () => {
  const user = await openSearch('from:');
  await screen.findByRole('listbox', { name: 'Values of from' });
  const monday = -((dayFrom(0).getDay() + 6) % 7);
  expect(options().slice(0, 4)).toEqual([
    `today${inWords(dayFrom(0))}`,
    `yesterday${inWords(dayFrom(-1))}`,
    `thisweek${inWords(dayFrom(monday))}`,
    `lastweek${inWords(dayFrom(monday - 7))}`,
  ]);
  expect(options().at(-1)).toBe('Choose a day…');
  await user.keyboard('{ArrowDown}{Enter}');
  const chip = (await chipOf('from: yesterday')).parentElement;
  expect(chip).toHaveTextContent(`from ${inWords(dayFrom(-1))}`);
  expect(chip).toHaveAttribute('title', 'from: yesterday');
  // The address keeps the word: tomorrow it means another day.
  await waitFor(() => expect(search()).toBe('from:yesterday'));

  await user.keyboard('to:mon');
  expect(options()[0]).toBe(`monday${inWords(dayFrom(monday))}`);
  await user.keyboard('{Tab}');
  await chipOf('to: monday');
  await user.keyboard('to:3');
  expect(options().map((text) => text.slice(0, 2))).toEqual(['3m', '3h', '3d', '3w', 'Ch']);
});

test('a word that is unknown is answered with those that are accepted, also by Enter', async () => {
  const user = await openSearch('from:nextweek');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('{Enter}');
  expect(await screen.findByText(/^from: takes today, yesterday, thisweek, lastweek, .* or mon/)).toBeVisible();
  expect(field()).toHaveFocus();
  expect(field()).toHaveValue('from:nextweek ');
  await user.keyboard(`${'{Backspace}'.repeat(9)}lastweek{Enter}`);
  await waitFor(() => expect(search()).toBe('from:lastweek'));
  expect(field()).not.toHaveFocus();
});

test('a day is chosen in a calendar by keys, which go by days, weeks, months and years', async () => {
  const user = await openCalendar('from:2026-01-31');
  await waitFor(() => expect(focusedDay()).toBe('Saturday, January 31, 2026'));
  const calendar = within(screen.getByRole('dialog', { name: 'Choose the first day' }));
  expect(calendar.getByRole('grid', { name: 'January 2026' })).toBeVisible();
  expect(calendar.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Mo',
    'Tu',
    'We',
    'Th',
    'Fr',
    'Sa',
    'Su',
  ]);
  expect(await findings()).toEqual([]);
  for (const [keys, day] of [
    ['{PageDown}', 'Saturday, February 28, 2026'],
    ['{ArrowRight}', 'Sunday, March 1, 2026'],
    ['{ArrowUp}', 'Sunday, February 22, 2026'],
    ['{Home}', 'Monday, February 16, 2026'],
    ['{ArrowLeft}', 'Sunday, February 15, 2026'],
    ['{ArrowDown}', 'Sunday, February 22, 2026'],
    ['{End}', 'Sunday, February 22, 2026'],
    ['{PageUp}', 'Thursday, January 22, 2026'],
    ['{Shift>}{PageUp}{/Shift}', 'Wednesday, January 22, 2025'],
    ['{Shift>}{PageDown}{/Shift}', 'Thursday, January 22, 2026'],
  ] as const) {
    await user.keyboard(keys);
    await waitFor(() => expect({ keys, day: focusedDay() }).toEqual({ keys, day }));
  }
  // Letters are for no card while the calendar is open.
  await user.keyboard('a{Enter}');
  await chipOf('from: 2026-01-22');
  expect(field()).toHaveFocus();
  expect(screen.queryByRole('grid')).toBeNull();
  await waitFor(() => expect(search()).toBe('from:2026-01-22'));
  expect(screen.queryByText('Alert accepted')).toBeNull();
});

test('the calendar begins with today, turns by its buttons, and Esc leads back to the words', async () => {
  const user = await openCalendar('to:');
  await waitFor(() => expect(focusedDay()).toBe(label(dayFrom(0))));
  expect(document.activeElement).toHaveAttribute('aria-current', 'date');
  const grid = screen.getByRole('grid');
  const heading = grid.getAttribute('aria-labelledby');
  const month = document.getElementById(heading ?? '')?.textContent;
  await user.tab({ shift: true });
  expect(screen.getByRole('button', { name: 'Next month' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(screen.getByRole('button', { name: 'Next month' })).toHaveFocus();
  expect(document.getElementById(heading ?? '')?.textContent).not.toBe(month);
  await user.tab({ shift: true });
  await user.keyboard('{Enter}');
  expect(screen.getByRole('grid', { name: month ?? '' })).toBeVisible();
  await user.keyboard('{Escape}');
  expect(field()).toHaveFocus();
  expect(field()).toHaveValue('to:');
  await waitFor(() => expect(activeOption(field())).toHaveTextContent('today'));
  await user.click(screen.getByRole('option', { name: 'Choose a day…' }));
  await user.click(await screen.findByRole('button', { name: label(dayFrom(0)), current: 'date' }));
  await screen.findByTitle(/^to: \d{4}-\d{2}-\d{2}$/);
  expect(field()).toHaveFocus();
});

test.each([
  ['30m', 2],
  ['today', 24 * 60],
])('a list that is searched from %s on is read again as time passes', async (time, minutes) => {
  const { app, mara } = await memberWithQueue();
  const customer = crypto.randomUUID();
  await app.post({ customer });
  await openPage(mara, `/?${new URLSearchParams({ search: `customer:${customer} from:${time}` })}`);
  await findCard(customer);
  await findConnected();
  // It is too old by now.
  intercept('GET', '/api/alerts/inbox', ({ url }, go) => {
    if (!url.searchParams.has('search')) return go();
    const answer = json([]);
    answer.headers.set('x-total-count', '0');
    return answer;
  });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(document.querySelector('.alert-card__card')).toBeNull());
});
