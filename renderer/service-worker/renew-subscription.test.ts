import { afterEach, expect, it, vi } from 'vitest';
import { renewSubscription } from './renew-subscription.ts';

afterEach(() => vi.unstubAllGlobals());

const subscription = {
  options: { applicationServerKey: new ArrayBuffer(65) },
  toJSON: () => ({ endpoint: 'https://push.example.com/2', keys: { p256dh: 'p', auth: 'a' } }),
} as unknown as PushSubscription;

it.each([
  ['it was given the new one', { newSubscription: subscription }],
  ['it makes the new one', { oldSubscription: subscription }],
])('the worker sends what the browser replaced as a renewal, where %s', async (_how, change) => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    sent.push([method, path, JSON.parse(String(body))]);
    return new Response(null, { status: 409 });
  });
  const worker = {
    cookieStore: { get: async (name: string) => (name === 'csrf-token' ? { value: 't' } : undefined) },
    registration: { pushManager: { subscribe: async () => subscription } },
  } as unknown as ServiceWorkerGlobalScope;
  await renewSubscription(worker, change);
  expect(sent).toEqual([['POST', '/api/push/subscribe', { ...subscription.toJSON(), isRenewal: true }]]);
});
