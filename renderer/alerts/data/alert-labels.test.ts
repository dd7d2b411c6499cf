import { expect, it } from 'vitest';
import { alertName, typeBeside } from './alert-labels.ts';

const nameOf = (payload: Record<string, unknown>, customer: string | null = null, alertType: string | null = null) =>
  alertName({ payload, customer, alertType, title: null });

it('names an alert as a person would', () => {
  expect(nameOf({ title: 'Disk almost full on db-7' }, 'Nordwind', 'disk.full')).toBe(
    'disk.full from Nordwind: Disk almost full on db-7',
  );
  expect(nameOf({ alert: { message: 'Checkout is down', severity: 'high' } }, 'Nordwind')).toBe(
    'Alert from Nordwind: Checkout is down',
  );
});

it('leaves out what the alert does not say', () => {
  expect(nameOf({ amount: 17 }, 'Nordwind', 'order.failed')).toBe('order.failed from Nordwind');
  expect(nameOf({ amount: 17 }, null, 'order.failed')).toBe('order.failed');
  expect(nameOf({})).toBe('Alert without a customer');
  expect(nameOf({ title: 'Checkout is down' })).toBe('Checkout is down');
});

it('takes no headline from the customer, and none that is longer than a line', () => {
  expect(nameOf({ customer: { name: 'Nordwind' } }, 'Nordwind')).toBe('Alert from Nordwind');
  expect(nameOf({ title: 'x'.repeat(500) })).toHaveLength(120);
});

it('says a type that is the headline once', () => {
  expect(alertName({ payload: {}, customer: 'Nordwind', alertType: 'disk.full', title: 'disk.full' })).toBe(
    'disk.full from Nordwind',
  );
  expect(typeBeside({ alertType: 'disk.full', title: 'disk.full' })).toBeUndefined();
  expect(typeBeside({ alertType: 'disk.full', title: 'Disk almost full' })).toBe('disk.full');
  expect(typeBeside({ alertType: 'disk.full', title: null })).toBe('disk.full');
  expect(typeBeside({ alertType: null, title: null })).toBeUndefined();
});
