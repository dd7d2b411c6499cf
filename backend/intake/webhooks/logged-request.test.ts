import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { FoundSource } from '#backend/intake/sources/credentials.ts';
import { type Taking, bodyOfRefused, loggedRequest } from './logged-request.ts';

const KEY = 'ad_key-of-some-source-7890';
const SETTINGS = { adapter: 'auto', keepBodiesUpTo: 1000 };

const refused = {
  kind: 'refused',
  found: { source: { id: 'a source', settings: SETTINGS } },
  way: 'key',
  reason: 'paused',
} as unknown as FoundSource;
const unknown: FoundSource = { kind: 'unknown', presented: { way: 'key', plain: KEY } };
const keyless: FoundSource = { kind: 'unknown', presented: undefined };

/** A request with a key in its body, of which nothing is read yet. */
const taking = (found: FoundSource, more: Partial<Taking> = {}): Taking => ({
  request: {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': '17', 'user-agent': 'Alertmanager/0.27' },
    rawHeaders: [],
  } as unknown as IncomingMessage,
  url: '/webhook?a=1',
  address: { route: '/webhook', target: '/webhook?a=1' } as unknown as Taking['address'],
  remoteAddress: '192.0.2.1',
  receivedAt: 1,
  startedAt: performance.now(),
  credentials: found === keyless ? [] : [{ way: 'key', plain: KEY }],
  found,
  body: undefined,
  readAt: undefined,
  text: undefined,
  event: undefined,
  begun: undefined,
  secrets: undefined,
  ...more,
});

describe('what the log notes of a request', () => {
  test('that belongs to no source: its key masked, who it may be from, and what its body would have been', () => {
    expect(loggedRequest(taking(unknown), 401, 'an id')).toMatchObject({
      id: 'an id',
      status: 401,
      source: null,
      outcome: 'refused',
      way: 'key',
      maskedKey: 'ad_••••••••7890',
      sender: 'alertmanager',
      size: 17,
      body: null,
      secrets: [KEY],
    });
  });

  test('without a key', () => {
    expect(loggedRequest(taking(keyless), 401, 'an id')).toMatchObject({ way: 'none', maskedKey: null, secrets: [] });
  });

  test('of a source: its id and no key, and the bytes that were read', () => {
    const read = { body: { bytes: Buffer.alloc(5), size: 3 } };
    expect(loggedRequest(taking(refused, read), 403, 'an id')).toMatchObject({
      source: { id: 'a source', keepBodiesUpTo: 1000 },
      way: 'key',
      maskedKey: null,
      sender: null,
      size: 3,
    });
  });
});

describe('the body of a refused request', () => {
  const text = `{"title":"Disk","key":"${KEY}"}`;

  test('is shown to the operators of its source, with the credential masked', () => {
    expect(bodyOfRefused(taking(refused, { text }))).toBe('{"title":"Disk","key":"ad_••••••••7890"}');
  });

  test('is nobody’s where its source is not known, or nothing of it was read', () => {
    expect([bodyOfRefused(taking(unknown, { text })), bodyOfRefused(taking(refused))]).toEqual([null, null]);
  });
});
