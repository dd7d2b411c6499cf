import { expect, test } from 'vitest';
import { type AlertRow, type EntryRow, factOf } from './fact.ts';

const RESOLVED_AT = 5_000;

const ALERT: AlertRow = {
  id: '1',
  receivedAt: 1_000,
  status: 'pending',
  customer: null,
  alertType: null,
  sourceId: null,
  severity: 'high',
  ownerId: null,
  resolvedAt: RESOLVED_AT,
  completedAt: null,
  isTest: false,
  occurrences: 1,
  quietByName: null,
  dedupKey: null,
  title: null,
};

const entry = ([action, createdAt]: readonly [string, number]): EntryRow => ({
  alertId: '1',
  action,
  previousStatus: null,
  newStatus: null,
  userDisplayName: 'Ann Ashby',
  createdAt,
});

test.each([
  ['nobody has accepted', null, [], true],
  ['somebody accepted after it was resolved', 'ann', [['accepted', 6_000]], true],
  [
    'somebody had, and gave back after it was resolved',
    null,
    [
      ['accepted', 2_000],
      ['unaccepted', 6_000],
    ],
    false,
  ],
  [
    'somebody had, and gave back before it was resolved',
    null,
    [
      ['accepted', 2_000],
      ['unaccepted', 3_000],
    ],
    true,
  ],
  [
    'one had, and another has since',
    'ben',
    [
      ['accepted', 2_000],
      ['returned', 6_000],
      ['accepted', 7_000],
    ],
    false,
  ],
  ['somebody has by a release that wrote no history', 'ann', [], false],
] as const)('resolved before anyone accepted it: what %s', (_, ownerId, entries, isFirst) => {
  expect(factOf({ ...ALERT, ownerId }, entries.map(entry)).isResolvedFirst).toBe(isFirst);
});
