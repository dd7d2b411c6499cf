import { beforeEach, expect, it, vi } from 'vitest';
import { PushError, pushFailure, subscribeToPush } from './push-subscription.ts';
import { noteSentPush, sentPush } from './sent-push.ts';

const failed = (step: 'worker' | 'subscription' | 'server') => new PushError(step, 'what the browser said', {});

it.each([
  [failed('worker'), 'Service worker registration failed. Check browser compatibility.'],
  [failed('subscription'), 'Failed to create push subscription. Please check browser settings.'],
  [failed('server'), 'Failed to save subscription to server. Please try again.'],
  [new Error('The database is away.'), 'The database is away.'],
  [new Error(''), 'An unexpected error occurred.'],
])('%s is reported as its cause', (error, cause) => {
  expect(pushFailure(error)).toMatchObject({
    title: 'Failed to enable notifications',
    description: `Unable to enable push notifications. ${cause}`,
  });
});

const E1 = 'https://push.example.com/1';
const E2 = 'https://push.example.com/2';

/** What the page sent; the server's answers; the browser's subscription, which `subscribe` makes where there is none. */
let sent: unknown[];
let answer: () => Response;
let existing: object | null;

const subscriptionOf = (endpoint: string) => ({
  endpoint,
  options: { applicationServerKey: null },
  toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
  unsubscribe: async () => true,
});

beforeEach(() => {
  sent = [];
  answer = () => Response.json({ id: '1', createdAt: '2026-11-28T00:00:00.000Z' }, { status: 201 });
  existing = subscriptionOf(E2);
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
  vi.stubGlobal('document', { cookie: 'csrf-token=t' });
  const registration = {
    pushManager: { getSubscription: async () => existing, subscribe: async () => subscriptionOf(E2) },
  };
  vi.stubGlobal('navigator', {
    serviceWorker: { register: async () => registration, ready: Promise.resolve(registration) },
  });
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    if (path === '/api/push/vapid-public-key') return Response.json({ publicKey: 'key' });
    sent.push(JSON.parse(String(body)));
    return answer();
  });
  return () => vi.unstubAllGlobals();
});

it.each([
  ['replaced', () => undefined],
  ['lost', () => void (existing = null)],
])(
  'a subscription that the browser %s is sent as a renewal, and left where the browser was taken off the list',
  async (_what, happen) => {
    noteSentPush(E1);
    happen();
    const renewal = { endpoint: E2, keys: { p256dh: 'p', auth: 'a' }, isRenewal: true };
    answer = () => new Response('This browser was taken off the list of devices.', { status: 409 });
    expect(await subscribeToPush()).toBe('removed');
    answer = () => new Response('The database is away.', { status: 503, statusText: 'Service Unavailable' });
    const failure = new PushError('server', 'Failed to send subscription to server: The database is away.', {});
    await expect(subscribeToPush()).rejects.toThrow(failure);
    expect(sentPush()).toBe(E1);
    answer = () => Response.json({ id: '1', createdAt: '2026-11-28T00:00:00.000Z' });
    expect(await subscribeToPush()).toMatchObject({ subscription: { endpoint: E2 } });
    expect(sent).toEqual([renewal, renewal, renewal]);
    expect(sentPush()).toBe(E2);
  },
);

it('the first one of a session is no renewal', async () => {
  expect(await subscribeToPush()).toMatchObject({ subscription: { endpoint: E2 } });
  expect(sent).toMatchObject([{ endpoint: E2, isRenewal: false }]);
});
