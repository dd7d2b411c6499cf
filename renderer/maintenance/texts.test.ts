import { expect, it } from 'vitest';
import { severalOn } from './texts.tsx';

it.each([
  ['10:00 PM', 'the next ends at 10:00 PM.'],
  ['22:00', 'the next ends at 22:00.'],
  ['tomorrow 10:00 PM', 'the next ends tomorrow 10:00 PM.'],
  ['Sat 9:00 AM', 'the next ends Sat 9:00 AM.'],
  ['Dec 24, 9:00 AM', 'the next ends Dec 24, 9:00 AM.'],
])('of several windows the next one that ends at %s: “%s”', (time, sentence) =>
  expect(severalOn(2, time)).toBe(`2 windows are on, ${sentence}`),
);
