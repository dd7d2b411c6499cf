import { expect, test } from 'vitest';
import { fitBounds } from './fit-bounds.ts';

const LEFT = { x: 0, y: 0, width: 1920, height: 1040 };
const RIGHT = { x: 1920, y: 0, width: 1280, height: 984 };

test.each([
  ['nothing remembered: the middle of the first display', undefined, { x: 320, y: 100, width: 1280, height: 840 }],
  ['where it was', { x: 10, y: 20, width: 700, height: 600 }, { x: 10, y: 20, width: 700, height: 600 }],
  ['on the second display', { x: 2000, y: 20, width: 700, height: 600 }, { x: 2000, y: 20, width: 700, height: 600 }],
  [
    'at the upper edge of its display',
    { x: 100, y: 0, width: 800, height: 600 },
    { x: 100, y: 0, width: 800, height: 600 },
  ],
  [
    'as far down as it can be grasped',
    { x: 100, y: 960, width: 800, height: 600 },
    { x: 100, y: 960, width: 800, height: 600 },
  ],
  [
    'as much in sight as can be grasped',
    { x: -720, y: 100, width: 800, height: 600 },
    { x: -720, y: 100, width: 800, height: 600 },
  ],
  ['one pixel less', { x: -721, y: 100, width: 800, height: 600 }, { x: 560, y: 220, width: 800, height: 600 }],
  [
    'no larger than its display',
    { x: 1930, y: 5, width: 1900, height: 1000 },
    { x: 1930, y: 5, width: 1280, height: 984 },
  ],
  [
    'a title bar out of sight',
    { x: 100, y: 1035, width: 800, height: 600 },
    { x: 560, y: 220, width: 800, height: 600 },
  ],
  ['a sliver in sight', { x: -760, y: 100, width: 800, height: 600 }, { x: 560, y: 220, width: 800, height: 600 }],
])('%s', (_, remembered, expected) => {
  expect(fitBounds(remembered, [LEFT, RIGHT])).toEqual(expected);
});
