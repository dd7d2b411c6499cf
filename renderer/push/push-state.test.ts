import { createStore } from 'jotai';
import { beforeEach, expect, it, vi } from 'vitest';
import { browserChannel } from '#renderer/notifications/notification-channel.ts';
import { pushStateAtom, subscribeToPushAtom } from './push-state.ts';
import { noteSentPush } from './sent-push.ts';

const ENDPOINT = 'https://push.example.com/1';

const KEY = '/api/push/vapid-public-key';
const DEVICES = '/api/push/subscriptions';

/** How the server answers the page, by path. */
let answers: Record<string, () => Promise<Response>>;

const device = { id: '1', device: 'Chrome on Linux', createdAt: '2026-11-28T00:00:00.000Z' };

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
  vi.stubGlobal('window', {});
  vi.stubGlobal('document', { cookie: 'csrf-token=t' });
  const subscription = { endpoint: ENDPOINT, options: { applicationServerKey: null }, unsubscribe: async () => true };
  const registration = { pushManager: { getSubscription: async () => subscription } };
  vi.stubGlobal('navigator', {
    serviceWorker: { register: async () => registration, ready: Promise.resolve(registration) },
  });
  answers = {
    [KEY]: async () => Response.json({ publicKey: 'key' }),
    [DEVICES]: async () => Response.json([{ ...device, isThisSession: true }]),
  };
  vi.stubGlobal('fetch', (path: string) => answers[path]?.());
  noteSentPush(ENDPOINT);
  return () => vi.unstubAllGlobals();
});

it('pushes that are on stay on while the server is asked again, until it says that they are not', async () => {
  const store = createStore();
  const hasPush = () => browserChannel(store).state().hasPush;
  const first = store.set(subscribeToPushAtom);
  expect(hasPush()).toBe(false);
  await first;
  expect(hasPush()).toBe(true);

  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  answers[DEVICES] = async () => {
    await released;
    return Response.json([]);
  };
  const again = store.set(subscribeToPushAtom);
  expect(hasPush()).toBe(true);
  release();
  await again;
  expect(hasPush()).toBe(false);
  expect(store.get(pushStateAtom).status).toBe('removed');
});
