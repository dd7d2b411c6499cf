import { expect, test } from 'vitest';
import { isQuitRequest, readAppLink, readLink, readStart } from './app-link.ts';

const ID = '0189a000-0000-7000-8000-00000000abcd';

test.each([
  `alertdesk://alert/${ID}`,
  `alertdesk://alert/${ID}/`,
  `alertdesk://alert/${ID}?from=mail`,
  // Mail programs and people change the case; lists know ids in small letters.
  `ALERTDESK://Alert/${ID.toUpperCase()}`,
  `alertdesk://alerts/${ID}`,
])('%s opens the alert', (link) => expect(readAppLink(link)).toEqual({ alertId: ID }));

test.each([
  'alertdesk://alert/',
  `alertdesk://alert/${ID}/accept`,
  `alertdesk://alert//${ID}`,
  'alertdesk://alert/..%2F..%2Fsettings',
  `alertdesk://alert/${ID}%00`,
  `alertdesk://alert:80/${ID}`,
  `alertdesk://user:password@alert/${ID}`,
  `alertdesk:alert/${ID}`,
  `alertdesk://server/${ID}`,
  `alertdesk-app://alert/${ID}`,
  `https://alert/${ID}`,
  `javascript:alertdesk://alert/${ID}`,
  'nonsense',
])('%s opens nothing', (link) => expect(readAppLink(link)).toBeUndefined());

const CODE = 'a-code_'.repeat(7).slice(0, 43);

test('a link may end a sign-in, by a code of 43 characters alone', () => {
  const signIn = { kind: 'signIn', code: CODE };
  expect(readLink(`alertdesk://sign-in/${CODE}`)).toEqual(signIn);
  expect(readStart(['app', `alertdesk://Sign-In/${CODE}/`])).toEqual(signIn);
  for (const link of [
    `sign-in/${CODE}x`,
    `sign-in/x/${CODE}`,
    `user@sign-in/${CODE}`,
    `sign-in/${CODE}%00`,
    'sign-in/',
  ]) {
    expect(readLink(`alertdesk://${link}`)).toBeUndefined();
  }
});

const PROGRAM = String.raw`C:\Alertdesk.exe`;

test('a start may name an alert, or what the jump list offers', () => {
  expect(readStart([PROGRAM, '--hidden', `alertdesk://alert/${ID}`])).toEqual({ kind: 'alert', alertId: ID });
  expect(readStart([PROGRAM, '--task=my-alerts'])).toEqual({ kind: 'task', task: 'my-alerts' });
  // Chromium adds switches of its own to what a second start hands over.
  expect(
    readStart([PROGRAM, '--allow-file-access-from-files', '--task=pause', '--origin-trial-disabled-features=x']),
  ).toEqual({
    kind: 'task',
    task: 'pause',
  });
});

test('a start that only quits is one without a link', () => {
  expect(isQuitRequest([PROGRAM, '--task=quit'])).toBe(true);
  expect(isQuitRequest([PROGRAM, `alertdesk://alert/${ID}`, '--task=quit'])).toBe(false);
});

test.each([
  ['nothing', [PROGRAM, '--hidden']],
  ['a task that there is not', [PROGRAM, '--task=delete']],
  ['a task of an object’s own members', [PROGRAM, '--task=constructor']],
  ['a link that is none of ours, with a task hidden behind it', [PROGRAM, 'alertdesk://alert/x', '--task=pause']],
  ['two links', [PROGRAM, `alertdesk://alert/${ID}`, `alertdesk://alert/${ID}`]],
  ['a program of that name', [`alertdesk://alert/${ID}`]],
])('a start with %s asks for nothing', (_, argv) => expect(readStart(argv)).toBeUndefined());
