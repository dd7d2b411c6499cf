import { expect, test } from 'vitest';
import { loadVapidKeys } from './open-push.ts';
import type { SecretStore } from '#backend/platform/secrets/secret-store.ts';

const storeWith = (kept: Map<string, string>): SecretStore => ({
  get: async (name) => kept.get(name),
  async getOrCreate(name, make) {
    const value = kept.get(name) ?? make();
    kept.set(name, value);
    return value;
  },
  put: async (name, value) => void kept.set(name, value),
  remove: async (name) => void kept.delete(name),
});

test('a pair is made once and kept as one value', async () => {
  const kept = new Map<string, string>();
  const pair = await loadVapidKeys(storeWith(kept), { vapidKeys: undefined });
  expect([...kept]).toEqual([['VAPID_KEYS', `${pair.publicKey}.${pair.privateKey}`]]);
  expect(await loadVapidKeys(storeWith(kept), { vapidKeys: undefined })).toEqual(pair);
});

test('the environment’s pair is taken, and nothing kept', async () => {
  const kept = new Map<string, string>();
  const vapidKeys = { publicKey: 'public', privateKey: 'private' };
  expect(await loadVapidKeys(storeWith(kept), { vapidKeys })).toBe(vapidKeys);
  expect(kept.size).toBe(0);
});

test.each(['', 'half', `B${'A'.repeat(86)}.short`])('what is no pair stops the start: %j', async (value) => {
  const loading = loadVapidKeys(storeWith(new Map([['VAPID_KEYS', value]])), { vapidKeys: undefined });
  await expect(loading).rejects.toThrow('The secret VAPID_KEYS is damaged.');
});
