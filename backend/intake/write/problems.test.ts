import { expect, test } from 'vitest';
import { routeReport } from './problems.ts';

const policy = { completesResolved: true, reopenWithinMs: 1_000, notifyAgainAfterMs: null };
const alert = { state: 'resolved', resolvedAt: null, lastSeenAt: null, receivedAt: 0 } as const;
const completed = (completedAt: number) => ({ ...alert, status: 'completed', completedAt }) as const;

test.each([
  [undefined, 'firing', 'new'],
  [undefined, 'resolved', 'nothing-open'],
  [{ ...alert, status: 'pending', completedAt: null }, 'firing', 'change'],
  [{ ...alert, status: 'in-progress', completedAt: null }, 'resolved', 'change'],
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
