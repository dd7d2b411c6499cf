import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SessionEntity } from '#backend/identity/sessions/session-store.ts';
import { makeBrowserKeys } from '#tests/support/browser-keys.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { PushSubscriptionEntity, createPushSubscriptionStore } from './push-subscriptions.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.destroy());

const subscribe = async (
  member: TestClient,
  more: { isRenewal?: boolean } = {},
): Promise<[status: number, text: string]> => {
  const endpoint = `https://push.example.com/${randomBytes(16).toString('base64url')}`;
  const body = { endpoint, keys: makeBrowserKeys().keys, ...more };
  const response = await member.send('POST', '/api/push/subscribe', body);
  return [response.status, await response.text()];
};
const renew = (member: TestClient) => subscribe(member, { isRenewal: true });
const storedOf = (member: TestClient) =>
  server.database.reads
    .getRepository(PushSubscriptionEntity)
    .find({ where: { userId: member.id }, order: { id: 'ASC' } });
const takeOffList = async (member: TestClient, id: string | undefined) =>
  (await member.send('DELETE', `/api/push/subscriptions/${id}`)).status;

/** A member on two devices, of which the first one is subscribed. */
async function onTwoDevices(): Promise<[phone: TestClient, laptop: TestClient, id: string | undefined]> {
  const { email } = await server.addUser();
  const [phone, laptop] = [server.anonymous(), server.anonymous()];
  for (const client of [phone, laptop]) await client.signIn(email, 'correct horse');
  await subscribe(phone);
  const [subscription] = await storedOf(phone);
  return [phone, laptop, subscription?.id];
}

test('what a browser replaced is taken, also where the push service had ended the one of before', async () => {
  const member = await server.signedIn();
  await subscribe(member);
  const [before] = await storedOf(member);
  await createPushSubscriptionStore(server.database, server.config).removeGone(before?.id ?? '', before?.p256dh ?? '');
  expect(await storedOf(member)).toEqual([]);
  expect((await renew(member))[0]).toBe(201);
  expect(await storedOf(member)).toHaveLength(1);
});

test('of a browser that was taken off the list it is refused, until it is switched on there', async () => {
  const [phone, laptop, id] = await onTwoDevices();
  expect(await takeOffList(laptop, id)).toBe(204);
  expect(await renew(phone)).toEqual([409, 'This browser was taken off the list of devices.']);
  expect((await renew(laptop))[0]).toBe(201);
  expect((await subscribe(phone))[0]).toBe(201);
  expect((await renew(phone))[0]).toBe(201);
  expect(await storedOf(phone)).toHaveLength(3);
});

test('that holds for the session with another id, and not for one that begins later', async () => {
  const [phone, laptop, id] = await onTwoDevices();
  await takeOffList(laptop, id);
  const { cookieHeader } = phone;
  expect((await phone.send('POST', '/api/auth/proof', { password: 'correct horse' })).status).toBe(204);
  expect(phone.cookieHeader).not.toBe(cookieHeader);
  expect((await renew(phone))[0]).toBe(409);
  await phone.signIn(phone.session?.email ?? '', 'correct horse');
  expect((await renew(phone))[0]).toBe(201);
});

test('it is taken where another one of the same browser was taken off the list', async () => {
  const [phone, laptop, id] = await onTwoDevices();
  await renew(phone);
  await takeOffList(laptop, id);
  expect((await renew(phone))[0]).toBe(201);
  const sessions = server.database.reads.getRepository(SessionEntity);
  expect((await sessions.findBy({ userId: phone.id })).map(({ pushRemovedAt }) => pushRemovedAt)).toEqual([null, null]);
});
