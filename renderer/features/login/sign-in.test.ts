import { expect, test } from 'vitest';
import { destinationOf } from './sign-in.ts';

const inbox = { pathname: '/', search: '', hash: '' };

test('who was sent to sign in returns to where they wanted to go', () => {
  const from = { pathname: '/my-alerts', search: '?q=1', hash: '#a', state: null, key: 'x' };
  expect(destinationOf({ from })).toEqual({ pathname: '/my-alerts', search: '?q=1', hash: '#a' });
});

test.each([null, undefined, 'x', {}, { from: { pathname: 'https://elsewhere.example' } }])(
  '%j leads to the inbox',
  (state) => {
    expect(destinationOf(state)).toEqual(inbox);
  },
);
