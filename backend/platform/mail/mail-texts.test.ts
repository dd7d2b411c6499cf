import { expect, test } from 'vitest';
import { composeMail, linkMail } from './mail-texts.ts';

const INVITATION = {
  kind: 'invitation',
  displayName: 'Ada',
  email: 'ada@example.com',
  byName: 'Ines Costa',
  expiresAt: Date.UTC(2026, 0, 2),
} as const;

const textOf = (hasPasswords: boolean) =>
  linkMail(new URL('https://alerts.example.com'), { ...INVITATION, hasPasswords }, 'token').text;

test('an invitation asks for a password only where members sign in with one', () => {
  expect(textOf(true)).toContain('Choose a password, and sign in with it and with ada@example.com from then on.');
  expect(textOf(false)).toContain('Sign in with the account of your organization.');
  expect(textOf(false)).not.toContain('Choose a password');
});

const subjectOf = (subject: string) => composeMail(subject, []).subject;

test('a subject is cut between characters, and says that there is more', () => {
  expect(subjectOf('👨‍👩‍👧'.repeat(200))).toBe('👨‍👩‍👧'.repeat(200));
  expect(subjectOf('💾'.repeat(201))).toBe(`${'💾'.repeat(199)}…`);
});
