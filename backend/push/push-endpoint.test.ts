import { expect, test } from 'vitest';
import { faultOfEndpoint } from '#backend/push/push-endpoint.ts';

test.each([
  'https://fcm.googleapis.com/fcm/send/abc:def',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://web.push.apple.com/abc',
  'https://wns2-par02p.notify.windows.com/w/?token=abc',
  'https://push.example.com:8443/abc',
  'https://8.8.8.8/abc',
  'https://[2606:4700:4700::1111]/abc',
])('%s is taken', (url) => {
  expect(faultOfEndpoint(url)).toBeUndefined();
});

test.each([
  ['http://push.example.com/abc', /https/],
  ['https://user@push.example.com/abc', /password/],
  ['https://:secret@push.example.com/abc', /password/],
  ['https://localhost/abc', /public/],
  ['https://localhost./abc', /public/],
  ['https://push.localhost/abc', /public/],
  ['https://database/abc', /public/],
  ['https://127.0.0.1/abc', /public/],
  ['https://127.1/abc', /public/],
  ['https://2130706433/abc', /public/],
  ['https://0x7f000001/abc', /public/],
  ['https://0177.0.0.1/abc', /public/],
  ['https://127.0.0.1./abc', /public/],
  ['https://１２７.0.0.1/abc', /public/],
  ['https://10.1.2.3/abc', /public/],
  ['https://169.254.169.254/latest/meta-data', /public/],
  ['https://100.64.0.1/abc', /public/],
  ['https://0.0.0.0/abc', /public/],
  ['https://224.0.0.1/abc', /public/],
  ['https://[::]/abc', /public/],
  ['https://[::1]/abc', /public/],
  ['https://[::ffff:127.0.0.1]/abc', /public/],
  ['https://[64:ff9b::10.0.0.1]/abc', /public/],
  ['https://[fd00::1]/abc', /public/],
  ['https://[fe80::1]/abc', /public/],
  ['https://[ff02::1]/abc', /public/],
])('%s is refused', (url, fault) => {
  expect(faultOfEndpoint(url)).toMatch(fault);
});
