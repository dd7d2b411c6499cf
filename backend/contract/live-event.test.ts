import { expect, test } from 'vitest';
import { isNewsOf, updateReasonSchema } from './live-event.ts';

const news = (ownerId: string | null) => updateReasonSchema.options.filter((reason) => isNewsOf(reason, ownerId));

test('what is news, and to whom', () => {
  expect(news(null)).toEqual(['escalated', 'notify_again', 'woken', 'flapping', 'arrived']);
  // That it is back concerns who has it.
  expect(news('mara')).toEqual(['escalated', 'notify_again', 'reopened', 'woken', 'flapping', 'arrived']);
  expect(isNewsOf(undefined, 'mara')).toBe(false);
});
