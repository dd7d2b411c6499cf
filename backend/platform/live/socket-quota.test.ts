import { expect, test } from 'vitest';
import { createSocketQuota } from './socket-quota.ts';

test('a member has ten places, each taken until it is given back, once', () => {
  const quota = createSocketQuota();
  const places = Array.from({ length: 10 }, () => quota.reserve('a'));
  expect(quota.reserve('a')).toBeUndefined();
  expect(quota.reserve('b')).toBeTypeOf('function');
  places[0]?.();
  places[0]?.();
  expect(quota.reserve('a')).toBeTypeOf('function');
  expect(quota.reserve('a')).toBeUndefined();
});
