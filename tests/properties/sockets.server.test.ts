import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { listenLive } from '#tests/support/live-client.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { createLimit } from './limits.ts';
import { sendRaw } from './send-raw.ts';
import { wildHeaders, wildJson, wildSegment, wildText } from './wild.ts';

const server = await startTestServer();
afterAll(() => server.destroy());
const apiKey = await server.addApiKey();
const speaker = await server.signedIn();
const listener = await listenLive(await server.signedIn());
afterAll(async () => {
  listener.socket.close();
  await listener.closed;
});

/** Somebody else still receives what happens. */
async function expectAlive(): Promise<void> {
  const { id } = await speaker.postAlert(apiKey);
  await expect
    .poll(() => listener.events.some((event) => event.type === 'new_alert' && event.alert.id === id), {
      interval: 5,
    })
    .toBe(true);
}

type Frame = { kind: 'text' | 'binary' | 'broken text' | 'ping' | 'pong' | 'beginning'; data: Buffer };

const frame: fc.Arbitrary<Frame> = fc.record({
  kind: fc.constantFrom('text', 'binary', 'broken text', 'ping', 'pong', 'beginning'),
  data: fc.oneof(
    wildText.map((text) => Buffer.from(text)),
    wildJson.map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(16 * 1024, 16 * 1024 + 1, 100_000).map((length) => Buffer.alloc(length, 'x')),
  ),
});

function send(socket: WebSocket, { kind, data }: Frame): void {
  if (kind === 'text') socket.send(data.toString());
  else if (kind === 'binary') socket.send(data);
  else if (kind === 'broken text') socket.send(Buffer.concat([data, Buffer.from([0xff])]), { binary: false });
  else if (kind === 'beginning') socket.send(data, { fin: false });
  // Control frames hold at most 125 bytes.
  else socket[kind](data.subarray(0, 125));
}

test('whatever a live client sends, others receive what happens', async () => {
  const limit = createLimit(0.5, 100);
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 6 }), async (frames) => {
      if (limit.isOver()) return;
      const { socket, closed } = await listenLive(speaker, '/ws');
      socket.on('error', () => undefined);
      for (const one of frames) send(socket, one);
      await expectAlive();
      socket.terminate();
      await closed;
    }),
    limit.parameters,
  );
});

const upgrades = fc.record({
  path: fc.oneof(
    fc.constantFrom('/ws', '/ws?batch=1', '/ws?batch=1&batch=2', '/ws?batch=%ff', '/ws/', '/WS', '/api/alerts/inbox'),
    wildSegment.filter((segment) => segment.length < 10_000).map((segment) => `/ws?${segment}`),
  ),
  key: fc.constantFrom('dGhlIHNhbXBsZSBub25jZQ==', '', 'x', 'dGhlIHNhbXBsZSBub25jZQ==x'),
  version: fc.constantFrom('13', '8', '0', '', '13, 8', '9999999999'),
  isSignedIn: fc.boolean(),
  headers: wildHeaders,
});

/** What an upgrade at /ws may be answered with. */
const POLITE = new Set([101, 400, 401, 403, 404, 405, 426, 429]);

test('whatever asks for an upgrade is refused politely, or connected', async () => {
  const limit = createLimit(0.5, 150);
  await fc.assert(
    fc.asyncProperty(upgrades, async ({ path, key, version, isSignedIn, headers }) => {
      if (limit.isOver()) return;
      const answer = await sendRaw(server.url, {
        method: 'GET',
        target: path,
        headers: [
          ['Connection', 'Upgrade'],
          ['Upgrade', 'websocket'],
          ['Sec-WebSocket-Key', key],
          ['Sec-WebSocket-Version', version],
          ...(isSignedIn ? [['Cookie', speaker.cookieHeader] satisfies [string, string]] : []),
          ...headers,
        ],
        body: undefined,
      });
      // Elsewhere than at /ws the offer is ignored, and the request answered.
      const isPolite = /^\/ws(?:\?|$)/.test(path) ? POLITE.has(answer.status) : answer.status < 500;
      expect(isPolite, `${path} was answered with ${answer.status}`).toBe(true);
      await expectAlive();
    }),
    limit.parameters,
  );
});
