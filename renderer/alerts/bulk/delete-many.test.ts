import { expect, test } from 'vitest';
import { canHoldBack } from './delete-many.ts';

const uuidOf = (at: number): string => `01a1fce3-7dd0-72a8-8b4e-${String(at).padStart(12, '0')}`;
const ids = Array.from({ length: 1_400 }, (_, at) => uuidOf(at));

test.each([
  [1, true],
  [100, false],
])('what a page that is left sends of 1,400 alerts fits with %i owners: %s', (owners, isHeldBack) => {
  const ownerOf = (id: string): string => uuidOf(ids.indexOf(id) % owners);
  expect(canHoldBack({ kind: 'ids', ids, ownerOf })).toBe(isHeldBack);
});
