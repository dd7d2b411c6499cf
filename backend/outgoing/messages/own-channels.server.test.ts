import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ownChannelListSchema, ownChannelSentSchema } from '#backend/contract/own-channel.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { MAIL, type TestMailServer, startMailServer } from '#tests/support/mail-server.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { ntfyRules } from '#tests/support/outgoing-services.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { DestinationEntity } from '#backend/outgoing/destinations/destination-entity.ts';
import { findWaiting } from './claim-messages.ts';
import { createPlanKeeper } from './load-plan.ts';

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
const mailsTo = (email: string) => mailServer.mails.filter(({ to }) => to.includes(email));
const mails = () => mailsTo(`${member.id}@example.com`);
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
  // Its code, that the phone was added, and the alert.
  await expect.poll(() => mails().length).toBe(3);
  const [, ...later] = mails().map(({ text }) => text);
  expect(later).toEqual(
    expect.arrayContaining([expect.stringContaining('ntfy: My phone'), expect.stringContaining('Disk almost full')]),
  );
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

test('what was not delivered to a member’s channel is in the receipts of its alert; no administrator lists it or sends it again', async () => {
  const phone = await on.receive(ntfyRules('tk_phone'));
  const { channel } = await add({ kind: 'ntfy', name: 'Pager', url: phone.url, topic: 'pager', token: 'tk_phone' });
  expect((await confirm(channel.id, codeIn(phone.taken()[0]?.body))).status).toBe(200);
  phone.answer({ status: 413 });
  const customer = crypto.randomUUID();
  const recipients = [{ kind: 'member' as const, id: member.id }];
  await on.ladders.addLadder(customer, { steps: [{ afterMinutes: 0, recipients }], repeat: 0, isUrgent: false });
  const alertId = await on.post({ customer, title: 'Disk almost full' });
  const receipts = async () => (await on.world.receipts(alertId)).receipts;
  await expect
    .poll(receipts)
    .toMatchObject([{ destinationName: 'Nora Night, Pager', isOwn: true, state: 'not-delivered' }]);
  for (const query of ['', '?state=not-delivered', `?destinationId=${channel.id}`]) {
    expect((await on.world.messages(query)).map(({ destinationId }) => destinationId)).not.toContain(channel.id);
  }
  const [receipt] = await receipts();
  const path = '/api/outgoing/messages';
  expect((await on.admin.send('POST', `${path}/${receipt?.id}/send-again`)).status).toBe(404);
  const all = { destinationId: channel.id, onlyOpen: false };
  expect((await on.admin.send('POST', `${path}/send-again`, all)).status).toBe(404);
  expect(await receipts()).toMatchObject([{ state: 'not-delivered' }]);
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

test('nothing is sent to the channels of a member whose account is disabled, until it is enabled', async () => {
  const phone = await on.receive(ntfyRules('tk_phone'));
  const { channel } = await add({ kind: 'ntfy', name: 'Away', url: phone.url, topic: 'away', token: 'tk_phone' });
  expect((await confirm(channel.id, codeIn(phone.taken()[0]?.body))).status).toBe(200);
  const customer = crypto.randomUUID();
  const recipients = [{ kind: 'member' as const, id: member.id }];
  await on.ladders.addLadder(customer, { steps: [{ afterMinutes: 0, recipients }], repeat: 0, isUrgent: false });
  phone.answer({ status: 503 });
  await on.post({ customer, title: 'Disk almost full' });
  await expect.poll(() => phone.requests.length).toBeGreaterThanOrEqual(2);
  const setActive = async (active: boolean) =>
    (await on.admin.send('PATCH', `/api/auth/users/${member.id}/toggle-active`, { active })).status;
  expect(await setActive(false)).toBe(200);
  phone.answer(undefined);
  // What waits is not sent, and what was posted before is not changed.
  const { database } = on.server;
  expect((await findWaiting(database, Date.now() + 60_000)).map(({ id }) => id)).not.toContain(channel.id);
  const plan = await createPlanKeeper(database, createLogger('silent')).current();
  expect(plan?.destinations.get(channel.id)?.isPaused).toBe(true);
  expect(await setActive(true)).toBe(200);
  await expect.poll(() => phone.taken().length).toBe(2);
});

test('mail to the account goes to the address that the account has by now, the code and what waits too', async () => {
  const { channel } = await add({ kind: 'mail', name: 'Mail' });
  await expect.poll(() => mails().length).toBe(1);
  const moveTo = async (email: string): Promise<string> => {
    expect((await on.admin.send('PATCH', `/api/auth/users/${member.id}`, { email })).status).toBe(200);
    return email;
  };
  const email = await moveTo(`${crypto.randomUUID()}@example.com`);
  expect(await channels()).toMatchObject([{ id: channel.id, to: email }]);
  vi.setSystemTime(Date.now() + 60_000);
  onTestFinished(() => void vi.useRealTimers());
  const again = await (await member.send('POST', `/api/own-channels/${channel.id}/code`)).json();
  expect(ownChannelSentSchema.parse(again)).toMatchObject({ isDelivered: true, channel: { to: email } });
  vi.useRealTimers();
  expect((await confirm(channel.id, codeIn(mailsTo(email)[0]?.text))).status).toBe(200);

  const wait = (retryAt: number | null) =>
    on.server.database.transaction((tx) => tx.getRepository(DestinationEntity).update({ id: channel.id }, { retryAt }));
  await wait(Date.now() + 20_000);
  const customer = crypto.randomUUID();
  const recipients = [{ kind: 'member' as const, id: member.id }];
  await on.ladders.addLadder(customer, { steps: [{ afterMinutes: 0, recipients }], repeat: 0, isUrgent: false });
  const alertId = await on.post({ customer, title: 'Disk almost full' });
  await expect
    .poll(async () => (await on.world.receipts(alertId)).receipts.map(({ state }) => state))
    .toEqual(['waiting']);
  const newest = await moveTo(`${crypto.randomUUID()}@example.com`);
  await wait(null);
  await expect.poll(() => mailsTo(newest).map(({ to }) => to)).toEqual([[newest]]);
  expect(mailsTo(email).filter(({ text }) => text.includes('Disk almost full'))).toEqual([]);
});
