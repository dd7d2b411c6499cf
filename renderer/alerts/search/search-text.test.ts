import { expect, test } from 'vitest';
import { markedTexts, searchIn, searchOf, splitSearch } from './search-text.ts';
import { completePart, finishParts, hintIn, openPart, timeMeaning } from './typed-parts.ts';

const at = (day: string) => new Date(`2026-${day}T12:00`);
const typed = (text: string) => ({ chips: [], text });

test('finished parts with a key become chips, what is being typed does not', () => {
  expect(finishParts(typed('customer:Blue'))).toEqual({ chips: [], text: 'customer:Blue' });
  expect(finishParts(typed('disk customer:"Harbor & Finch" full'))).toEqual({
    chips: ['customer:"Harbor & Finch"'],
    text: 'disk full',
  });
  expect(finishParts({ chips: ['type:a'], text: 'type:a from:2h ' })).toEqual({
    chips: ['type:a', 'from:2h'],
    text: '',
  });
  expect(finishParts(typed('status:open '))).toEqual({ chips: [], text: 'status:open ' });
});

test('what is looked for are chips and words', () => {
  expect(searchOf({ chips: ['type:a'], text: ' disk "almost full customer:' })).toBe(
    'type:a disk "almost full customer:"',
  );
  expect(searchOf(typed('disk customer:Bl'))).toBe('disk');
  expect(searchOf(typed('status:open disk'))).toBe('disk');
});

test('an address is shown as it was typed, and only what is understood is looked for', () => {
  expect(splitSearch('disk customer:Blue status:open "a b"')).toEqual({
    chips: ['customer:Blue'],
    text: 'disk status:open "a b"',
  });
  expect(searchIn(new URLSearchParams({ search: 'disk customer:Blue status:open' }))).toBe('customer:Blue disk');
  expect(searchIn(new URLSearchParams({ search: '  ' }))).toBeUndefined();
  expect(searchIn(new URLSearchParams())).toBeUndefined();
});

test('words and names are marked', () => {
  expect(markedTexts({ q: 'Full', search: 'Disk customer:Blue severity:high from:2h' })).toEqual([
    'full',
    'disk',
    'blue',
  ]);
  expect(markedTexts({})).toEqual([]);
});

test('a hint comes once the part is finished', () => {
  expect(hintIn('status:op')).toBeUndefined();
  expect(hintIn('status:open ')).toMatch(/^status: takes pending/);
});

test('a value is completed where its key is typed', () => {
  expect(openPart('disk type:')).toEqual({ key: 'type', value: '', start: 5 });
  expect(openPart('disk customer:"Har')).toEqual({ key: 'customer', value: 'Har', start: 5 });
  expect(openPart('disk type:a ')).toBeUndefined();
  expect(openPart('disk')).toBeUndefined();
  expect(completePart(typed('disk customer:Har'), 'customer', 'Harbor & Finch')).toEqual({
    chips: ['customer:"Harbor & Finch"'],
    text: 'disk ',
  });
});

test('a time means a day or a moment, and another one a week later; what has none means nothing', () => {
  expect(timeMeaning('from', 'lastweek', at('11-22'))).toBe('Mon, Nov 9');
  expect(timeMeaning('from', 'lastweek', at('11-29'))).toBe('Mon, Nov 16');
  expect(timeMeaning('to', 'lastweek', at('11-22'))).toBe('Sun, Nov 15');
  expect(timeMeaning('to', '9:30', at('11-22'))).toBe('Sun, Nov 22, 9:30 AM');
  expect(timeMeaning('from', 'lastmonth', at('01-10'))).toBe('Mon, Dec 1, 2025');
  expect(timeMeaning('from', 'nextweek', at('11-22'))).toBeUndefined();
  expect(timeMeaning('type', 'today', at('11-22'))).toBeUndefined();
  expect(timeMeaning(undefined, 'today', at('11-22'))).toBeUndefined();
});
