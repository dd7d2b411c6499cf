import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
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
  expect(longestStopMs).toBeLessThan(5_000);
});
