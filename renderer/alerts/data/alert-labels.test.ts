import { expect, it } from 'vitest';
import { alertName, typeBeside } from './alert-labels.ts';

const nameOf = (title: string | null, customer: string | null = null, alertType: string | null = null) =>
  alertName({ customer, alertType, title });

it('names an alert as a person would', () => {
  expect(nameOf('Disk almost full on db-7', 'Nordwind', 'disk.full')).toBe(
    'disk.full from Nordwind: Disk almost full on db-7',
  );
  expect(nameOf('Checkout is down', 'Nordwind')).toBe('Alert from Nordwind: Checkout is down');
});

it('leaves out what the alert does not say', () => {
  expect(nameOf(null, 'Nordwind', 'order.failed')).toBe('order.failed from Nordwind');
  expect(nameOf(null, null, 'order.failed')).toBe('order.failed');
  expect(nameOf(null)).toBe('Alert without a customer');
  expect(nameOf('Checkout is down')).toBe('Checkout is down');
});

it('takes no headline that is longer than a line', () => {
  expect(nameOf('x'.repeat(500))).toHaveLength(120);
});

it('says a type that is the headline once', () => {
  expect(alertName({ customer: 'Nordwind', alertType: 'disk.full', title: 'disk.full' })).toBe(
    'disk.full from Nordwind',
  );
  expect(typeBeside({ alertType: 'disk.full', title: 'disk.full' })).toBeUndefined();
  expect(typeBeside({ alertType: 'disk.full', title: 'Disk almost full' })).toBe('disk.full');
  expect(typeBeside({ alertType: 'disk.full', title: null })).toBe('disk.full');
  expect(typeBeside({ alertType: null, title: null })).toBeUndefined();
});
