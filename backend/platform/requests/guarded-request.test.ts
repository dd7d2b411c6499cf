import { expect, test, afterAll, beforeAll, describe } from 'vitest';
import {
  isPublicAddress,
  faultOfEndpoint,
  ForbiddenAddressError,
  createDnsResolve,
  createGuardedLookup,
} from './guarded-request.ts';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { type NameServer, startNameServer } from '#tests/support/name-server.ts';

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '192.0.1.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:810::200e',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['100.127.255.255', 'carrier-grade NAT'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['169.254.169.254', 'link-local: a cloud’s metadata'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.8', 'protocol assignments'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', '6to4 relays'],
  ['192.168.1.1', 'private'],
  ['198.18.0.1', 'benchmarks'],
  ['198.51.100.7', 'documentation'],
  ['203.0.113.9', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'IPv4-mapped'],
  ['::ffff:8.8.8.8', 'IPv4-mapped'],
  ['::ffff:7f00:1', 'IPv4-mapped'],
  ['::7f00:1', 'IPv4-compatible'],
  ['64:ff9b::7f00:1', 'NAT64'],
  ['64:ff9b:1::a00:1', 'local NAT64'],
  ['100::1', 'discard'],
  ['2001::1', 'Teredo'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::1', '6to4 of loopback'],
  ['3fff::1', 'documentation'],
  ['5f00::1', 'segment routing'],
  ['fc00::1', 'unique local'],
  ['fd12:3456::1', 'unique local'],
  ['fe80::1', 'link-local'],
  ['fe80::1%lo', 'link-local with a zone'],
  ['2606:4700:4700::1111%lo', 'a zone of this machine'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['example.com', 'no address'],
  ['', 'no address'],
])('%s is not: %s', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

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

let names: NameServer;
beforeAll(async () => {
  names = await startNameServer({
    'push.example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
    'four.example.com': ['93.184.215.14'],
    'inside.example.com': ['127.0.0.1'],
    'inside6.example.com': ['::1'],
    'mixed.example.com': ['93.184.215.14', '10.0.0.8'],
    'mixed6.example.com': ['93.184.215.14', 'fd00::8'],
    'empty.example.com': [],
  });
});
afterAll(() => names.close());

const look = (hostname: string, options: LookupOptions = { all: true }) =>
  new Promise<LookupAddress[]>((resolve, reject) => {
    const lookup = createGuardedLookup(isPublicAddress, createDnsResolve([names.address]));
    lookup(hostname, options, (error, found, family) => {
      if (error) reject(error);
      else resolve(typeof found === 'string' ? [{ address: found, family: family ?? 0 }] : found);
    });
  });

test('a name on the public internet is looked up in both families', async () => {
  const four = { address: '93.184.215.14', family: 4 };
  const six = { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 };
  expect(await look('push.example.com')).toEqual([four, six]);
  expect(await look('push.example.com', { all: true, family: 6 })).toEqual([six]);
  expect(await look('push.example.com', { family: 6 })).toEqual([six]);
  expect(await look('push.example.com', {})).toEqual([four]);
  expect(await look('four.example.com')).toEqual([four]);
});

describe('a name is refused', () => {
  test.each(['inside.example.com', 'inside6.example.com', 'mixed.example.com', 'mixed6.example.com'])(
    'with any address inside: %s',
    async (hostname) => {
      await expect(look(hostname)).rejects.toThrow(ForbiddenAddressError);
      await expect(look(hostname, { family: 4 })).rejects.toThrow(ForbiddenAddressError);
    },
  );

  test('that nobody knows, or that has no address of the family', async () => {
    await expect(look('unknown.example.com')).rejects.toThrow(/ENOTFOUND/);
    await expect(look('empty.example.com')).rejects.toThrow(/ENODATA/);
    await expect(look('four.example.com', { family: 6 })).rejects.toThrow(/has no address/);
  });
});
