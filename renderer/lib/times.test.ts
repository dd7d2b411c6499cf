import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatCardTime,
  formatDate,
  formatExactTime,
  formatFieldTime,
  formatHistoryTime,
  formatLastSeen,
  formatLongDate,
} from './times.ts';

const time = new Date(2026, 10, 21, 9, 42, 7);
const later = (seconds: number): Date => new Date(time.getTime() + seconds * 1000);

describe('times', () => {
  it('have one format each for cards, history, dates, last seen and API keys', () => {
    expect(formatCardTime(time)).toBe('Nov 21, 9:42 AM');
    expect(formatHistoryTime(time)).toBe('Nov 21, 2026 9:42 AM');
    expect(formatDate(time)).toBe('Nov 21, 2026');
    expect(formatLastSeen(time)).toBe('Nov 21, 2026 at 9:42 AM');
    expect(formatLongDate(time)).toBe('November 21st, 2026');
    expect(formatExactTime(time)).toMatch(/^Saturday, Nov 21, 2026 at 9:42:07 AM \(GMT.*\)$/);
  });

  it('carry the year when it is not this one', () => {
    expect(formatFieldTime(time, later(60))).toBe('Nov 21, 9:42 AM');
    expect(formatFieldTime(time, new Date(2027, 0, 1))).toBe('Nov 21, 2026, 9:42 AM');
  });

  it.each([
    [-59, 'just now'],
    [0, 'just now'],
    [59, 'just now'],
    [60, '1 min ago'],
    [3599, '59 min ago'],
    [3600, undefined],
    [-3600, undefined],
  ])('%i s later reads %s', (seconds, text) => {
    expect(formatAgo(time, later(seconds))).toBe(text);
  });
});
