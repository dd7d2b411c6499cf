import { expect, test } from 'vitest';
import { isGuardedPath } from './paths.ts';

test.each([
  ['/', true],
  ['/my-alerts', true],
  ['/my-alerts/', true],
  ['/settings', true],
  ['/admin', true],
  ['/admin/users', true],
  ['/login', false],
  ['/no-such-page', false],
  ['/my-alerts/17', false],
])('%s is behind the guard: %s', (pathname, guarded) => {
  expect(isGuardedPath(pathname)).toBe(guarded);
});
