import { describe, expect, test } from 'vitest';
import { type LoggedRequest, writeShared } from './delivery-row.ts';
import { SHARED_FOR_MS, createSharedRequests } from './shared-requests.ts';

const request = (change: Partial<LoggedRequest> = {}): LoggedRequest => ({
  id: crypto.randomUUID(),
  source: { id: 'source', keepBodiesUpTo: 1_000 },
  receivedAt: 1_000_000,
  outcome: 'new',
  way: 'key',
  summary: 'Disk full',
  results: [],
  status: 202,
  size: 12,
  durationMs: 1,
  remoteAddress: '127.0.0.1',
  sender: 'generic',
  recognisedBy: 'any JSON',
  replayOf: null,
  isUnverified: false,
  maskedKey: null,
  method: 'POST',
  target: '/webhook',
  rawHeaders: ['Content-Type', 'application/json', 'Content-Length', '12', 'X-API-Key', 'adt_secret_of_the_sender'],
  body: '{"a":"body"}',
  bodyOfAlert: null,
  secrets: ['adt_secret_of_the_sender'],
  ...change,
});
const headers = (length: string, ...more: string[]) => [...request().rawHeaders.toSpliced(3, 1, length), ...more];

test('the second request of a kind makes what later ones share, without secrets and its own length', () => {
  const share = createSharedRequests(writeShared);
  expect(share(request())).toBeUndefined();
  const second = share(request({ size: 7, rawHeaders: headers('7') }));
  expect(second?.made).toMatchObject({ id: second?.id, sourceId: 'source' });
  const facts = JSON.parse(second?.made?.facts ?? '{}') as { headers: unknown[] };
  expect(facts.headers).toContainEqual(['Content-Length', null]);
  expect(second?.made?.facts).not.toContain('secret');
  expect(share(request())).toEqual({ id: second?.id, made: undefined });
});

describe('nothing is shared with a request', () => {
  test.each<[string, Partial<LoggedRequest>]>([
    ['of another source', { source: { id: 'other', keepBodiesUpTo: 1_000 } }],
    ['of no source', { source: null }],
    ['to another address', { target: '/webhook?a=1' }],
    ['by another method', { method: 'PUT' }],
    ['with another answer', { status: 400 }],
    ['of another sender', { sender: 'grafana' }],
    ['recognised otherwise', { recognisedBy: 'a header' }],
    ['with another secret', { secrets: [] }],
    ['with one more header', { rawHeaders: headers('12', 'X-More', '1') }],
    ['with another header of the same value', { rawHeaders: request().rawHeaders.with(4, 'X-Other-Key') }],
    ['with another value of a header', { rawHeaders: request().rawHeaders.with(1, 'text/plain') }],
    ['whose length is not that of its body', { rawHeaders: headers('13') }],
  ])('%s', (_, change) => {
    const share = createSharedRequests(writeShared);
    share(request());
    share(request());
    expect(share(request(change))).toBeUndefined();
  });
});

test('a shared request is made again after its time, and when the clock goes back', () => {
  const share = createSharedRequests(writeShared);
  share(request());
  const first = share(request());
  const later = share(request({ receivedAt: 1_000_000 + SHARED_FOR_MS }));
  const earlier = share(request({ receivedAt: 1_000_000 }));
  expect([first?.made, later?.made, earlier?.made]).not.toContain(undefined);
  expect(new Set([first?.id, later?.id, earlier?.id]).size).toBe(3);
});

test('the last requests of a source are remembered, not all', () => {
  const share = createSharedRequests(writeShared);
  const targets = ['/in/one', '/in/two', '/in/three', '/in/four', '/in/five'];
  for (const target of targets) share(request({ target }));
  expect(share(request({ target: '/in/five' }))?.made).toMatchObject({ sourceId: 'source' });
  expect(share(request({ target: '/in/one' }))).toBeUndefined();
});
