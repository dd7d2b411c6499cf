import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownChannelListSchema, ownChannelSentSchema } from '#backend/contract/own-channel.ts';
import { ladderPreviewSchema } from '#backend/contract/ladder.ts';
import { callsOf, ladderWorld } from '#tests/support/ladder-world.ts';
import { type OutgoingReceiver, startReceiver } from '#tests/support/outgoing-receiver.ts';
import { LOCAL_NETWORK, outgoingWorld } from '#tests/support/outgoing-world.ts';
import { twilioGateway, twilioRules } from '#tests/support/phone-gateways.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
let lead: TestClient;
let gateway: OutgoingReceiver;
let gatewayId: string;

beforeAll(async () => {
  server = await startTestServer(LOCAL_NETWORK);
  admin = await server.signedIn({ role: 'admin', displayName: 'Ada Admin' });
  lead = await server.signedIn({ displayName: 'Ines Costa' });
  gateway = await startReceiver(twilioRules('AC1', 'token'));
  const { destination } = await outgoingWorld(() => admin).addDestination({
    ...twilioGateway(gateway.url, 'AC1', 'token'),
    name: 'Text messages',
  });
  gatewayId = destination.id;
});
afterAll(async () => {
  await server.destroy();
  await gateway.stop();
});

const sentTo = (number: string): string[] =>
  gateway.taken().flatMap(({ body }) => {
    const values = new URLSearchParams(body);
    return values.get('To') === number ? [values.get('Body') ?? ''] : [];
  });
const add = (body: object, as: TestClient) =>
  as.send('POST', '/api/own-channels', { kind: 'phone', name: 'Phone', ...body });

test('a member confirms a number, and the step that asks for phones notifies it alone', async () => {
  const { gateways } = ownChannelListSchema.parse(await (await lead.get('/api/own-channels')).json());
  expect(gateways).toEqual([{ id: gatewayId, name: 'Text messages' }]);
  const { channel, isDelivered } = ownChannelSentSchema.parse(
    await (await add({ gatewayId, number: '+49 (170) 555-0123' }, lead)).json(),
  );
  expect([isDelivered, channel.to, channel.isConfirmed]).toEqual([true, '+491705550123', false]);
  const code = /code is (\d{6})/.exec(sentTo('+491705550123')[0] ?? '')?.[1];
  expect((await lead.send('POST', `/api/own-channels/${channel.id}/confirm`, { code })).status).toBe(200);

  const world = ladderWorld(() => admin);
  const customer = crypto.randomUUID();
  const recipients = [lead, admin].map(({ id }) => ({ kind: 'member' as const, id }));
  const steps = [
    { afterMinutes: 0, recipients, by: 'app' as const },
    { afterMinutes: 15, recipients, by: 'phone' as const },
  ];
  const preview = ladderPreviewSchema.parse(
    await (
      await admin.send('POST', '/api/outgoing/ladder-preview', { ladder: { steps, repeat: 0, isUrgent: false } })
    ).json(),
  );
  expect(preview.slice(0, 2).map(({ people, faults }) => [people.map(({ by }) => by), faults])).toEqual([
    [[[], []], []],
    [[[], ['Phone']], ['Ada Admin has no phone, and is notified by their own choice.']],
  ]);
  await world.addLadder(customer, { steps, repeat: 0, isUrgent: false });
  const { id: alertId } = await admin.postAlert(await server.addApiKey(), { customer, title: 'Disk full & "more"' });
  await expect.poll(() => world.taken(alertId)).toEqual(['0.1']);
  expect([await callsOf(lead), sentTo('+491705550123').length]).toEqual([[alertId], 1]);
  await world.skip(alertId);
  await expect.poll(() => sentTo('+491705550123').length).toBe(2);
  expect(sentTo('+491705550123')[1]).toMatch(/^Disk full & "more"\n/);
  // Who has no phone is notified as usual; who has one by nothing else.
  expect([await callsOf(admin), await callsOf(lead)]).toEqual([[alertId, alertId], [alertId]]);
  // The result is stored after the gateway has answered.
  await expect
    .poll(async () => (await outgoingWorld(() => admin).receipts(alertId)).receipts)
    .toMatchObject([{ destinationName: 'Ines Costa, Phone', state: 'sent', attempts: [{ answer: '200' }] }]);
});

test('a template, a header, a number or a gateway that is wrong is refused where it is written', async () => {
  const wrong = async (change: object) => {
    const body = { ...twilioGateway(gateway.url, 'AC1', 'token'), name: 'Wrong', ...change };
    const answer = await admin.send('POST', '/api/outgoing/destinations', body);
    return [answer.status, await answer.text()];
  };
  expect(await wrong({ template: 'To={{number}}\n&Body={{txt}}' })).toEqual([
    422,
    'Line 2, character 7: there is no {{txt}}. Use {{number}}, {{text}}, {{title}}, {{link}}, {{secret}}.',
  ]);
  expect(await wrong({ headers: 'Content-Type: application/json', template: '{"to": {{number}}' })).toEqual([
    422,
    expect.stringMatching(/^Line 1, character \d+: this is not JSON/),
  ]);
  expect(await wrong({ headers: 'Authorization' })).toEqual([
    422,
    'Line 1, character 1: write a header as Name: value.',
  ]);
  expect(await wrong({ room: '030 123' })).toEqual([422, 'Enter the number with its country, such as +49 30 1234567.']);
  expect((await add({ gatewayId, number: '030 123' }, admin)).status).toBe(422);
  expect((await add({ gatewayId: crypto.randomUUID(), number: '+49301234567' }, admin)).status).toBe(422);
});

test('a preview shows the request without its secret, and a test goes to the number of the gateway', async () => {
  const draft = { destinationId: gatewayId, kind: 'phone', name: 'Text messages' };
  const preview = await admin.send('POST', '/api/outgoing/preview', {
    ...draft,
    template: '{{number}} {{secret}}',
    headers: 'A: b',
  });
  const { body } = (await preview.json()) as { body: string };
  expect(body).toBe('+4930123456 ****');
  const before = sentTo('+4930123456').length;
  expect(await (await admin.send('POST', '/api/outgoing/test', draft)).json()).toMatchObject({ isDelivered: true });
  expect(sentTo('+4930123456')).toHaveLength(before + 1);
});

test('messages to phones of a gateway that is paused wait until it is resumed', async () => {
  const other = await outgoingWorld(() => admin).addDestination({
    ...twilioGateway(gateway.url, 'AC1', 'token'),
    name: 'Soon paused',
  });
  const addPhone = async (throughId: string, number: string) => {
    const member = await server.signedIn({ displayName: number });
    const { channel } = ownChannelSentSchema.parse(await (await add({ gatewayId: throughId, number }, member)).json());
    const code = /code is (\d{6})/.exec(sentTo(number)[0] ?? '')?.[1];
    expect((await member.send('POST', `/api/own-channels/${channel.id}/confirm`, { code })).status).toBe(200);
    return { kind: 'member' as const, id: member.id };
  };
  const recipients = [
    await addPhone(gatewayId, '+491705550201'),
    await addPhone(other.destination.id, '+491705550202'),
  ];
  const setPaused = async (isPaused: boolean) => {
    const path = `/api/outgoing/destinations/${other.destination.id}`;
    expect((await admin.send('PATCH', path, { isPaused })).status).toBe(200);
  };
  const tryAgainAt = (at: number) =>
    server.database.transaction((tx) =>
      tx.query('UPDATE outgoing_destinations SET retry_at = ? WHERE owner_id = ?', [at, recipients[1]?.id]),
    );
  await tryAgainAt(Date.now() + 60_000);
  const customer = crypto.randomUUID();
  const steps = [{ afterMinutes: 0, recipients, by: 'phone' as const }];
  await ladderWorld(() => admin).addLadder(customer, { steps, repeat: 0, isUrgent: false });
  const { id } = await admin.postAlert(await server.addApiKey(), { customer, title: 'Disk full' });
  const states = async () =>
    (await outgoingWorld(() => admin).receipts(id)).receipts.map(({ state }) => state).toSorted();
  await expect.poll(() => states()).toEqual(['sent', 'waiting']);
  await setPaused(true);
  await tryAgainAt(0);
  // What is due is looked for every 200 ms.
  await wait(1_000);
  expect([await states(), sentTo('+491705550202').length]).toEqual([['sent', 'waiting'], 1]);
  await setPaused(false);
  await expect.poll(() => states()).toEqual(['sent', 'sent']);
});

test('a phone whose gateway was deleted is nobody’s channel any more, and says so', async () => {
  const other = await outgoingWorld(() => admin).addDestination({
    ...twilioGateway(gateway.url, 'AC1', 'token'),
    name: 'Soon gone',
  });
  const member = await server.signedIn({ displayName: 'Mia' });
  const { channel } = ownChannelSentSchema.parse(
    await (await add({ gatewayId: other.destination.id, number: '+491705550199' }, member)).json(),
  );
  await admin.send('DELETE', `/api/outgoing/destinations/${other.destination.id}`);
  const again = await member.send('POST', `/api/own-channels/${channel.id}/code`);
  // Half a minute after the first at the earliest.
  expect(again.status).toBe(409);
  const recipients = [{ kind: 'member' as const, id: member.id }];
  const ladder = { steps: [{ afterMinutes: 0, recipients, by: 'phone' }], repeat: 0, isUrgent: false };
  const preview = ladderPreviewSchema.parse(
    await (await admin.send('POST', '/api/outgoing/ladder-preview', { ladder })).json(),
  );
  expect(preview[0]?.faults).toEqual(['Mia has no phone, and is notified by their own choice.']);
});
