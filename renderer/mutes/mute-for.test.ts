import { expect, it } from 'vitest';
import { makeAlert } from '#tests/support/make-alert.ts';
import { hasMutable } from './mute-ask.ts';
import { mutablesOf, muteLengths } from './mute-for.ts';

it('offers what an alert has, its type first', () => {
  const alert = makeAlert('a', { customer: 'Nordwind', alertType: 'disk.full', sourceId: 's', sourceName: 'Shop' });
  expect(mutablesOf(alert)).toEqual([
    { kind: 'alert_type', id: 'disk.full', name: 'disk.full' },
    { kind: 'customer', id: 'Nordwind', name: 'Nordwind' },
    { kind: 'source', id: 's', name: 'Shop' },
  ]);
  expect(hasMutable(alert)).toBe(true);
  expect(mutablesOf(makeAlert('b'))).toEqual([]);
  expect(hasMutable(makeAlert('b'))).toBe(false);
});

it('ends a mute in the morning of the person, or never', () => {
  const lengths = muteLengths(new Date('2026-11-22T17:30:00'));
  expect(lengths.map(({ label }) => label)).toEqual([
    '1 hour',
    '8 hours',
    'Until tomorrow 9:00 AM',
    '1 week',
    'Forever',
  ]);
  expect(lengths[2]?.length).toEqual({ until: new Date('2026-11-23T09:00:00').toISOString() });
  expect(lengths[4]?.length).toEqual({});
});
