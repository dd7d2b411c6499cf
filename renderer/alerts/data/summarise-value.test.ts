import { expect, it } from 'vitest';
import { summariseValue } from './summarise-value.ts';

const line = (value: object): string => summariseValue(value).text;

it('gives the headline and the state', () => {
  expect(line({ id: 1, title: 'Spelling error in the README', state: 'open' })).toBe(
    'Spelling error in the README · open',
  );
  expect(line({ alertname: 'DiskFull', severity: 'critical' })).toBe('DiskFull · critical');
  expect(line({ full_name: 'pika/pack', name: 'pack' })).toBe('pika/pack');
});

it('finds a headline deeper down, the best of the uppermost level that has one', () => {
  expect(
    line({ number: 20, dependency: { package: { name: 'semver' } }, advisory: { summary: 'Denial of service' } }),
  ).toBe('Denial of service');
  expect(line({ agent: { summary: 'Ada' }, data: { title: 'Checkout is down', urgency: 'high' } })).toBe(
    'Checkout is down · high',
  );
});

it('gives a few fields without a headline, and the number of fields when none is plain', () => {
  expect(summariseValue({ team_id: 7, zone: 'us-1', gone: null })).toEqual({
    text: 'team id: 7, zone: us-1',
    headline: false,
  });
  expect(line({ a: { b: {} } })).toBe('1 field');
});

it('gives the first items of a list', () => {
  expect(line(['a', 'b'])).toBe('a, b');
  expect(line([{ name: 'x' }, { name: 'y' }, { name: 'z' }, { name: 'w' }])).toBe('x, y, z, and 1 more');
});

it('does not lose itself in deep or wide values', () => {
  let deep: object = { title: 'too deep' };
  for (let level = 0; level < 1000; level += 1) deep = { deep };
  expect(line(deep)).toBe('1 field');
});
