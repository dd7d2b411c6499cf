import { expect, test } from 'vitest';
import { NO_PROBLEM } from '#backend/alerts/alert/alert.ts';
import { UNTIL_NEXT_FIRING } from '#backend/alerts/alert/stored-status.ts';
import { type ProblemAlert, type ProblemReport, changeOpenAlert, reopenAlert, routeReport } from './problems.ts';

const policy = { completesResolved: true, reopenWithinMs: 1_000, notifyAgainAfterMs: null };
const ended = { state: 'resolved', resolvedAt: null, lastSeenAt: null, receivedAt: 0 } as const;
const completed = (completedAt: number) => ({ ...ended, status: 'completed', completedAt }) as const;

test.each([
  [undefined, 'firing', 'new'],
  [undefined, 'resolved', 'nothing-open'],
  [{ ...ended, status: 'pending', completedAt: null }, 'firing', 'change'],
  [{ ...ended, status: 'in-progress', completedAt: null }, 'resolved', 'change'],
  [completed(10_000), 'resolved', 'nothing-open'],
  [completed(9_001), 'firing', 'reopen'],
  [completed(9_000), 'firing', 'new'],
  // The clock went back since.
  [completed(11_000), 'acknowledged', 'reopen'],
] as const)('a report about %j that is %s: %s', (found, state, route) => {
  expect(routeReport(found, state, policy, 10_000)).toBe(route);
});

test('a source that never reopens makes a new alert, whatever the clock says', () => {
  expect(routeReport(completed(11_000), 'firing', { ...policy, reopenWithinMs: 0 }, 10_000)).toBe('new');
});

const openAlert = (values: Partial<ProblemAlert> = {}): ProblemAlert => ({
  ...NO_PROBLEM,
  id: 'alert',
  receivedAt: 1_000,
  status: 'pending',
  customer: null,
  alertType: null,
  url: '',
  extraData: '',
  ownerId: null,
  folderId: null,
  sourceName: 'Disks',
  payload: 'first',
  state: 'firing',
  severity: 'warning',
  title: 'Disk full',
  groupTitle: 'Disks',
  ...values,
});

const firing = (values: Partial<ProblemReport> = {}): ProblemReport => ({
  title: null,
  severity: 'none',
  state: 'firing',
  dedupKey: 'disk',
  groupTitle: null,
  payload: 'first',
  ...values,
});

const NOW = 10_000;

test.each([
  ['says nothing new', {}, {}, 'repeated', 'repeated', []],
  ['is worse', {}, { severity: 'high' }, 'repeated', 'escalated', ['severity_change']],
  ['is less bad', {}, { severity: 'low' }, 'repeated', 'repeated', ['severity_change']],
  ['is as bad', {}, { severity: 'warning' }, 'repeated', 'repeated', []],
  ['comes after its end', { state: 'resolved', resolvedAt: 5 }, {}, 'repeated', 'reopened', ['reopened']],
  ['is acknowledged', {}, { state: 'acknowledged' }, 'acknowledged', 'acknowledged', ['acknowledged']],
  ['is acknowledged again', { state: 'acknowledged' }, { state: 'acknowledged' }, 'repeated', 'repeated', []],
  ['ends a snooze', { snoozedUntil: UNTIL_NEXT_FIRING }, {}, 'repeated', 'woken', ['woken']],
  [
    'is acknowledged in a snooze',
    { snoozedUntil: UNTIL_NEXT_FIRING },
    { state: 'acknowledged' },
    'acknowledged',
    'acknowledged',
    ['acknowledged'],
  ],
  ['is worse in a snooze', { snoozedUntil: 20_000 }, { severity: 'high' }, 'repeated', 'repeated', ['severity_change']],
] as const)('a report that %s', (_what, before, values, outcome, reason, actions) => {
  const alert = openAlert(before);
  const change = changeOpenAlert(alert, firing(values), policy, NOW);
  expect(change).toMatchObject({ outcome, reason });
  expect(change.entries.map(({ action }) => action)).toEqual(actions);
  expect(alert).toMatchObject({
    occurrences: outcome === 'acknowledged' ? 1 : 2,
    lastSeenAt: NOW,
    resolvedAt: null,
    snoozedUntil: reason === 'woken' || !('snoozedUntil' in before) ? null : before.snoozedUntil,
    wokenAt: reason === 'woken' ? NOW : null,
  });
});

test.each([
  [8_999, 1_001, 'repeated'],
  [9_000, 1_000, 'notify_again'],
])('a repeat after %i ms of silence, since %i', (_silence, lastSeenAt, reason) => {
  const often = { ...policy, notifyAgainAfterMs: 9_000 };
  expect(changeOpenAlert(openAlert({ lastSeenAt, receivedAt: 0 }), firing(), often, NOW).reason).toBe(reason);
  expect(changeOpenAlert(openAlert({ receivedAt: lastSeenAt }), firing(), often, NOW).reason).toBe(reason);
});

test('the end of a problem takes the severity that it names, without an entry', () => {
  const alert = openAlert();
  const change = changeOpenAlert(alert, firing({ state: 'resolved', severity: 'low' }), policy, NOW);
  expect(change.entries.map(({ action }) => action)).toEqual(['resolved']);
  expect(alert.severity).toBe('low');
});

test('a report takes what it names, and leaves the rest; the first payload is not kept twice', () => {
  const alert = openAlert();
  changeOpenAlert(alert, firing({ title: 'Disk fuller', severity: 'high', payload: 'second' }), policy, NOW);
  expect(alert).toMatchObject({ title: 'Disk fuller', groupTitle: 'Disks', severity: 'high', latestPayload: 'second' });
  changeOpenAlert(alert, firing({ groupTitle: 'All disks' }), policy, NOW);
  expect(alert).toMatchObject({ title: 'Disk fuller', groupTitle: 'All disks', severity: 'high', latestPayload: null });
});

test.each([
  ['nobody', null, true, 'completed'],
  ['nobody, of a source that keeps it', null, false, 'pending'],
  ['somebody', 'mara', true, 'pending'],
])('the end of a problem that %s accepted', (_who, ownerId, completesResolved, status) => {
  const alert = openAlert({ ownerId, snoozedUntil: 20_000, wokenAt: 3 });
  const change = changeOpenAlert(alert, firing({ state: 'resolved' }), { ...policy, completesResolved }, NOW);
  const isCompleted = status === 'completed';
  expect(change).toEqual({
    outcome: 'resolved',
    reason: 'resolved',
    entries: [{ action: 'resolved', ...(isCompleted && { previousStatus: 'pending', newStatus: 'completed' }) }],
  });
  expect(alert).toMatchObject({
    status,
    state: 'resolved',
    severity: 'warning',
    occurrences: 1,
    resolvedAt: NOW,
    completedAt: isCompleted ? NOW : null,
    snoozedUntil: isCompleted ? null : 20_000,
    wokenAt: isCompleted ? null : 3,
  });
  // Reported once more, it changes nothing.
  const again = changeOpenAlert(alert, firing({ state: 'resolved', title: 'Other' }), policy, NOW + 1);
  expect(again).toEqual({ outcome: 'resolved', entries: [] });
  expect(alert).toMatchObject({ title: 'Disk full', resolvedAt: NOW });
});

test.each([
  [null, 'none', 'pending', 'reopened'],
  ['mara', 'critical', 'accepted', 'escalated'],
] as const)('a completed alert of %s with severity %s opens again', (ownerId, severity, status, reason) => {
  const alert = openAlert({ ownerId, status: 'completed', state: 'resolved', completedAt: 5, resolvedAt: 5 });
  const change = reopenAlert(alert, firing({ severity }), NOW);
  expect(change).toMatchObject({ outcome: 'reopened', reason });
  expect(change.entries[0]).toEqual({ action: 'reopened', previousStatus: 'completed', newStatus: status });
  expect(alert).toMatchObject({ status, completedAt: null, resolvedAt: null, occurrences: 2, lastSeenAt: NOW });
});
