import { describe, expect, test } from 'vitest';
import { withoutSecrets } from './mask-secrets.ts';

const SLACK = 'https://hooks.slack.com/services/T01ABCDEF/B02GHIJKL/abcdefghijKLMNOPQRST0123';
const DISCORD = `https://discord.com/api/webhooks/123456789012345678/${'aB-_'.repeat(17)}`;
const TEAMS =
  'https://prod-12.westeurope.logic.azure.com/workflows/0123456789abcdef0123456789abcdef/triggers/manual/paths/invoke' +
  '?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=abcDEF-ghi_JKL0123456789mnopqrstuvwxyzABCDEF';
const TELEGRAM = '123456789:AAE-abcdefghij_klmnopqrstuvwx1234';

const masked = (secrets: { url?: string; token?: string }, answer: string, account: string | null = null) =>
  withoutSecrets({ account, secrets }, answer);

describe('what a service repeats of a secret is masked', () => {
  test.each([
    ['the whole address', SLACK, `404: no ${SLACK}`, '404: no ••••'],
    ['its path', SLACK, `404: Cannot POST ${new URL(SLACK).pathname}`, '404: Cannot POST /services/••••/••••/••••'],
    ['its last part', SLACK, '403: abcdefghijKLMNOPQRST0123', '403: ••••'],
    ['its path in Discord', DISCORD, `404: ${new URL(DISCORD).pathname}`, '404: /api/webhooks/••••/••••'],
    ['a signature in its query', TEAMS, `401: ${new URL(TEAMS).searchParams.get('sig')} is over`, '401: •••• is over'],
    [
      'an encoded value',
      'https://a.example/in?key=a%2Fb%2F1234567',
      '401: a/b/1234567, a%2Fb%2F1234567',
      '401: ••••, ••••',
    ],
  ])('%s', (_, url, answer, expected) => {
    expect(masked({ url }, answer)).toBe(expected);
  });

  test('a token, its key, and in HTTP Basic with the account', () => {
    expect(masked({ token: TELEGRAM }, `404: /bot${TELEGRAM}/sendMessage`)).toBe('404: /bot••••/sendMessage');
    expect(masked({ token: TELEGRAM }, '404: AAE-abcdefghij_klmnopqrstuvwx1234')).toBe('404: ••••');
    expect(masked({ token: TELEGRAM }, '400: chat -1001234567890')).toBe('400: chat -1001234567890');
    const basic = Buffer.from('ada:key-of-ada').toString('base64');
    expect(masked({ token: 'key-of-ada' }, `401: Basic ${basic}`, 'ada')).toBe('401: Basic ••••');
  });

  test('also where the answer was cut within it', () => {
    const long = `500: ${'x'.repeat(240)} ${SLACK}`;
    expect(masked({ url: SLACK }, long.slice(0, 300))).toBe(`500: ${'x'.repeat(240)} ••••`);
    expect(masked({ url: DISCORD }, '404: aB-_aB-_aB-_aB-_')).toBe('404: ••••');
    const start = `404: ${'x'.repeat(280)} aB-_aB-_aB-_a9`;
    expect(masked({ token: 'aB-_aB-_aB-_a9-key' }, start.slice(0, 300))).toBe(`404: ${'x'.repeat(280)} ••••`);
  });
});

test('what an answer that was not cut ends with stays, where it is but the beginning of a secret', () => {
  expect(masked({ token: 'github_pat_11ABCDEFG0123456789' }, '503: no answer of github')).toBe(
    '503: no answer of github',
  );
  expect(masked({ url: SLACK }, '404: moved to https://hooks.slack.com')).toBe('404: moved to https://hooks.slack.com');
  const cut = `503: ${'x'.repeat(288)} github`;
  expect(masked({ token: 'github_pat_11ABCDEFG0123456789' }, cut)).toBe(cut);
});

test('a version that everybody knows stays', () => {
  expect(masked({ url: TEAMS }, '400: api-version 2016-06-01 is not supported')).toBe(
    '400: api-version 2016-06-01 is not supported',
  );
});

test('words that stand in addresses of everybody stay', () => {
  const answer = '404: no such services, webhooks, triggers or workflows on hooks.slack.com';
  expect(masked({ url: SLACK }, answer)).toBe(answer);
  expect(masked({ url: TEAMS }, answer)).toBe(answer);
});
