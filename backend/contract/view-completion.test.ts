import { expect, it } from 'vitest';
import { completionOfView } from './view-completion.ts';

it.each([
  ['', 'open'],
  ['disk "status:completed"', 'open'],
  ['disk status:completed', undefined],
  ['status:"In Progress"', undefined],
  // What is no status is an error of the search, and what is not written yet asks for none.
  ['disk status:bogus', 'open'],
  ['disk status:', 'open'],
  ['status:bogus status:accepted', undefined],
])('of My Alerts a view with the search %j counts what is %s', (search, expected) => {
  expect(completionOfView('mine', search)).toBe(expected);
  expect(completionOfView('all', search)).toBeUndefined();
});
