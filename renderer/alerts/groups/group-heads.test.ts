import { expect, it } from 'vitest';
import type { AlertGroup } from '#backend/contract/alert-group.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { groupIdsOf } from './group-data.ts';
import { foldAlerts, partsOfRow, stands } from './group-heads.ts';

const inGroup = (id: string, groupId: string) => makeAlert(id, { groupId });
const ALERTS = [inGroup('e', 'G'), makeAlert('d'), inGroup('c', 'H'), inGroup('b', 'G'), inGroup('a', 'I')];

const groupOf = (id: string, alerts: number): AlertGroup => ({
  id,
  kind: 'names',
  withinMinutes: 30,
  shared: 'Nordwind',
  alerts,
  severities: [],
  sources: [],
  since: '2026-11-21T09:00:00.000Z',
  newestAt: '2026-11-21T09:42:00.000Z',
  bars: [],
});
const groups = new Map([['H', groupOf('H', 3)]]);

const idsOf = (areAll: boolean) => foldAlerts(ALERTS, groups, areAll).map(({ id }) => id);

it('draws a group where its first alert stands, for as many alerts as the list has', () => {
  expect(idsOf(false)).toEqual(['G', 'd', 'H', 'a']);
});

it('goes by the alerts themselves once all are loaded', () => {
  expect(idsOf(true)).toEqual(['G', 'd', 'c', 'a']);
});

/** Until when a group is snoozed whose alerts are snoozed so long. */
const untilOf = (...ends: (string | undefined)[]) =>
  foldAlerts(
    ends.map((until, index) => makeAlert(`${index}`, { groupId: 'G', ...(until && { snoozedUntil: until }) })),
    groups,
    true,
  )[0]?.snoozedUntil;

it('is snoozed until the first of its alerts is back, where all of them are', () => {
  const [EARLY, LATE] = ['2026-11-22T09:00:00.000Z', '2026-11-23T09:00:00.000Z'];
  expect(untilOf('next-firing', LATE, EARLY)).toBe(EARLY);
  expect(untilOf('next-firing', 'next-firing')).toBe('next-firing');
  expect(untilOf(EARLY, undefined)).toBeUndefined();
});

it('knows which alerts a row stands for', () => {
  const ids = foldAlerts(ALERTS, groups, true).map((row) => partsOfRow(row).map(({ id }) => id));
  expect(ids).toEqual([['e', 'b'], ['d'], ['c'], ['a']]);
});

it('knows that a row that is gone stands in another: its group’s, or that of the last alert of it', () => {
  const [group, single] = foldAlerts(ALERTS, groups, true);
  const last = inGroup('b', 'G');
  expect(stands(new Set('e'), [group!])).toBe(true);
  expect(stands(new Set('eb'), [single!, last])).toBe(true);
  expect(stands(new Set('eb'), [single!])).toBe(false);
});

it('asks about the groups with most alerts first, and about single alerts only where more may follow', () => {
  expect(groupIdsOf(ALERTS.toReversed(), false)[0]).toBe('G');
  expect(groupIdsOf(ALERTS, false)).toEqual(['G', 'H', 'I']);
  expect(groupIdsOf(ALERTS, true)).toEqual(['G']);
});
