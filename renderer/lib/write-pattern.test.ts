import { TZDateMini } from '@date-fns/tz/date/mini';
import { format } from 'date-fns';
import { describe, expect, it } from 'vitest';
import { writePattern } from './write-pattern.ts';

const PATTERNS = [
  'MMM d, h:mm a',
  'MMM d, yyyy h:mm a',
  'MMM d, yyyy, h:mm a',
  "MMM d, yyyy 'at' h:mm a",
  'MMMM do, yyyy',
  "EEEE, MMM d, yyyy 'at' h:mm:ss a (O)",
  "'tomorrow' h:mm a",
  'EEE h:mm a',
  'HH:mm:ss',
  'yyyy-MM-dd',
  'yyyyMMdd a',
];

describe('a pattern', () => {
  it.each(PATTERNS)('%s is written as date-fns writes it, at any moment', (pattern) => {
    for (let hour = 0; hour < 24 * 800; hour += 7) {
      const time = new Date(2026, 0, 1, hour, hour % 60, (hour * 7) % 60);
      expect(writePattern(time, pattern)).toBe(format(time, pattern));
    }
  });

  it.each(['America/St_Johns', 'Asia/Kolkata', 'Pacific/Kiritimati', 'UTC', 'Europe/Berlin'])('names %s', (zone) => {
    for (const month of [0, 6]) {
      const time = new TZDateMini(Date.UTC(2026, month, 3, 4, 5, 6), zone);
      const pattern = "EEEE, MMM d, yyyy 'at' h:mm:ss a (O)";
      expect(writePattern(time, pattern)).toBe(format(time, pattern));
    }
  });

  it('that is not known, and a moment that is none, are errors', () => {
    expect(() => writePattern(new Date(), 'QQQ')).toThrow(RangeError);
    expect(() => writePattern(new Date(Number.NaN), 'd')).toThrow(RangeError);
  });
});
