import { expect, test } from 'vitest';
import { isGuardedPath } from './paths.ts';

test.each([
  ['/', true],
  ['/my-alerts', true],
  ['/my-alerts/', true],
  ['/settings', true],
  ['/folder/01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80', true],
  ['/folder', false],
  ['/admin', true],
  ['/admin/users', true],
  ['/login', false],
  ['/no-such-page', false],
  ['/my-alerts/17', false],
])('%s is behind the guard: %s', (pathname, guarded) => {
  expect(isGuardedPath(pathname)).toBe(guarded);
});
