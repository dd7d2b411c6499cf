import { expect, it } from 'vitest';
import { makeAlert } from '#tests/support/make-alert.ts';
import { canFireAgain, maySnooze, snoozeEnd, untilLabel } from './snooze.ts';
import { awake, snoozed } from './alert-changes.ts';

const at = (text: string): Date => new Date(text);

it('counts minutes by this clock until the server has answered', () => {
  const now = at('2026-11-19T13:45:30Z');
  expect(snoozeEnd({ minutes: 30 }, now)).toBe('2026-11-19T14:15:30.000Z');
  expect(snoozeEnd({ until: 'next-firing' }, now)).toBe('next-firing');
});

it.each([
  ['2026-11-19T14:00:00', 'until 2:00 PM'],
  ['2026-11-20T09:00:00', 'until tomorrow 9:00 AM'],
  ['2026-11-23T09:00:00', 'until Mon 9:00 AM'],
  ['2026-12-24T09:00:00', 'until Dec 24, 9:00 AM'],
  ['2027-01-04T09:00:00', 'until Jan 4, 2027, 9:00 AM'],
])('says until when: %s', (until, label) => {
  expect(untilLabel(at(until).toISOString(), at('2026-11-19T13:45:30'))).toBe(label);
});

it('says when nothing but a firing wakes it', () => {
  expect(untilLabel('next-firing', new Date())).toBe('until it fires again');
  expect(canFireAgain(makeAlert('a', { state: 'firing', dedupKey: 'disk' }))).toBe(true);
  expect(canFireAgain(makeAlert('a', { state: 'firing' }))).toBe(false);
  expect(canFireAgain(makeAlert('a', { dedupKey: 'disk' }))).toBe(false);
});

it('is for anybody in the inbox, else for the owner of what is open', () => {
  expect(maySnooze(makeAlert('a'), 'me')).toBe(true);
  expect(maySnooze(makeAlert('a', { status: 'accepted', ownerId: 'me' }), 'me')).toBe(true);
  expect(maySnooze(makeAlert('a', { status: 'accepted', ownerId: 'other' }), 'me')).toBe(false);
  expect(maySnooze(makeAlert('a', { status: 'completed', ownerId: 'me' }), 'me')).toBe(false);
});

it('wakes an alert without a trace', () => {
  const alert = makeAlert('a');
  expect(awake({ ...snoozed(alert, 'next-firing'), wokenAt: '2026-11-19T13:45:30.000Z' })).toEqual(alert);
});
