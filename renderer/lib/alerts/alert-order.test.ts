import { expect, test } from 'vitest';
import { type AlertPosition, compareAlerts } from './alert-order.ts';

const alerts: AlertPosition[] = [
  { id: '1', status: 'completed' },
  { id: '2', status: 'pending' },
  { id: '3', status: 'accepted' },
  { id: '4', status: 'in-progress' },
  { id: '5', status: 'accepted' },
  { id: '6', status: 'completed' },
];
const idsBy = (sort: Parameters<typeof compareAlerts>[0]) =>
  alerts.toSorted((one, other) => compareAlerts(sort, one, other)).map(({ id }) => id);

test('by status: accepted, in progress, completed, any other last; newest first among equals', () => {
  expect(idsBy('status')).toEqual(['5', '3', '4', '6', '1', '2']);
});

test('by age, newest first unless told', () => {
  expect(idsBy(undefined)).toEqual(['6', '5', '4', '3', '2', '1']);
  expect(idsBy('oldest')).toEqual(['1', '2', '3', '4', '5', '6']);
});
