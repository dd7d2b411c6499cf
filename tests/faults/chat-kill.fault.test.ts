import { expect, onTestFinished, test } from 'vitest';
import { createdApiKeySchema } from '#backend/contract/api-key.ts';
import { startReceiver } from '#tests/support/outgoing-receiver.ts';
import { LOCAL_NETWORK, outgoingWorld } from '#tests/support/outgoing-world.ts';
import { readInbox } from '#tests/support/read-inbox.ts';
import { startServerProcess } from '#tests/support/server-process.ts';
import { SLACK_CHANNEL, SLACK_TOKEN, createSlackService } from '#tests/support/slack-service.ts';
import { makeTestPlace } from '#tests/support/test-place.ts';

/** A claim of a server that was killed ends after 25 s, and a lease of one that led after 10 s. */
const AGAIN_MS = 60_000;

test('a server that is killed after Slack took a message posts it once, and changes that one', async () => {
  const place = await makeTestPlace();
  onTestFinished(() => place.remove());
  const slack = createSlackService();
  const receiver = await startReceiver(slack.rules);
  onTestFinished(() => receiver.stop());
  const server = await startServerProcess({
    environment: { ...LOCAL_NETWORK, ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }) },
  });
  onTestFinished(() => server.dispose());
  const { admin } = await readInbox(server.url);
  const key = createdApiKeySchema.parse(await (await admin.send('POST', '/api/api-keys', { name: 'Sender' })).json());
  const world = outgoingWorld(() => admin);
  const { destination } = await world.addDestination({
    kind: 'slack-bot',
    name: 'Ops',
    url: `${receiver.url}/api`,
    token: SLACK_TOKEN,
    room: SLACK_CHANNEL,
  });
  await world.addRule([destination.id], { events: ['new', 'accepted'] });
  // Slack takes the message, and its answer never comes.
  receiver.answer((request) => {
    if (slack.messages.length > 0) return undefined;
    slack.rules({ ...request, method: 'POST', headers: HEADERS });
    return 'hang';
  });
  const { id } = await admin.postAlert(key.plainKey, { title: 'Disk full' });
  await expect.poll(() => slack.messages.length).toBe(1);
  await server.end('SIGKILL');
  receiver.answer(undefined);
  await server.start();
  const states = async () => (await world.receipts(id)).receipts.map(({ state }) => state);
  await expect.poll(states, { timeout: AGAIN_MS, interval: 200 }).toEqual(['sent']);
  await admin.send('POST', `/api/alerts/${id}/accept`, {});
  await expect.poll(() => JSON.stringify(slack.messages[0]?.blocks), { timeout: 10_000 }).toContain('Accepted');
  expect(slack.messages).toHaveLength(1);
}, 120_000);

const HEADERS = { authorization: `Bearer ${SLACK_TOKEN}`, 'content-type': 'application/json' };
