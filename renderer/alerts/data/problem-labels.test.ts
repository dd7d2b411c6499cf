import { expect, test } from 'vitest';
import { makeAlert } from '#tests/support/make-alert.ts';
import { factOf, problemLabel, spokenHeadline, stateLineOf } from './problem-labels.ts';

const now = new Date('2026-11-21T10:00:00.000Z');
const ago = (minutes: number): string => new Date(now.getTime() - minutes * 60_000).toISOString();
const line = (more: Parameters<typeof makeAlert>[1]) => stateLineOf(makeAlert('a', more), now);

test.each([
  [{ state: 'firing', timestamp: ago(12) }, { text: 'Firing for 12 min' }],
  [{ state: 'firing', timestamp: ago(0.5) }, { text: 'Started firing just now' }],
  [{ state: 'firing', timestamp: ago(200) }, { text: 'Firing for 3 h' }],
  [{ state: 'firing', timestamp: ago(60 * 49) }, { text: 'Firing for 2 d' }],
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
  [{ state: 'event', timestamp: ago(3) }, { text: '3 min ago' }],
  [{ state: 'event', timestamp: ago(61) }, undefined],
] as const)('the state of %j reads %j', (more, expected) => {
  expect(line(more)).toEqual(expected);
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
  expect(spokenHeadline(alert, now)).toMatch(
    /^Critical, firing: Disk almost full on db-7\. prod-eu, HostOutOfDiskSpace, Alertmanager\. 14 times, last 2 min ago\. Nov 21, \d+:00 [AP]M\.$/,
  );
  expect(spokenHeadline(makeAlert('b', { title: 'Backup done', timestamp: ago(60) }), now)).toMatch(
    /^Backup done\. Nov 21, /,
  );
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
