import { expect, test } from 'vitest';
import { groupText } from './group-text.ts';

const of = (severity: 'critical' | 'warning' | null, customer: string | null, alerts: number) => ({
  severity,
  customer,
  alerts,
});

test('several alerts are named by what they share', () => {
  expect(groupText([of('critical', 'Harbor & Finch', 14)])).toBe('14 critical alerts of Harbor & Finch');
  expect(groupText([of('critical', 'Harbor', 2), of('warning', 'Harbor', 1_200)])).toBe(
    '1,202 alerts of Harbor, 2 of them critical',
  );
  expect(groupText([of('warning', 'Harbor', 1), of('warning', 'Finch', 1), of('warning', null, 1)])).toBe(
    '3 warning alerts of 3 customers',
  );
  expect(groupText([of(null, null, 7)])).toBe('7 alerts');
});
