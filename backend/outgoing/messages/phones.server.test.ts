import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { alertListSchema } from '#backend/contract/alert.ts';
import { ownChannelListSchema, ownChannelSentSchema } from '#backend/contract/own-channel.ts';
import { ladderPreviewSchema } from '#backend/contract/ladder.ts';
import { destinationSchema } from '#backend/contract/outgoing.ts';
import { callsOf, ladderWorld } from '#tests/support/ladder-world.ts';
import { type OutgoingReceiver, startReceiver } from '#tests/support/outgoing-receiver.ts';
import { LOCAL_NETWORK, outgoingWorld } from '#tests/support/outgoing-world.ts';
import { twilioGateway, twilioRules } from '#tests/support/phone-gateways.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
let gateway: OutgoingReceiver;
let gatewayId: string;

beforeAll(async () => {
  server = await startTestServer(LOCAL_NETWORK);
  admin = await server.signedIn({ role: 'admin', displayName: 'Ada Admin' });
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
/** A number that no test before had, nor an earlier attempt of one. */
const newNumber = (): string => `+49170${randomInt(1_000_000, 10_000_000)}`;
/** The code that was sent to it last. */
const codeTo = (number: string): string | undefined => /code is (\d{6})/.exec(sentTo(number).at(-1) ?? '')?.[1];
const add = (body: object, as: TestClient) =>
  as.send('POST', '/api/own-channels', { kind: 'phone', name: 'Phone', ...body });

test('a member confirms a number, and the step that asks for phones notifies it alone', async () => {
  const lead = await server.signedIn({ displayName: 'Ines Costa' });
  const other = await server.signedIn({ role: 'admin', displayName: 'Ada Other' });
  const digits = String(randomInt(1_000, 10_000));
  const number = `+49170555${digits}`;
  const { gateways } = ownChannelListSchema.parse(await (await lead.get('/api/own-channels')).json());
  expect(gateways).toEqual([{ id: gatewayId, name: 'Text messages' }]);
  const { channel, isDelivered } = ownChannelSentSchema.parse(
    await (await add({ gatewayId, number: `+49 (170) 555-${digits}` }, lead)).json(),
  );
  expect([isDelivered, channel.to, channel.isConfirmed]).toEqual([true, number, false]);
  expect((await lead.send('POST', `/api/own-channels/${channel.id}/confirm`, { code: codeTo(number) })).status).toBe(
    200,
  );

  const world = ladderWorld(() => admin);
  const customer = crypto.randomUUID();
  const recipients = [lead, other].map(({ id }) => ({ kind: 'member' as const, id }));
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
    [[[], ['Phone']], ['Ada Other has no phone, and is notified by their own choice.']],
  ]);
  await world.addLadder(customer, { steps, repeat: 0, isUrgent: false });
  const { id: alertId } = await admin.postAlert(await server.addApiKey(), { customer, title: 'Disk full & "more"' });
  await expect.poll(() => world.taken(alertId)).toEqual(['0.1']);
  expect([await callsOf(lead), sentTo(number).length]).toEqual([[alertId], 1]);
  await world.skip(alertId);
  await expect.poll(() => sentTo(number).length).toBe(2);
  expect(sentTo(number)[1]).toMatch(/^Disk full & "more"\n/);
  // Who has no phone is notified as usual; who has one by nothing else.
  expect([await callsOf(other), await callsOf(lead)]).toEqual([[alertId, alertId], [alertId]]);
  // The result is stored after the gateway has answered.
  await expect
    .poll(async () => (await outgoingWorld(() => admin).receipts(alertId)).receipts)
    .toMatchObject([{ destinationName: 'Ines Costa, Phone', state: 'sent', attempts: [{ answer: '200' }] }]);
});

test('a member has a few codes sent in an hour, whatever channels are removed and added meanwhile', async () => {
  const member = await server.signedIn();
  const number = newNumber();
  let last = '';
  for (let count = 0; count < 10; count += 1) {
    if (last !== '') await member.send('DELETE', `/api/own-channels/${last}`);
    const added = ownChannelSentSchema.parse(await (await add({ gatewayId, number }, member)).json());
    expect(added.isDelivered).toBe(true);
    last = added.channel.id;
  }
  const refused = [
    await add({ gatewayId, number }, member),
    await member.send('POST', `/api/own-channels/${last}/code`),
  ];
  expect(refused.map(({ status }) => status)).toEqual([429, 429]);
  for (const { headers } of refused) expect(headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
  expect(await refused[0]?.text()).toMatch(/Too many codes were sent within an hour\. Try again in \d+ minutes\./);
  expect(sentTo(number)).toHaveLength(10);
  // The code that was sent last still counts.
  const code = /\d{6}/.exec(sentTo(number).at(-1) ?? '')?.[0];
  expect((await member.send('POST', `/api/own-channels/${last}/confirm`, { code })).status).toBe(200);
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
    name: `Soon paused ${crypto.randomUUID()}`,
  });
  const addPhone = async (throughId: string, number: string) => {
    const member = await server.signedIn({ displayName: number });
    const { channel } = ownChannelSentSchema.parse(await (await add({ gatewayId: throughId, number }, member)).json());
    expect(
      (await member.send('POST', `/api/own-channels/${channel.id}/confirm`, { code: codeTo(number) })).status,
    ).toBe(200);
    return { kind: 'member' as const, id: member.id };
  };
  const waiting = newNumber();
  const recipients = [await addPhone(gatewayId, newNumber()), await addPhone(other.destination.id, waiting)];
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
  expect([await states(), sentTo(waiting).length]).toEqual([['sent', 'waiting'], 1]);
  await setPaused(false);
  await expect.poll(() => states()).toEqual(['sent', 'sent']);
});

test('a gateway that fails for the phones of members is said to fail, with one alert, and a wrong number is not its fault', async () => {
  const world = outgoingWorld(() => admin);
  const away = await startReceiver(twilioRules('AC1', 'token'));
  onTestFinished(() => away.stop());
  const name = `Gateway ${crypto.randomUUID()}`;
  const { destination } = await world.addDestination({ ...twilioGateway(away.url, 'AC1', 'token'), name });
  const health = async () => (await world.destination(destination.id)).health;
  const recipients: { kind: 'member'; id: string }[] = [];
  for (const number of [newNumber(), newNumber(), newNumber()]) {
    const member = await server.signedIn();
    const { channel } = ownChannelSentSchema.parse(
      await (await add({ gatewayId: destination.id, number }, member)).json(),
    );
    const code = /\d{6}/.exec(new URLSearchParams(away.taken().at(-1)?.body).get('Body') ?? '')?.[0];
    expect((await member.send('POST', `/api/own-channels/${channel.id}/confirm`, { code })).status).toBe(200);
    recipients.push({ kind: 'member', id: member.id });
  }
  away.answer({ status: 400, body: '{"code":21610}' });
  const customer = crypto.randomUUID();
  const steps = [{ afterMinutes: 0, recipients, by: 'phone' as const }];
  await ladderWorld(() => admin).addLadder(customer, { steps, repeat: 0, isUrgent: false });
  const { id } = await admin.postAlert(await server.addApiKey(), { customer, title: 'Disk full' });
  const answers = async () =>
    (await world.receipts(id)).receipts.map(({ attempts }) => attempts[0]?.answer.slice(0, 3)).toSorted();
  await expect.poll(answers).toEqual(['400', '400', '400']);
  expect(await health()).toBe('never-used');
  away.answer({ status: 401 });
  await expect.poll(health).toBe('failing');
  expect(await world.destination(destination.id)).toMatchObject({
    reason: expect.stringContaining('refused the secret'),
  });
  const own = async () =>
    alertListSchema
      .parse(await (await admin.get('/api/alerts/all')).json())
      .filter(({ title }) => title === `Messages to "${name}" do not get through`)
      .map(({ status }) => status);
  await expect.poll(own).toEqual(['pending']);
  away.answer(undefined);
  await expect.poll(health).toBe('ok');
  await expect.poll(own).toEqual(['completed']);
  await expect
    .poll(async () => (await world.destination(destination.id)).sent.reduce((sum, one) => sum + one, 0))
    .toBe(3);
});

test('a phone says that its gateway is paused or was deleted, and its gateway how many phones it reaches', async () => {
  const world = outgoingWorld(() => admin);
  const { destination } = await world.addDestination({
    ...twilioGateway(gateway.url, 'AC1', 'token'),
    name: `Soon gone ${crypto.randomUUID()}`,
  });
  const path = `/api/outgoing/destinations/${destination.id}`;
  const member = await server.signedIn();
  const confirm = async (number: string) => {
    const body = { gatewayId: destination.id, number, name: number };
    const { channel } = ownChannelSentSchema.parse(await (await add(body, member)).json());
    return member.send('POST', `/api/own-channels/${channel.id}/confirm`, { code: codeTo(number) });
  };
  const healthOfPhones = async () =>
    ownChannelListSchema
      .parse(await (await member.get('/api/own-channels')).json())
      .channels.map(({ health, reason }) => [health, reason]);
  expect((await confirm(newNumber())).status).toBe(200);
  await add({ gatewayId: destination.id, number: newNumber() }, member);
  expect(await healthOfPhones()).toEqual([
    ['never-used', undefined],
    ['paused', undefined],
  ]);
  expect(destinationSchema.parse(await (await admin.get(path)).json()).phones).toBe(1);
  await admin.send('PATCH', path, { isPaused: true });
  const paused = 'The gateway is paused by an administrator. Try again later.';
  expect((await healthOfPhones())[0]).toEqual(['failing', paused]);
  await admin.send('PATCH', path, { isPaused: false });
  expect((await healthOfPhones())[0]).toEqual(['never-used', undefined]);
  expect((await admin.send('DELETE', path)).status).toBe(204);
  const deleted = 'The gateway was deleted. Remove this channel and add another one.';
  expect((await healthOfPhones())[0]).toEqual(['failing', deleted]);
});

test('a phone whose gateway was deleted is nobody’s channel any more', async () => {
  const other = await outgoingWorld(() => admin).addDestination({
    ...twilioGateway(gateway.url, 'AC1', 'token'),
    name: `Gone ${crypto.randomUUID()}`,
  });
  const member = await server.signedIn({ displayName: 'Mia' });
  const { channel } = ownChannelSentSchema.parse(
    await (await add({ gatewayId: other.destination.id, number: newNumber() }, member)).json(),
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
