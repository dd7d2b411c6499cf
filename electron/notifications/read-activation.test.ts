import { expect, test } from 'vitest';
import { readActivation } from './read-activation.ts';

const server = { kind: 'team-server' as const, url: 'https://alerts.example.com' };
const shown = [{ tag: 'abc', path: '/?alert=1', buttons: ['accept' as const, 'mute-customer' as const], server }];

/** As Electron hands on what Windows hands back (`HandleToastActivation` in shell/browser/notifications/win). */
test.each([
  [
    'its body',
    { type: 'click', arguments: 'type=click&tag=abc' },
    { tag: 'abc', use: { path: '/?alert=1' }, from: server },
  ],
  [
    'its first button',
    { type: 'action', actionIndex: 0, arguments: 'type=action&action=0&tag=abc' },
    { tag: 'abc', use: { button: 'accept', tag: 'abc' }, from: server },
  ],
  [
    'its second button',
    { type: 'action', actionIndex: 1, arguments: 'type=action&action=1&tag=abc' },
    { tag: 'abc', use: { button: 'mute-customer', tag: 'abc' }, from: server },
  ],
  [
    'a button that it has not',
    { type: 'action', actionIndex: 7, arguments: 'type=action&action=7&tag=abc' },
    { tag: 'abc', use: { path: '/?alert=1' }, from: server },
  ],
  [
    'a button without a number',
    { type: 'action', actionIndex: -1, arguments: 'type=action&tag=abc' },
    { tag: 'abc', use: { path: '/?alert=1' }, from: server },
  ],
  [
    'one that nobody remembers',
    { type: 'action', actionIndex: 0, arguments: 'type=action&action=0&tag=old' },
    { tag: 'old', use: { path: '/' }, from: null },
  ],
  [
    'the body of one without a launch attribute',
    { type: 'click', arguments: '' },
    { tag: null, use: { path: '/' }, from: null },
  ],
])('%s', (_, details, expected) => expect(readActivation(details, shown)).toEqual(expected));
