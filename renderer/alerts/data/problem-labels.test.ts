import { expect, test } from 'vitest';
import { makeAlert } from '#tests/support/make-alert.ts';
import { ageOf, factOf, problemLabel, spokenCard, stateLineOf } from './problem-labels.ts';

const now = new Date('2026-11-21T10:00:00.000Z');
const ago = (minutes: number): string => new Date(now.getTime() - minutes * 60_000).toISOString();
const line = (more: Parameters<typeof makeAlert>[1]) => stateLineOf(makeAlert('a', more), now);

test.each([
  [{ state: 'firing', timestamp: ago(12) }, undefined],
  [{ state: 'event', timestamp: ago(3) }, undefined],
  [
    { state: 'firing', occurrences: 14, timestamp: ago(60), lastSeenAt: ago(2) },
    { count: '×14', text: 'last 2 min ago' },
  ],
  [
    { state: 'firing', occurrences: 10_000, timestamp: ago(60), lastSeenAt: ago(0) },
    { count: '×10,000', text: 'last just now' },
  ],
  [
    { state: 'acknowledged', occurrences: 3, timestamp: ago(60), lastSeenAt: ago(8) },
    { text: 'Acknowledged 8 min ago' },
  ],
  [
    { state: 'resolved', timestamp: ago(60), lastSeenAt: ago(1), resolvedAt: ago(1) },
    { resolved: 'Resolved', text: '1 min ago' },
  ],
] as const)('the state of %j reads %j beside its age', (more, expected) => {
  expect(line(more)).toEqual(expected);
});

test.each([
  [0.5, 'now'],
  [4, '4 min'],
  [200, '3 h'],
  [60 * 49, '2 d'],
  [-2, 'now'],
])('an alert of %s minutes ago is %s old', (minutes, age) => {
  expect(ageOf(ago(minutes), now)).toBe(age);
});

test('severity and state in words leave out what the sender does not say', () => {
  expect(problemLabel({ severity: 'critical', state: 'firing' })).toBe('Critical, firing');
  expect(problemLabel({ severity: 'none', state: 'resolved' })).toBe('Resolved');
  expect(problemLabel({ severity: 'low', state: 'event' })).toBe('Low');
  expect(problemLabel({ severity: 'none', state: 'event' })).toBe('');
});

test('a card is named by its headline, then whom it concerns, how often and when', () => {
  const alert = makeAlert('a', {
    title: 'Disk almost full on db-7.',
    customer: 'prod-eu',
    alertType: 'HostOutOfDiskSpace',
    sourceName: 'Alertmanager',
    severity: 'critical',
    state: 'firing',
    occurrences: 14,
    timestamp: ago(60),
    lastSeenAt: ago(2),
  });
  expect(spokenCard(alert, now, true)).toBe(
    'Critical, firing, new: Disk almost full on db-7. prod-eu, HostOutOfDiskSpace, Alertmanager. 14 times, last 2 min ago. 1 h ago.',
  );
  expect(spokenCard(makeAlert('b', { title: 'Backup done', timestamp: ago(60) }), now, false)).toBe(
    'Backup done. 1 h ago.',
  );
  expect(spokenCard(makeAlert('b', { title: 'Backup done', isTest: true, timestamp: ago(60) }), now, true)).toBe(
    'Test, new: Backup done. 1 h ago.',
  );
  const untitled = makeAlert('c', { customer: 'Nordwind', alertType: 'disk.full', severity: 'high' });
  expect(spokenCard(untitled, now, false)).toBe('High: disk.full from Nordwind');
  expect(spokenCard({ ...untitled, severity: 'none' }, now, true)).toBe('New: disk.full from Nordwind');
  expect(spokenCard({ ...untitled, label: 'On  call' }, now, false)).toBe('High: disk.full from Nordwind, On call');
});

const fact = (more: Parameters<typeof makeAlert>[1]) => factOf(makeAlert('a', more), now);
const days = (count: number) => ago(count * 24 * 60);
test('a card says who gave the alert, or for how many days its owner has left it', () => {
  const given = { kind: 'handed_over', byName: 'Ann Ashby' } as const;
  expect(fact({ status: 'accepted', assignment: given, touchedAt: days(9) })).toBe('Handed over by Ann Ashby');
  expect(fact({ status: 'accepted', assignment: { ...given, kind: 'assigned' } })).toBe('Assigned by Ann Ashby');
  expect(fact({ status: 'in-progress', touchedAt: days(3.5) })).toBe('No change for 3 days');
  expect(fact({ status: 'in-progress', touchedAt: days(2.9) })).toBeUndefined();
  expect(fact({ status: 'completed', touchedAt: days(30) })).toBeUndefined();
  expect(fact({ status: 'pending' })).toBeUndefined();
});
