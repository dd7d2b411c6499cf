import { expect, test } from 'vitest';
import { countText } from './count-text.ts';

test.each([-1_234, 0, 7, 999, 1_000, 12_345, 999_999, 1_000_000])(
  '%s in full reads as the browser writes it',
  (count) => {
    expect(countText(count)).toBe(count.toLocaleString('en-US'));
  },
);
