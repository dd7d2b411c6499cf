import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ownChannelListSchema, ownChannelSentSchema } from '#backend/contract/own-channel.ts';
import { MAIL, type TestMailServer, startMailServer } from '#tests/support/mail-server.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { ntfyRules } from '#tests/support/outgoing-services.ts';
import type { TestClient } from '#tests/support/test-client.ts';

let mailServer: TestMailServer;
let member: TestClient;
beforeAll(async () => {
  mailServer = await startMailServer();
});
afterAll(() => mailServer.stop());
const on = useOutgoingServer(() => ({ ...MAIL, SMTP_URL: mailServer.url }));
beforeEach(async () => {
  member = await on.server.signedIn({ displayName: 'Nora Night' });
});

const add = async (body: object, as = member) =>
  ownChannelSentSchema.parse(await (await as.send('POST', '/api/own-channels', body)).json());
const channels = async (as = member) =>
  ownChannelListSchema.parse(await (await as.get('/api/own-channels')).json()).channels;
const mails = () => mailServer.mails.filter(({ to }) => to.includes(`${member.id}@example.com`));
const codeIn = (text: string | undefined): string => /code is (\d{6})/.exec(text ?? '')?.[1] ?? '';
const confirm = (id: string, code: string, as = member) => as.send('POST', `/api/own-channels/${id}/confirm`, { code });

test('a channel is used once the code that was sent there was entered, by the steps that notify its member', async () => {
  const phone = await on.receive(ntfyRules('tk_phone'));
  const { channel, isDelivered } = await add({
    kind: 'ntfy',
    name: 'My phone',
    url: phone.url,
    topic: 'phone',
    token: 'tk_phone',
  });
  expect([isDelivered, channel.isConfirmed]).toEqual([true, false]);
  const mail = await add({ kind: 'mail', name: 'Mail' });
  await expect.poll(() => mails().length).toBe(1);
  const code = codeIn(phone.taken()[0]?.body);
  expect((await confirm(channel.id, '000000')).status).toBe(code === '000000' ? 200 : 422);
  expect((await confirm(channel.id, code, on.admin)).status).toBe(404);

  const world = on.ladders;
  const customer = crypto.randomUUID();
  const recipients = [{ kind: 'member' as const, id: member.id }];
  const steps = [0, 5].map((afterMinutes) => ({ afterMinutes, recipients }));
  await world.addLadder(customer, { steps, repeat: 0, isUrgent: false });
  const alertId = await on.post({ customer, title: 'Disk almost full' });
  await expect.poll(() => world.taken(alertId)).toEqual(['0.1']);
  // Neither was confirmed: nothing but the codes was sent.
  expect([phone.taken().length, mails().length]).toEqual([1, 1]);
  expect((await confirm(channel.id, code)).status).toBe(200);
  expect((await confirm(channel.id, code)).status).toBe(409);
  expect((await confirm(mail.channel.id, codeIn(mails()[0]?.text))).status).toBe(200);
  await world.skip(alertId);
  await expect.poll(() => phone.taken().length).toBe(2);
  await expect.poll(() => mails().length).toBe(2);
  expect(mails()[1]?.to).toEqual([`${member.id}@example.com`]);
  expect(JSON.parse(phone.taken()[1]?.body ?? '')).toMatchObject({ title: 'Disk almost full' });
  const { receipts } = await on.world.receipts(alertId);
  expect(receipts.map(({ destinationName }) => destinationName).toSorted()).toEqual([
    'Nora Night, Mail',
    'Nora Night, My phone',
  ]);
});

test('channels are their member’s alone: no administrator lists, changes or sends to them by a rule', async () => {
  const { channel, isDelivered, message } = await add({
    kind: 'webhook',
    name: 'Nowhere',
    url: 'http://127.0.0.1:9/in',
  });
  expect([isDelivered, message]).toEqual([false, expect.stringContaining('could not be sent')]);
  const { id } = channel;
  expect((await channels()).map(({ name }) => name)).toContain('Nowhere');
  expect(await channels(on.admin)).toEqual([]);
  expect((await on.world.destinations()).map((one) => one.id)).not.toContain(id);
  expect((await on.admin.get(`/api/outgoing/destinations/${id}`)).status).toBe(404);
  expect((await on.admin.send('PATCH', `/api/outgoing/destinations/${id}`, { isPaused: false })).status).toBe(404);
  const rule = { name: 'Theirs', search: '', events: ['new'], destinationIds: [id] };
  expect((await on.admin.send('POST', '/api/outgoing/rules', rule)).status).toBe(422);
  expect((await member.send('POST', `/api/own-channels/${id}/code`)).status).toBe(409);
  const inside = { kind: 'ntfy', name: 'Inside', url: 'https://10.0.4.7', topic: 'x' };
  expect((await member.send('POST', '/api/own-channels', inside)).status).toBe(422);
  expect((await member.send('DELETE', `/api/own-channels/${id}`)).status).toBe(204);
});

test('a code that was entered wrong five times does not count any more', async () => {
  const phone = await on.receive(ntfyRules('tk_phone'));
  const { channel } = await add({ kind: 'ntfy', name: 'Other', url: phone.url, topic: 'other', token: 'tk_phone' });
  const code = codeIn(phone.taken()[0]?.body);
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const answers: number[] = [];
  for (let count = 0; count < 5; count += 1) answers.push((await confirm(channel.id, wrong)).status);
  expect(answers).toEqual([422, 422, 422, 422, 422]);
  expect((await confirm(channel.id, code)).status).toBe(409);
});
