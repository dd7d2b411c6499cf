import { expect, test } from 'vitest';
import { weaknessOf } from './password-rules.ts';

const OLGA = { email: 'olga.petrenko@kyivstar.example', displayName: 'Olga Petrenko' };

test.each([
  'password123',
  'PassWord123',
  'alertdesk',
  'Alertdesk-2026!',
  'ALERTDESK alertdesk',
  'petrenko1987',
  'Olga.Petrenko',
  'kyivstar2026',
  // Full-width letters are letters.
  'ｏｌｇａ-ｐｅｔｒｅｎｋｏ',
  // Three letters of its own.
  'abc-petrenko-1',
])('%j is refused', (password) => {
  expect(weaknessOf(password, OLGA)).toMatch(/Choose another\.$/);
});

test.each([
  'four words and olga',
  // Four letters of its own.
  'abcd-petrenko-1',
  // No word of the account is in it, however few letters it has.
  '8203-5518-7764',
  'ab-8203-5518',
])('%j is taken', (password) => {
  expect(weaknessOf(password, OLGA)).toBeUndefined();
});

test('a word of one or two letters is no reason, and neither is an account without words', () => {
  expect(weaknessOf('jo-jo-jo-17', { email: 'jo@example.com', displayName: 'Jo Li' })).toBeUndefined();
  expect(weaknessOf('8203-5518-7764', { email: '1@2.example', displayName: '…' })).toBeUndefined();
});

test('a longer word is taken out before a shorter one within it', () => {
  expect(weaknessOf('deskmaster-1', { email: 'desk@example.com', displayName: 'Deskmaster' })).toMatch(/name or email/);
});
