import { expect, test } from 'vitest';
import { parseRequestFile } from './read-requests.ts';

const parse = (file: unknown) => parseRequestFile(JSON.stringify(file), 'a.json');

test('takes a request as recorded, without the headers of its connection', () => {
  const headers = { 'Content-Type': 'application/json', Host: 'example.org', 'Content-Length': '5', 'x-event': 'push' };
  expect(
    parse({ sender: 'Tester', method: 'POST', path: '/webhook?team=a', headers, body: { a: [1] }, kind: 'x' }),
  ).toEqual({
    sender: 'Tester',
    method: 'POST',
    path: '/webhook?team=a',
    headers: { 'Content-Type': 'application/json', 'x-event': 'push' },
    body: '{"a":[1]}',
  });
});

test('sends a raw body as it stands', () => {
  expect(parse({ rawBody: '{"a": 1.0}' })).toMatchObject({ sender: 'a.json', path: '/webhook', body: '{"a": 1.0}' });
});

test('sends null when the body is null', () => {
  expect(parse({ body: null }).body).toBe('null');
});

test('says which file is no request file, and why', () => {
  expect(() => parse({ method: 'POST' })).toThrow('a.json is not a request file: the whole: neither body nor rawBody.');
  expect(() => parse({ body: 1, path: 'webhook' })).toThrow('a.json is not a request file: path: ');
  expect(() => parseRequestFile('{', 'b.json')).toThrow('b.json is not a request file');
});
