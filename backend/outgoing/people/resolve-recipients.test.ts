import { expect, it } from 'vitest';
import { faultOfMissing } from './resolve-recipients.ts';

it.each([
  [['Ann'], 'Ann has no phone, and is notified by their own choice.'],
  [['Ann', 'Bob'], 'Ann and Bob have no phone, and are notified by their own choice.'],
  [
    ['Ann', 'Bob', 'Cy', 'Di', 'Eve', 'Flo'],
    'Ann, Bob, Cy, Di, Eve and Flo have no phone, and are notified by their own choice.',
  ],
  [
    ['Ann', 'Bob', 'Cy', 'Di', 'Eve', 'Flo', 'Gus'],
    'Ann, Bob, Cy, Di, Eve and 2 others have no phone, and are notified by their own choice.',
  ],
])('says in one sentence that %j have no phone', (names, sentence) =>
  expect(faultOfMissing(names, 'phone')).toBe(sentence),
);
