import { expect, test } from 'vitest';
import { textFrame } from './text-frame.ts';

test.each([
  [0, '8100'],
  [125, '817d'],
  [126, '817e007e'],
  [65_535, '817effff'],
  [65_536, '817f0000000000010000'],
])('a text of %d bytes follows a header with its length', (bytes, header) => {
  const text = bytes === 0 ? '' : `€${'x'.repeat(bytes - 3)}`;
  const frame = textFrame(text);
  expect(frame.subarray(0, header.length / 2).toString('hex')).toBe(header);
  expect(frame.subarray(header.length / 2).toString()).toBe(text);
});
