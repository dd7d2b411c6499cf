import { expect, test } from 'vitest';
import { externalAddress } from './addresses.ts';

test.each(['https://example.com/a?b#c', 'http://example.com/', 'mailto:a@example.com'])(
  '%s may be opened outside',
  (url) => {
    expect(externalAddress(url)).toBe(url);
  },
);

test.each([
  'file:///C:/Windows/System32/calc.exe',
  'javascript:alert(1)',
  'ms-msdt:/id',
  'alertdesk://alerts/1',
  'smb://host/share',
  'data:text/html,x',
  'https://bank.example@evil.example/',
  'no address',
])('%s may not', (url) => expect(externalAddress(url)).toBeUndefined());
