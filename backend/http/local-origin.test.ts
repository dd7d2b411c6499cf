import { expect, test } from 'vitest';
import { localOriginOf } from './origin.ts';

const ANY = { allowedHosts: undefined, publicUrl: undefined };

test.each([
  ['http://127.0.0.1:4400', 'http://127.0.0.1:4400'],
  ['http://localhost:4400', 'http://localhost:4400'],
  ['http://[::1]:4400', 'http://[::1]:4400'],
  ['http://0.0.0.0:4400', 'http://127.0.0.1:4400'],
  ['http://[::]:4400', 'http://127.0.0.1:4400'],
  ['http://127.0.0.1:80', 'http://127.0.0.1'],
])('a server at %s is asked on its machine at %s', (url, origin) => {
  expect(localOriginOf(url, ANY)).toBe(origin);
});

test.each(['http://192.168.1.5:4400', 'http://desk.example:4400', 'http://127.0.0.2:4400'])(
  'a server that listens at %s alone has no address for its machine alone',
  (url) => {
    expect(localOriginOf(url, ANY)).toBeUndefined();
  },
);

const at = (allowedHosts: string[], publicUrl?: URL) =>
  localOriginOf('http://127.0.0.1:4400', { allowedHosts, publicUrl });

test('the name is one that the server answers under', () => {
  expect(at(['alerts.example.com', '127.0.0.1'])).toBe('http://127.0.0.1:4400');
  expect(at(['alerts.example.com', 'localhost'])).toBe('http://localhost:4400');
  expect(at(['alerts.example.com'], new URL('http://localhost:4400'))).toBe('http://localhost:4400');
  expect(at(['alerts.example.com'])).toBeUndefined();
});
