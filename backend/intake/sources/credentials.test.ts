import { describe, expect, test } from 'vitest';
import { readAddress, readCredentials } from './credentials.ts';

const address = (url: string) => {
  const read = readAddress(url);
  if (!read) throw new Error(`${url} is no address of sources`);
  return read;
};

describe('an address', () => {
  test.each([
    ['/webhook', '/webhook', undefined, '/webhook', undefined],
    ['/webhook/', '/webhook', undefined, '/webhook', undefined],
    ['/webhook?a=1&b=%202', '/webhook', undefined, '/webhook?a=1&b=%202', undefined],
    ['/webhook?a=1&token=secret&b=2', '/webhook', undefined, '/webhook?a=1&b=2', 'secret'],
    ['/webhook?%74oken=s%20t', '/webhook', undefined, '/webhook', 's t'],
    ['/in/adt_abc', '/in/:token', 'adt_abc', '/in', undefined],
    ['/in/adt_abc/?x=1', '/in/:token', 'adt_abc', '/in?x=1', undefined],
    ['/v2/enqueue', '/v2/enqueue', undefined, '/v2/enqueue', undefined],
    ['/v2/alerts', '/v2/alerts', undefined, '/v2/alerts', undefined],
    ['/v2/alerts/a%2Fb/close?token=t&a=1', '/v2/alerts', undefined, '/v2/alerts/a%2Fb/close?a=1', 't'],
    ['/v2/heartbeats/x/ping', '/v2/alerts', undefined, '/v2/heartbeats/x/ping', undefined],
  ])('%s', (url, route, token, target, queryToken) => {
    expect(readAddress(url)).toEqual({ route, token, target, queryToken });
  });

  test.each(['/', '/in', '/in/', '/in/a/b', '/webhooks', '/webhook//', '/v2/change/enqueue', '/api/webhook', ''])(
    'not %j',
    (url) => {
      expect(readAddress(url)).toBeUndefined();
    },
  );
});

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

describe('credentials', () => {
  test.each([
    [{ 'x-webhook-auth': ' k ' }, '/webhook', [['key', 'k']]],
    [{ 'x-api-key': 'k' }, '/webhook', [['key', 'k']]],
    [{ 'x-gitlab-token': 'k' }, '/webhook', [['key', 'k']]],
    [{ authorization: 'bEaReR \t  k  ' }, '/webhook', [['key', 'k']]],
    [{ authorization: basic('user:pass:word') }, '/webhook', [['basic', 'pass:word']]],
    [{ authorization: basic(':k').replace('Basic', 'BASIC ') }, '/webhook', [['basic', 'k']]],
    [{ authorization: basic('no colon') }, '/webhook', []],
    [{ authorization: 'Bearer' }, '/webhook', []],
    [{ authorization: 'Digest x' }, '/webhook', []],
    [{}, '/in/t', [['token', 't']]],
    [{}, '/webhook?token=t', [['token', 't']]],
    [
      { 'x-webhook-auth': 'one', authorization: 'Bearer two' },
      '/in/three?token=four',
      [
        ['key', 'one'],
        ['key', 'two'],
        ['token', 'three'],
        ['token', 'four'],
      ],
    ],
  ])('%j at %s', (headers, url, expected) => {
    expect(readCredentials(headers, address(url)).map(({ way, plain }) => [way, plain])).toEqual(expected);
  });
});
