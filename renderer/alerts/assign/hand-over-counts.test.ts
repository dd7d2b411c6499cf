import { expect, it } from 'vitest';
import type { HandOverCounts } from '#backend/contract/assignment.ts';
import { countOf, foldersWithAlerts, severitiesOf, snoozedOf, wantedOf } from './hand-over-counts.ts';

const COUNTS: HandOverCounts = [
  { folderId: null, status: 'accepted', severity: 'none', isSnoozed: false, alerts: 1 },
  { folderId: null, status: 'accepted', severity: 'critical', isSnoozed: false, alerts: 2 },
  { folderId: null, status: 'in-progress', severity: 'critical', isSnoozed: true, alerts: 3 },
  { folderId: 'f', status: 'accepted', severity: 'low', isSnoozed: false, alerts: 10 },
  { folderId: 'g', status: 'in-progress', severity: 'low', isSnoozed: false, alerts: 20 },
];

it('counts what a choice takes: all or one status, and the folders that are named', () => {
  expect(countOf(wantedOf(COUNTS, { status: undefined, folderIds: [] }))).toBe(6);
  expect(countOf(wantedOf(COUNTS, { status: 'in-progress', folderIds: ['f', 'g'] }))).toBe(23);
  expect(snoozedOf(wantedOf(COUNTS, { status: undefined, folderIds: ['f'] }))).toBe(3);
});

it('names the folders that bring alerts, and the severities, highest first', () => {
  expect([...foldersWithAlerts(COUNTS, undefined)]).toEqual([
    ['f', 10],
    ['g', 20],
  ]);
  expect([...foldersWithAlerts(COUNTS, 'accepted')]).toEqual([['f', 10]]);
  expect(severitiesOf(wantedOf(COUNTS, { status: undefined, folderIds: [] }))).toEqual([
    { severity: 'critical', label: 'critical', alerts: 5 },
    { severity: 'none', label: 'other', alerts: 1 },
  ]);
});
