import { Agent, request } from 'node:http';
import { type Socket, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { MAIL } from '#tests/support/mail-server.ts';
import { LOCAL_NETWORK, outgoingWorld } from '#tests/support/outgoing-world.ts';
import { sendInTwoParts } from '#tests/support/send-in-two-parts.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const SENDERS = 20;
const ROUNDS = 4;

/** Posts once. Resolves to the status, or to what ended it without an answer, and whether its connection was a kept one. */
const post = (agent: Agent, url: string, key: string): Promise<number | string> =>
  new Promise((resolve) => {
    const headers = { 'X-Webhook-Auth': key, 'Content-Type': 'application/json' };
    const sent = request(`${url}/webhook`, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(sent.reusedSocket ? `kept: ${code}` : code));
    sent.end('{"a":1}');
  });

test('senders that keep their connections are all answered while a server stops', async () => {
  const outcomes: (number | string)[] = [];
  let longestStopMs = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await startTestServer();
    onTestFinished(() => server.destroy());
    const key = await server.addApiKey();
    const agent = new Agent({ keepAlive: true });
    let accepted = 0;
    const senders = Array.from({ length: SENDERS }, async (_, number) => {
      for (;;) {
        const outcome = await post(agent, server.url, key);
        outcomes.push(outcome);
        if (outcome === 202) accepted += 1;
        // From then on nothing listens.
        if (outcome === 'ECONNREFUSED') return;
        await delay(number % 7);
      }
    });
    await waitFor(() => expect(accepted).toBeGreaterThan(5 * SENDERS), { interval: 5 });
    const startedAt = performance.now();
    await server.stop();
    longestStopMs = Math.max(longestStopMs, performance.now() - startedAt);
    await Promise.all(senders);
    agent.destroy();
  }
  expect(outcomes.filter((outcome) => ![202, 503, 'ECONNREFUSED'].includes(outcome))).toEqual([]);
  // What is left after 8 s is cut.
  expect(longestStopMs).toBeLessThan(7_500);
});

/** A server whose mail server accepts connections and says nothing. */
async function startBesideSilence(env: Record<string, string> = {}) {
  const connections: Socket[] = [];
  const silent = createServer((socket) => void connections.push(socket));
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve);
  });
  const { port } = silent.address() as AddressInfo;
  const server = await startTestServer({ ...MAIL, SMTP_URL: `smtp://127.0.0.1:${port}`, ...env });
  onTestFinished(async () => {
    for (const socket of connections) socket.destroy();
    silent.close();
    await server.destroy();
  });
  return {
    server,
    /** Stops while a mail is being sent. The stop does not wait until the attempt is given up. */
    async stop() {
      await waitFor(() => expect(connections).toHaveLength(1));
      await server.stop();
      expect(connections.map(({ readableEnded, destroyed }) => readableEnded || destroyed)).toEqual([false]);
      const restarted = await server.restart();
      onTestFinished(() => restarted.stop());
      return restarted;
    },
  };
}

test('a mail server that says nothing does not keep a server from stopping; the mail is tried again by the next one', async () => {
  const { server, stop } = await startBesideSilence();
  const member = await server.signedIn();
  const passwords = { currentPassword: 'correct horse', newPassword: 'battery staple' };
  expect((await member.send('POST', '/api/auth/password', passwords)).status).toBe(204);
  const restarted = await stop();
  expect(await restarted.database.reads.query('SELECT attempts FROM mails')).toEqual([{ attempts: 1 }]);
});

test('nor does it by a message to a destination, which waits for the next one', async () => {
  const { server, stop } = await startBesideSilence(LOCAL_NETWORK);
  const admin = await server.signedIn({ role: 'admin' });
  const world = outgoingWorld(() => admin);
  const { destination } = await world.addDestination({ kind: 'mail', name: 'Mail', recipients: ['ops@example.com'] });
  await world.addRule([destination.id]);
  await admin.postAlert(await server.addApiKey());
  const restarted = await stop();
  const messages = await restarted.database.reads.query('SELECT state FROM outgoing_messages');
  expect(messages).toEqual([{ state: 'waiting' }]);
});

/** Resolves when nothing listens there any more. */
const untilClosed = (url: string): Promise<void> =>
  waitFor(() => expect(fetch(`${url}/livez`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } }), {
    interval: 50,
  });

test('a database that takes no notices keeps no answer waiting: the listener closes, and what is open is answered', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  const key = await server.addApiKey();
  const admin = await server.signedIn({ role: 'admin' });
  const ben = await server.signedIn();
  const { id } = await admin.postAlert(key);
  await server.database.transaction((tx) => tx.query('ALTER TABLE notices RENAME TO away'));
  expect((await admin.send('POST', `/api/alerts/${id}/assign`, { userId: ben.id })).status).toBe(200);
  let closedMs = Infinity;
  const headers = { 'X-Webhook-Auth': key };
  const answer = await sendInTwoParts(server.url, 'POST', '/webhook', headers, '{"a":1}', async () => {
    const beganAt = performance.now();
    const stopped = server.stop();
    await untilClosed(server.url);
    closedMs = performance.now() - beganAt;
    return { stopped };
  });
  await answer.between.stopped;
  expect(answer.status).toBe(202);
  // The attempts at the notice alone take 4.5 s.
  expect(closedMs).toBeLessThan(4_400);
});
