import { expect, test } from 'vitest';
import { type MemberSettings, shouldPush } from '#backend/push/push-policy.ts';

const settings = (more: Partial<MemberSettings> = {}): MemberSettings => ({
  isActive: true,
  mutedCustomers: new Set(['Nordwind']),
  mutedAlertTypes: new Set(['disk.full']),
  ...more,
});

test.each([
  ['what is not muted', { customer: 'Harbor & Finch', alertType: 'order.failed' }, true],
  ['what names neither customer nor type', { customer: null, alertType: null }, true],
  ['a muted customer', { customer: 'Nordwind', alertType: 'order.failed' }, false],
  ['a muted type', { customer: 'Harbor & Finch', alertType: 'disk.full' }, false],
  ['a muted type without a customer', { customer: null, alertType: 'disk.full' }, false],
  ['a muted customer without a type', { customer: 'Nordwind', alertType: null }, false],
  ['names that differ in case', { customer: 'nordwind', alertType: 'Disk.full' }, true],
  ['a customer named like a muted type', { customer: 'disk.full', alertType: 'Nordwind' }, true],
])('%s', (_what, alert, isTold) => {
  expect(shouldPush(settings(), alert)).toBe(isTold);
});

test('a disabled member is told nothing', () => {
  expect(shouldPush(settings({ isActive: false }), { customer: null, alertType: null })).toBe(false);
});
