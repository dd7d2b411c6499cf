import { expect, test } from 'vitest';
import { teamServerUrlSchema } from './server-choice.ts';

test.each([
  ['https://alerts.example.com', 'https://alerts.example.com'],
  ['alerts.example.com', 'https://alerts.example.com'],
  [' https://alerts.example.com:8443/some/page?x#y ', 'https://alerts.example.com:8443'],
  ['http://localhost:4400/', 'http://localhost:4400'],
  ['http://127.0.0.1:4400', 'http://127.0.0.1:4400'],
  ['http://[::1]:4400', 'http://[::1]:4400'],
])('%s is the server %s', (typed, origin) => expect(teamServerUrlSchema.parse(typed)).toBe(origin));

test.each([
  ['http://alerts.example.com', 'Only https:// is safe on a network.'],
  ['http://127.0.0.1.example.com', 'Only https:// is safe on a network.'],
  ['https://me:secret@alerts.example.com', 'The address must not hold a password.'],
  ['ftp://alerts.example.com', 'The address must begin with https://.'],
  ['https://', 'This is not an address. It looks like https://alerts.example.com.'],
])('%s is refused: %s', (typed, sentence) => {
  expect(teamServerUrlSchema.safeParse(typed).error?.issues[0]?.message).toBe(sentence);
});
