import { describe, expect, test } from 'vitest';
import type { Notice } from '#backend/contract/notice.ts';
import { ageLabel, dayLabel, goneText, headlineOf, pathOfNotice, sentenceOf } from './notice-texts.ts';

type Changes = Partial<Omit<Notice, 'alert'>> & { alert?: Partial<Notice['alert']> };

const notice = ({ alert, ...more }: Changes = {}): Notice => ({
  id: 'notice',
  kind: 'mentioned',
  byName: 'Ann Ashby',
  text: '',
  alerts: 1,
  wasSignedOut: false,
  createdAt: '2026-11-26T12:00:00.000Z',
  ...more,
  alert: {
    id: 'alert',
    title: 'Disk full',
    customer: 'Nordwind',
    severity: 'high',
    state: 'firing',
    access: 'visible',
    ...alert,
  },
});

test.each<[Changes, string]>([
  [{}, 'Ann Ashby mentioned you'],
  [{ kind: 'handed_over', alerts: 7 }, 'Ann Ashby handed over 7 alerts'],
  [{ kind: 'handed_over' }, 'Ann Ashby handed over an alert'],
  [{ kind: 'assigned' }, 'Ann Ashby assigned you an alert'],
  [{ kind: 'assigned', alerts: 3 }, 'Ann Ashby assigned you 3 alerts'],
  [{ kind: 'reassigned', toName: 'Ann Ashby' }, 'Ann Ashby took an alert of yours'],
  [{ kind: 'reassigned', toName: 'Ben', alerts: 2 }, 'Ann Ashby gave 2 alerts of yours to Ben'],
  [{ byName: 'Ann\n\u202eAshby' }, 'Ann Ashby mentioned you'],
])('%j is said as "%s"', (changes, expected) => {
  const parts = sentenceOf(notice(changes));
  expect(parts.map(({ text }) => text).join('')).toBe(expected);
  expect(parts[0]?.isStrong).toBe(true);
});

test.each<[Changes, string, string | undefined]>([
  [{}, 'Disk full', 'Nordwind'],
  [{ alerts: 4 }, 'Disk full and 3 more', undefined],
  [{ alert: { title: null } }, 'Nordwind', undefined],
  [{ alert: { title: null, customer: null } }, 'An alert', undefined],
  [{ alert: { customer: null } }, 'Disk full', undefined],
])('%j is named "%s", beside %s', (changes, headline, customer) => {
  expect(headlineOf(notice(changes))).toEqual({ headline, customer });
});

describe('an alert that cannot be opened', () => {
  test.each<[Changes, string | undefined, string | undefined]>([
    [{}, undefined, '/alert/alert'],
    [{ alert: { access: 'deleted', deletedBy: 'Ben' } }, 'It was deleted by Ben.', undefined],
    [{ alert: { access: 'deleted' } }, 'It was deleted.', undefined],
    [{ alert: { access: 'taken', ownerName: 'Ben' } }, 'Ben has it now.', undefined],
    [{ alert: { access: 'taken' } }, 'Someone else has it.', undefined],
    [{ alert: { access: 'taken', isCompleted: true } }, 'It was completed before anyone accepted it.', undefined],
    [{ kind: 'reassigned', toName: 'Ben', alert: { access: 'taken', ownerName: 'Ben' } }, undefined, '/my-alerts'],
    [{ alerts: 2, alert: { access: 'deleted' } }, undefined, '/my-alerts'],
  ])('%j says %s and leads to %s', (changes, gone, path) => {
    expect(goneText(notice(changes))).toBe(gone);
    expect(pathOfNotice(notice(changes))).toBe(path);
  });
});

const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute);

test('days are called as people call them, and times grow coarser', () => {
  const now = at(26, 14);
  const labels = [at(26, 13, 56), at(26, 13, 59), at(26, 9), at(25, 9, 12), at(23, 8), new Date(2025, 11, 30, 8)].map(
    (time) => [dayLabel(time.toISOString(), now), ageLabel(time.toISOString(), now)],
  );
  expect(labels).toEqual([
    ['Today', '4 min'],
    ['Today', '1 min'],
    ['Today', '5 h'],
    ['Yesterday', '9:12 AM'],
    ['Monday, November 23', '8:00 AM'],
    ['Tuesday, December 30, 2025', '8:00 AM'],
  ]);
  expect(ageLabel(new Date(now.getTime() + 30_000).toISOString(), now)).toBe('just now');
});
