import { IsNull, Not } from 'typeorm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownChannelListSchema, ownChannelSentSchema } from '#backend/contract/own-channel.ts';
import { alertListSchema } from '#backend/contract/alert.ts';
import { problemSchema } from '#backend/contract/problem.ts';
import { silencingSchema } from '#backend/contract/silence.ts';
import { DestinationEntity } from '#backend/outgoing/destinations/destination-entity.ts';
import { SilencingEntity } from '#backend/outgoing/silences/silence-entities.ts';
import { createSealing, newSealingKey } from '#backend/platform/secrets/sealing.ts';
import { MAIL, type TestMailServer, startMailServer } from '#tests/support/mail-server.ts';
import { standardWebhooksRules } from '#tests/support/outgoing-receiver.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { ntfyRules, slackRules } from '#tests/support/outgoing-services.ts';
import { json } from '#tests/support/outgoing-world.ts';
import { twilioGateway, twilioRules } from '#tests/support/phone-gateways.ts';

let mailServer: TestMailServer;
beforeAll(async () => {
  mailServer = await startMailServer();
});
afterAll(() => mailServer.stop());
const on = useOutgoingServer(() => ({ ...MAIL, SMTP_URL: mailServer.url }));
const { world, receive, addFor, post } = on;

const SLACK_PATH = '/services/T000/B000/XXXXXXXXXXXXXXXXXXXXXXXX';
const settingsOf = async (answer: Promise<Response>) => silencingSchema.parse(await json(answer)).settings;
const pathOf = (id: string) => `/api/outgoing/destinations/${id}`;

/** Seals all that is sealed under a key that the server does not have, as after a restore without it. */
async function loseKey(): Promise<void> {
  const lost = createSealing(newSealingKey());
  await on.server.database.transaction(async (tx) => {
    for (const entity of [DestinationEntity, SilencingEntity]) {
      const rows = tx.getRepository<{ id: string; sealed: string | null }>(entity);
      for (const { id } of await rows.findBy({ sealed: Not(IsNull()) }))
        await rows.update({ id }, { sealed: lost.seal('{}', id) });
    }
  });
}

test('a destination whose secret cannot be opened can be paused and renamed, asks for it, and sends once it is entered', async () => {
  const customer = `Lost ${crypto.randomUUID()}`;
  const slack = await receive(slackRules);
  const { destination } = await addFor(customer, { kind: 'slack', url: slack.url + SLACK_PATH });
  await loseKey();
  await post({ customer });
  const reason = async () => (await world.destination(destination.id)).reason;
  await expect.poll(reason).toBe('Its secret cannot be opened. Enter it again.');

  await world.changeDestination(destination.id, { isPaused: true });
  await world.changeDestination(destination.id, { isPaused: false, name: 'Channel of the night' });
  await expect.poll(reason).toBe('Its secret cannot be opened. Enter it again.');
  const others = await on.admin.send('PATCH', pathOf(destination.id), { customers: [customer] });
  expect([others.status, await others.text()]).toEqual([422, expect.stringContaining('needs its address')]);
  const draft = { destinationId: destination.id, kind: 'slack', name: 'Channel of the night', event: 'new' };
  expect((await on.admin.send('POST', '/api/outgoing/preview', draft)).status).toBe(422);
  const { destinations } = (await json(on.admin.get('/api/configuration'))) as { destinations: object[] };
  const configured = { destinations: [{ ...destinations[0], url: slack.url + SLACK_PATH }] };
  const planned = await json(on.admin.send('POST', '/api/configuration/plan', configured));
  expect(JSON.stringify(planned)).toContain('"url"');

  await world.changeDestination(destination.id, { url: slack.url + SLACK_PATH });
  await expect.poll(() => slack.taken().length).toBe(1);
});

test('a webhook whose signing secret cannot be opened sends with a new one, at once and signed with it alone', async () => {
  const customer = `Unsigned ${crypto.randomUUID()}`;
  const secrets: string[] = [];
  const receiver = await receive(standardWebhooksRules(() => secrets));
  const { destination } = await addFor(customer, { kind: 'webhook', url: receiver.url });
  const rotate = async () =>
    (await json(on.admin.send('POST', `${pathOf(destination.id)}/rotate-secret`))) as { signingSecret: string };
  await rotate();
  await loseKey();
  await post({ customer });
  const reason = async () => (await world.destination(destination.id)).reason;
  await expect.poll(reason).toBe('Its signing secret cannot be opened. Make a new one.');
  await world.changeDestination(destination.id, { url: `${receiver.url}/moved` });
  await expect.poll(reason).toBe('Its signing secret cannot be opened. Make a new one.');
  expect(receiver.requests).toEqual([]);

  const { signingSecret } = await rotate();
  secrets.push(signingSecret);
  // The first attempt may have come before the receiver knew it.
  await expect.poll(() => receiver.taken().length).toBe(1);
  expect(receiver.taken()[0]?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
});

test('a token that may be absent is entered again or removed', async () => {
  const ntfy = await receive(ntfyRules('tk_1234567890'));
  const { destination } = await addFor(`Topic ${crypto.randomUUID()}`, {
    kind: 'ntfy',
    url: ntfy.url,
    topic: 'ops',
    token: 'tk_1234567890',
  });
  await loseKey();
  const change = (body: object) => on.admin.send('PATCH', pathOf(destination.id), body);
  const without = await change({ topic: 'night' });
  expect([without.status, await without.text()]).toEqual([422, expect.stringContaining('Enter the token again')]);
  expect(await (await change({ topic: 'night', token: 'tk_1234567890' })).text()).toContain('"secretHint":"7890"');
  await loseKey();
  expect(await (await change({ token: '' })).text()).toContain('"secretHint":null');
});

test('secrets beside the token of a Slack app are entered again or removed, too', async () => {
  const tokens = { token: 'xoxb-1234', appToken: 'xapp-5678', requestSecret: '0123456789abcdef'.repeat(2) };
  const { destination } = await addFor(`App ${crypto.randomUUID()}`, {
    kind: 'slack-bot',
    // Nothing is reached there: the connection that its app-level token opens is not what counts here.
    url: 'http://127.0.0.1:9/api',
    room: 'C0123456789',
    ...tokens,
  });
  const missingIn = async (body: object) => {
    const answer = await on.admin.send('PATCH', pathOf(destination.id), body, { Accept: 'application/json' });
    return [answer.status, problemSchema.parse(await answer.json()).errors?.map(({ path }) => path)];
  };
  await loseKey();
  expect(await missingIn({ room: 'C9876543210' })).toEqual([422, ['token', 'appToken', 'requestSecret']]);
  expect(await missingIn({ token: tokens.token })).toEqual([422, ['appToken', 'requestSecret']]);
  expect(await missingIn({ token: tokens.token, appToken: tokens.appToken })).toEqual([422, ['requestSecret']]);
  const removed = { ...tokens, requestSecret: '' };
  expect(await world.changeDestination(destination.id, removed)).toMatchObject({ otherHints: { appToken: '5678' } });
  await loseKey();
  const { otherHints } = await world.changeDestination(destination.id, { token: tokens.token, appToken: '' });
  expect(otherHints).toBeUndefined();
});

test('an own channel asks to be added again where its secret is lost; one that has none goes on', async () => {
  const member = await on.server.signedIn();
  const ntfy = await receive(ntfyRules('tk_phone'));
  const add = async (body: object) =>
    ownChannelSentSchema.parse(await json(member.send('POST', '/api/own-channels', body), 201)).channel;
  const phone = await add({ kind: 'ntfy', name: 'Phone', url: ntfy.url, topic: 'phone', token: 'tk_phone' });
  const mail = await add({ kind: 'mail', name: 'Mail' });
  const sent = () => mailServer.mails.find(({ to }) => to.includes(`${member.id}@example.com`))?.text;
  await expect.poll(sent).toMatch(/code is \d{6}/);
  const code = /code is (\d{6})/.exec(sent() ?? '')?.[1];
  expect((await member.send('POST', `/api/own-channels/${mail.id}/confirm`, { code })).status).toBe(200);
  await loseKey();
  for (const call of ['confirm', 'code']) {
    const body = call === 'confirm' ? { code: '123456' } : undefined;
    const answer = await member.send('POST', `/api/own-channels/${phone.id}/${call}`, body);
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('add it again')]);
  }
  const stored = on.server.database.reads.getRepository(DestinationEntity);
  expect(await stored.findOneBy({ id: mail.id })).toMatchObject({ sealed: null, pausedAt: null });
});

test('a phone says that the secret of its gateway is lost, which administrators are alerted to, and works once it is entered', async () => {
  const gateway = await receive(twilioRules('AC1', 'token'));
  const written = twilioGateway(gateway.url, 'AC1', 'token');
  const { destination } = await world.addDestination({ ...written, name: `Gateway ${crypto.randomUUID()}` });
  const member = await on.server.signedIn();
  const add = async (number: string) => {
    const body = { kind: 'phone', name: number, gatewayId: destination.id, number };
    return ownChannelSentSchema.parse(await json(member.send('POST', '/api/own-channels', body), 201));
  };
  for (const number of ['+491705550501', '+491705550502', '+491705550503']) {
    const { channel } = await add(number);
    const code = /\d{6}/.exec(new URLSearchParams(gateway.taken().at(-1)?.body).get('Body') ?? '')?.[0];
    expect((await member.send('POST', `/api/own-channels/${channel.id}/confirm`, { code })).status).toBe(200);
  }
  await loseKey();
  const reason = "The gateway's secret cannot be opened. An administrator has to enter it again.";
  expect(await add('+491705550504')).toMatchObject({ isDelivered: false, message: reason });

  const customer = `Phone ${crypto.randomUUID()}`;
  const steps = [{ afterMinutes: 0, recipients: [{ kind: 'member' as const, id: member.id }], by: 'phone' as const }];
  await on.ladders.addLadder(customer, { steps, repeat: 0, isUrgent: false });
  await post({ customer });
  const reasons = async () => {
    const { channels } = ownChannelListSchema.parse(await json(member.get('/api/own-channels')));
    const shown = channels.filter(({ isConfirmed }) => isConfirmed).map((channel) => channel.reason);
    return [...shown, (await world.destination(destination.id)).reason];
  };
  await expect.poll(reasons).toEqual([reason, reason, reason, reason]);
  const own = async () =>
    alertListSchema
      .parse(await json(on.admin.get('/api/alerts/all')))
      .filter(({ title }) => title === `Messages to "${destination.name}" do not get through`)
      .map(({ status }) => status);
  await expect.poll(own).toEqual(['pending']);
  await world.changeDestination(destination.id, { token: written.token });
  await expect.poll(own).toEqual(['completed']);
  await expect.poll(reasons).toEqual([undefined, undefined, undefined, undefined]);
});

test('silencing whose token cannot be opened is switched off without it, and on with it', async () => {
  const [source] = (await json(on.admin.get('/api/sources'))) as { id: string }[];
  const save = (body: object) => {
    const written = { kind: 'alertmanager', url: 'http://127.0.0.1:9', auth: 'bearer', minutes: 240, ...body };
    return on.admin.send('PUT', `/api/sources/${source?.id}/silencing`, written);
  };
  await settingsOf(save({ isOn: true, secret: 'sesame-1234' }));
  await loseKey();
  const without = await save({ isOn: true });
  expect([without.status, await without.text()]).toEqual([422, expect.stringContaining('Enter the password or token')]);
  expect(await settingsOf(save({ isOn: false }))).toMatchObject({ isOn: false, secretHint: '1234' });
  expect(await settingsOf(save({ isOn: true, secret: 'sesame-5678' }))).toMatchObject({ secretHint: '5678' });
});
