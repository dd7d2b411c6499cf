import { networkOf } from '#backend/platform/cluster/limiter.ts';
import { describe, expect, test } from 'vitest';
import { TRUSTED } from './hash-queue.ts';
import {
  type Attempt,
  PER_ACCOUNT_AND_DAY,
  PER_ACCOUNT_AND_NETWORK,
  PER_DEVICE,
  PER_DEVICE_AND_DAY,
  PER_NETWORK,
  SECOND_STEP_LIMITS,
  createSignInThrottle,
} from './sign-in-throttle.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('the network of %j is %j', (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});

const owner: Attempt = { account: 'owner@example.com', ip: '198.51.100.1', deviceId: undefined };
const known: Attempt = { ...owner, deviceId: 'known' };

/** Counts `times` attempts; returns how many were throttled. */
async function tryOften(count: (index: number) => Promise<unknown>, times: number): Promise<number> {
  let throttled = 0;
  for (let index = 0; index < times; index += 1) {
    const counted = (await count(index)) as { throttled?: unknown };
    if (counted.throttled) throttled += 1;
  }
  return throttled;
}

/** How many of 60 codes are looked at. */
async function codesTried(attempt: (index: number) => Attempt): Promise<number> {
  const throttle = createSignInThrottle(undefined, SECOND_STEP_LIMITS);
  return 60 - (await tryOften((index) => throttle.count(attempt(index)), 60));
}

describe('guesses', () => {
  test('on one account from one network are limited; the owner elsewhere and known devices go on', async () => {
    const throttle = createSignInThrottle();
    const guess = () => throttle.count({ ...owner, ip: '203.0.113.7' });
    expect(await tryOften(guess, PER_ACCOUNT_AND_NETWORK + 5)).toBe(5);
    expect(await throttle.count(owner)).toEqual({ rank: TRUSTED + 1 });
    expect(await throttle.count({ ...known, ip: '203.0.113.7' })).toEqual({ rank: TRUSTED });
  });

  test.each([
    ['a stranger', owner],
    ['a known device', known],
  ])('of %s that nobody has looked at are given back, those before stay counted', async (_, attempt) => {
    const throttle = createSignInThrottle();
    await throttle.count(attempt);
    for (let count = 0; count < PER_ACCOUNT_AND_DAY; count += 1) {
      await throttle.count(attempt);
      await throttle.giveBack(attempt);
    }
    expect(await tryOften(() => throttle.count(attempt), PER_ACCOUNT_AND_NETWORK)).toBe(1);
  });

  test('of a code are fewer than of a password: from one network, from one device, and on one account in a day', async () => {
    expect(await codesTried(() => owner)).toBe(10);
    expect(await codesTried(() => known)).toBe(10);
    expect(await codesTried((index) => ({ ...owner, ip: `203.0.113.${index}` }))).toBe(50);
    expect(await codesTried((index) => ({ ...owner, account: `${index}@example.com` }))).toBe(50);
  });

  test('from one office are limited; known devices in it go on', async () => {
    const throttle = createSignInThrottle();
    const guess = (index: number) => throttle.count({ ...owner, account: `${index}@example.com` });
    expect(await tryOften(guess, PER_NETWORK + 10)).toBe(10);
    expect(await throttle.count(known)).toEqual({ rank: TRUSTED });
  });

  test.each([
    ['60 addresses of one IPv6 /64', (index: number) => `2001:db8::${index.toString(16)}`],
    [
      'spellings of one IPv4 address',
      (index: number) => ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107'][index % 3],
    ],
  ])('from %s count as one', async (_, ipOf) => {
    const throttle = createSignInThrottle();
    const guess = (index: number) => throttle.count({ ...owner, ip: ipOf(index) ?? '' });
    expect(await tryOften(guess, 60)).toBe(60 - PER_ACCOUNT_AND_NETWORK);
  });

  test('on one account from everywhere are limited in a day; known devices go on', async () => {
    const throttle = createSignInThrottle();
    const guess = (index: number) => throttle.count({ ...owner, ip: `10.0.0.${index}` });
    expect(await tryOften(guess, PER_ACCOUNT_AND_DAY + 3)).toBe(3);
    expect(await throttle.count(known)).toEqual({ rank: TRUSTED });
  });

  test('from a known device have a limit of their own', async () => {
    const throttle = createSignInThrottle();
    expect(await tryOften(() => throttle.count(known), PER_DEVICE + 2)).toBe(2);
    expect(await throttle.count({ ...known, deviceId: 'another' })).toEqual({ rank: TRUSTED });
  });

  test.each([
    ['passwords', undefined, PER_DEVICE_AND_DAY],
    ['codes and recovery codes', SECOND_STEP_LIMITS, SECOND_STEP_LIMITS.perDeviceAndDay],
  ])('of %s from a known device are limited in a day, whatever is right in between', async (_, limits, perDay) => {
    const throttle = createSignInThrottle(undefined, limits);
    let wrong = 0;
    for (let hour = 0; hour < 24; hour += 1) {
      wrong += 9 - (await tryOften(() => throttle.count(known), 9));
      // Its owner signs in with it, too.
      if (!('throttled' in (await throttle.count(known)))) await throttle.forgive(known);
    }
    expect(wrong).toBe(perDay);
    expect(await throttle.count({ ...known, deviceId: 'another' })).toEqual({ rank: TRUSTED });
  });
});

test('a right password forgives the attempts from there, and a network with fewer attempts goes first', async () => {
  const throttle = createSignInThrottle();
  await tryOften(() => throttle.count(owner), PER_ACCOUNT_AND_NETWORK - 1);
  await throttle.forgive(owner);
  expect(await tryOften(() => throttle.count(owner), PER_ACCOUNT_AND_NETWORK)).toBe(0);
  const many = await throttle.count({ ...owner, account: 'other@example.com' });
  const fresh = await throttle.count({ ...owner, ip: '192.0.2.1' });
  expect(fresh).toEqual({ rank: TRUSTED + 1 });
  expect((many as { rank: number }).rank).toBeGreaterThan(TRUSTED + 1);
});
