import type { LookupAddress, LookupOptions } from 'node:dns';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ForbiddenAddressError, createDnsResolve, createGuardedLookup } from '#backend/push/guarded-agent.ts';
import { isPublicAddress } from '#backend/push/public-address.ts';
import { type NameServer, startNameServer } from '#tests/support/name-server.ts';

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
