import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLOSE_TOO_SLOW, type LiveEvent } from '#backend/contract/live-event.ts';
import { listenLive } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.addApiKey();
});
afterAll(() => server.destroy());

const isNew = (event: LiveEvent) => event.type === 'new_alert';

test('a client that sends messages without end, with pongs between, is dropped', async () => {
  const talker = await listenLive(await server.signedIn());
  for (let count = 0; count < 1000 && talker.socket.readyState === talker.socket.OPEN; count += 1) {
    talker.socket.send('x');
    talker.socket.pong();
  }
  expect([CLOSE_TOO_SLOW, 1006]).toContain(await talker.closed);
});

test('a client that sends a frame beyond the limit is dropped', async () => {
  const { socket, closed } = await listenLive(await server.signedIn());
  socket.send('x'.repeat(17 * 1024));
  // Message too big (RFC 6455 section 7.4.1).
  expect(await closed).toBe(1009);
});

test('a client that stops reading is dropped, and the others receive everything', async () => {
  const [slow, quick] = [await listenLive(await server.signedIn()), await listenLive(await server.signedIn())];
  slow.socket.pause();
  const poster: TestClient = server.anonymous();
  const body = { text: 'x'.repeat(1_000_000) };
  let posted = 0;
  // What the kernel buffers for a connection differs; 40 MB is beyond any of it.
  while (posted < 40) {
    await poster.postAlert(key, body);
    posted += 1;
  }
  await expect.poll(() => quick.events.filter(isNew).length).toBe(posted);
  slow.socket.resume();
  expect([CLOSE_TOO_SLOW, 1006]).toContain(await slow.closed);
  expect(slow.events.filter(isNew).length).toBeLessThan(posted);
});
