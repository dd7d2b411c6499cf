import { expect, test } from 'vitest';
import { ask, follow, startTyped, type } from './typed-search.ts';

test('what is typed while the previous search is in flight stays', () => {
  let typed = ask(type(startTyped(''), 'wor'), 'wor');
  typed = type(typed, 'work');
  expect(follow(typed, 'wor')).toEqual({ text: 'work', search: 'wor', asked: [] });
});

test('of two searches in flight either may come first, or the later one alone', () => {
  let typed = ask(type(startTyped(''), 'wor'), 'wor');
  typed = ask(type(typed, 'working'), 'working');
  expect(follow(follow(typed, 'wor'), 'working')).toEqual({ text: 'working', search: 'working', asked: [] });
  expect(follow(typed, 'working')).toEqual({ text: 'working', search: 'working', asked: [] });
});

test('a search that was changed elsewhere fills the box, also with what was asked for once', () => {
  const typed = follow(ask(type(startTyped(''), 'done'), 'done'), 'done');
  expect(follow(typed, '').text).toBe('');
  expect(follow(follow(typed, ''), 'done').text).toBe('done');
});
