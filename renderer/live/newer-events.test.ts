import { expect, test } from 'vitest';
import type { AlertsChanged, LiveEvent } from '#backend/contract/live-event.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { createNewerEvents } from './newer-events.ts';

const updated = (id: string, version: number): LiveEvent => ({
  type: 'alert_updated',
  alert: makeAlert(id, { version }),
});
const accepted = (alertId: string, version?: number): LiveEvent => ({
  type: 'alert_accepted',
  alertId,
  ownerId: 'anna',
  ownerName: 'Anna',
  ...(version !== undefined && { version }),
});
const changed = (
  alertIds: string[],
  versions?: number[],
  change: AlertsChanged['change'] = 'updated',
): AlertsChanged => ({
  type: 'alerts_changed',
  change,
  alertIds,
  ...(versions && { versions }),
  ownerId: 'anna',
  ownerName: 'Anna',
});

test('an event that is older than one before it is left out, the same once more is not', () => {
  const newerOf = createNewerEvents();
  const events = [
    updated('a', 3),
    accepted('a', 2),
    updated('b', 1),
    updated('a', 3),
    accepted('a', 4),
    updated('a', 3),
  ];
  expect(newerOf(events)).toEqual([updated('a', 3), updated('b', 1), updated('a', 3), accepted('a', 4)]);
  expect(newerOf([updated('a', 1), updated('b', 2)])).toEqual([updated('b', 2)]);
});

test('of a batch those are left out that are older, and all of it when none is left', () => {
  const newerOf = createNewerEvents();
  newerOf([updated('b', 5)]);
  expect(newerOf([changed(['a', 'b', 'c'], [2, 4, 2])])).toEqual([changed(['a', 'c'], [2, 2])]);
  expect(newerOf([changed(['b'], [4]), changed(['a', 'b'], [3, 5])])).toEqual([changed(['a', 'b'], [3, 5])]);
});

test('nothing comes after a deletion, alone or of many', () => {
  const newerOf = createNewerEvents();
  const deletions: LiveEvent[] = [{ type: 'alert_deleted', alertId: 'a' }, changed(['b'], undefined, 'deleted')];
  expect(newerOf(deletions)).toEqual(deletions);
  expect(newerOf([updated('a', 9), updated('b', 9), updated('c', 1)])).toEqual([updated('c', 1)]);
});

test('what is no change of alerts, or says no version as an earlier release does, is let through', () => {
  const newerOf = createNewerEvents();
  const events: LiveEvent[] = [updated('a', 3), accepted('a'), changed(['a']), { type: 'folders_changed' }];
  expect(newerOf(events)).toEqual(events);
});
