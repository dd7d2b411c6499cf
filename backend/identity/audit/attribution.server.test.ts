import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createdApiTokenSchema } from '#backend/contract/api-token.ts';
import { type AuditEntry, auditEntrySchema } from '#backend/contract/audit-entry.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type TestRedis, hasCluster, startRedis } from '#tests/support/redis.ts';
import {
  addTotp,
  codeOf,
  optionsFrom,
  passkeyOrigin,
  pendingSignIn,
  secondStep,
  sendSigned,
  signInWithPasskey,
  withPasskey,
} from '#tests/support/second-step-calls.ts';
import { SoftwareAuthenticator } from '#tests/support/software-authenticator.ts';
import { createSourceWorld } from '#tests/support/source-world.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

/** What somebody did, newest first. */
const trailOf = async ({ id }: { id: string }, reader = admin): Promise<AuditEntry[]> =>
  z
    .array(auditEntrySchema)
    .parse(await (await reader.get('/api/audit?limit=500')).json())
    .filter(({ actorId }) => actorId === id);
const outline = ({ action, subject, detail }: AuditEntry) => [action, subject, detail];
const newToken = async (member: TestClient, scope: string) =>
  createdApiTokenSchema.parse(
    await (await member.send('POST', '/api/auth/tokens', { name: 'Script', scope, expiresInDays: null })).json(),
  );
const withToken = ({ plainToken }: { plainToken: string }) => ({ Authorization: `Bearer ${plainToken}` });

const proveByPassword = (member: TestClient, password: string) => member.send('POST', '/api/auth/proof', { password });
const optionsOf = (member: TestClient) => optionsFrom(member, '/api/auth/proof/passkey-options');
const sendPasskey = (member: TestClient, credential: unknown) => sendSigned(member, '/api/auth/proof', { credential });

const owned = async (member: TestClient, count: number) => {
  const ids = await insertAlerts(
    server.database,
    Array.from({ length: count }, () => ({ title: 'Disk full' })),
  );
  for (const id of ids) await member.send('POST', `/api/alerts/${id}/accept`);
  return ids;
};
const handedOver = async (by: TestClient) =>
  (await trailOf(by)).filter(({ action }) => action === 'alerts_handed_over');
const emailOf = ({ session }: TestClient) => session?.email ?? '';

const readings = async (reader: TestClient, on = admin) =>
  (await trailOf(reader, on)).filter(({ action }) => action === 'deliveries_read');

test('a sign-in is an entry that says by which method', async () => {
  const key = new SoftwareAuthenticator({ origin: passkeyOrigin(server) });
  const { member, device, recoveryCodes } = await withPasskey(server, key);
  const app = await addTotp(server, member);
  const email = emailOf(member);
  const pending = () => pendingSignIn(server, email);
  await must(secondStep(await pending(), { method: 'totp', code: codeOf(app.key) }));
  const browser = await pending();
  await must(secondStep(browser, { method: 'recovery_code', code: recoveryCodes[0] ?? '', remember: true }));
  await browser.signIn(email, TEST_PASSWORD);
  const client = await pending();
  const options = await optionsFrom(client, '/api/auth/login/second-step/passkey-options');
  await must(secondStep(client, { method: 'passkey', credential: device.get(options) }));
  await must(signInWithPasskey(server.anonymous(), device));
  const entries = (await trailOf(member)).filter(({ action }) => action === 'signed_in');
  expect(entries.map(({ subject }) => subject)).toEqual([
    'passkey',
    'password and passkey',
    'password and remembered browser',
    'password and recovery code',
    'password and code of an app',
    'password',
  ]);
});

describe('a proof of who asks', () => {
  test('is an entry that says by what, and a refused one that says why', async () => {
    const key = new SoftwareAuthenticator({ origin: passkeyOrigin(server) });
    const { member, device } = await withPasskey(server, key);
    const other = await withPasskey(server);
    expect((await proveByPassword(member, 'wrong')).status).toBe(422);
    expect((await proveByPassword(member, TEST_PASSWORD)).status).toBe(204);
    const credential = device.get(await optionsOf(member));
    expect((await sendPasskey(member, credential)).status).toBe(204);
    expect((await sendPasskey(member, credential)).status).toBe(422);
    const forged = device.get(await optionsOf(member), { isVerified: false });
    expect((await sendPasskey(member, forged)).status).toBe(422);
    const foreign = other.device.get({ ...((await optionsOf(member)) as object), allowCredentials: [] });
    expect((await sendPasskey(member, foreign)).status).toBe(422);
    const entries = (await trailOf(member)).filter(({ action }) => action.startsWith('proof_'));
    expect(entries.map(outline)).toEqual([
      ['proof_failed', null, 'passkey: unknown, or somebody else’s'],
      ['proof_failed', null, 'passkey: signature not accepted'],
      ['proof_failed', null, 'passkey: too late, or sent twice'],
      ['proof_given', null, expect.stringMatching(/^passkey: ./)],
      ['proof_given', null, 'password'],
      ['proof_failed', null, 'wrong password'],
    ]);
  });

  test('that is refused again and again is counted; too many wrong passwords are one entry', async () => {
    const own = await startTestServer();
    const { member, device } = await withPasskey(own);
    const credential = device.get(await optionsOf(member));
    await sendPasskey(member, credential);
    await Promise.all(Array.from({ length: 40 }, () => sendPasskey(member, credential)));
    for (let guess = 0; guess < 14; guess += 1) await proveByPassword(member, 'wrong');
    const restarted = await own.restart();
    const entries = await trailOf(member, await restarted.signedIn({ role: 'admin' }));
    const counted = entries
      .filter(({ action }) => action === 'proof_failed')
      .map(({ detail, times }) => `${detail} ×${times}`);
    expect(counted.toSorted()).toEqual([
      'passkey: too late, or sent twice ×1',
      'passkey: too late, or sent twice ×39',
      'too many wrong passwords ×1',
      ...Array.from({ length: 10 }, () => 'wrong password ×1'),
    ]);
    await restarted.destroy();
  });
});

describe('alerts of somebody else that an administrator gives to another', () => {
  test('are one entry for an act: how many, from whom, to whom, and by which token', async () => {
    const boss = await server.signedIn({ role: 'admin' });
    const [anna, ben, cleo] = [await server.signedIn(), await server.signedIn(), await server.signedIn()];
    const [single = '', ...more] = await owned(anna, 4);
    const theirs = await owned(ben, 2);
    await boss.send('POST', `/api/alerts/${single}/assign`, { userId: cleo.id });
    await boss.send('POST', '/api/alerts/bulk', { action: 'assign', userId: cleo.id, ids: [...more, ...theirs] });
    await owned(anna, 2);
    await boss.send('POST', `/api/auth/users/${anna.id}/hand-over`, { userId: ben.id });
    const token = await newToken(boss, 'triage');
    const [last = ''] = await owned(anna, 1);
    const body = { userId: ben.id };
    await server.anonymous().send('POST', `/api/alerts/${last}/assign`, body, withToken(token));
    const entries = await handedOver(boss);
    expect(entries.map(outline)).toEqual([
      ['alerts_handed_over', `${emailOf(anna)} → ${emailOf(ben)}`, `alert ${last}`],
      ['alerts_handed_over', `${emailOf(anna)} → ${emailOf(ben)}`, '2 alerts'],
      ['alerts_handed_over', `2 members → ${emailOf(cleo)}`, `5 alerts: ${emailOf(anna)} (3), ${emailOf(ben)} (2)`],
      ['alerts_handed_over', `${emailOf(anna)} → ${emailOf(cleo)}`, `alert ${single}`],
    ]);
    expect(entries.map((entry) => entry.token?.id)).toEqual([token.id, undefined, undefined, undefined]);
  });

  test('are none where they are the administrator’s own, or nobody’s, or nothing changes', async () => {
    const boss = await server.signedIn({ role: 'admin' });
    const anna = await server.signedIn();
    const [mine = ''] = await owned(boss, 1);
    const [theirs = ''] = await owned(anna, 1);
    const [pending = ''] = await insertAlerts(server.database, [{ title: 'New' }]);
    for (const id of [mine, pending, theirs]) await boss.send('POST', `/api/alerts/${id}/assign`, { userId: anna.id });
    expect(await handedOver(boss)).toEqual([]);
  });

  test('are one entry when two administrators do it at once', async () => {
    const [one, other] = [await server.signedIn({ role: 'admin' }), await server.signedIn({ role: 'admin' })];
    const [anna, ben] = [await server.signedIn(), await server.signedIn()];
    const ids = await owned(anna, 3);
    const body = { action: 'assign', userId: ben.id, ids, ifOwner: anna.id };
    await Promise.all([one, other].map((by) => by.send('POST', '/api/alerts/bulk', body)));
    const entries = [...(await handedOver(one)), ...(await handedOver(other))];
    expect(entries.map(({ detail }) => detail)).toEqual(['3 alerts']);
  });
});

describe('who reads deliveries', () => {
  test('is an entry in an hour for each of them and each source: of the list, and of contents', async () => {
    const reader = await server.signedIn({ role: 'admin' });
    const world = createSourceWorld(server, admin);
    const [one, other] = [await world.newSource(), await world.newSource()];
    await world.send(`/in/${one.token}`);
    const { id } = await world.expectNewest(one.source.id, { outcome: 'new' });
    const list = (source: string, headers = {}) => reader.get(`/api/sources/${source}/deliveries`, headers);
    // Ten at once, too.
    await Promise.all(Array.from({ length: 10 }, () => list(one.source.id)));
    await list(one.source.id);
    await list(other.source.id);
    for (let count = 0; count < 3; count += 1) expect((await reader.get(`/api/deliveries/${id}`)).status).toBe(200);
    await reader.send('POST', `/api/sources/${one.source.id}/dry-run`, { deliveryId: id });
    const token = await newToken(reader, 'admin');
    const call = server.anonymous();
    expect((await call.get(`/api/sources/${one.source.id}/deliveries`, withToken(token))).status).toBe(200);
    const entries = await readings(reader);
    expect(entries.map(outline)).toEqual([
      ['deliveries_read', one.source.name, 'list'],
      ['deliveries_read', one.source.name, 'contents'],
      ['deliveries_read', other.source.name, 'list'],
      ['deliveries_read', one.source.name, 'list'],
    ]);
    expect(entries.map((entry) => entry.token?.id)).toEqual([token.id, undefined, undefined, undefined]);
  });

  test('is an entry by a dry run of a stored delivery, and none by one of a pasted request', async () => {
    const reader = await server.signedIn({ role: 'admin' });
    const world = createSourceWorld(server, admin);
    const { source, token } = await world.newSource();
    await world.send(`/in/${token}`);
    const { id } = await world.expectNewest(source.id, { outcome: 'new' });
    const dryRun = (body: object) => reader.send('POST', `/api/sources/${source.id}/dry-run`, body);
    expect((await dryRun({ request: { headers: {}, body: '{}' } })).status).toBe(200);
    expect(await readings(reader)).toEqual([]);
    expect((await dryRun({ deliveryId: id })).status).toBe(200);
    expect((await readings(reader)).map(outline)).toEqual([['deliveries_read', source.name, 'contents']]);
  });

  describe.skipIf(!hasCluster)('at two servers', () => {
    let redis: TestRedis;
    let one: TestServer;
    let other: TestServer;
    beforeAll(async () => {
      redis = await startRedis();
      one = await startTestServer({ REDIS_URL: redis.url });
      other = await one.startSecond();
    });
    afterAll(async () => {
      await other?.stop();
      await one?.destroy();
      await redis?.stop();
    });

    test('is one entry of both', async () => {
      const reader = await one.signedIn({ role: 'admin' });
      const { source } = await createSourceWorld(one, reader).newSource();
      const elsewhere = new TestClient(other.url);
      for (const [name, value] of reader.cookies) elsewhere.cookies.set(name, value);
      const path = `/api/sources/${source.id}/deliveries`;
      await Promise.all([reader, elsewhere, reader, elsewhere].map((client) => client.get(path)));
      expect(await readings(reader, reader)).toHaveLength(1);
    });
  });
});

describe('an export from a page', () => {
  test('is an entry: what, by which filter, how much', async () => {
    const member = await server.signedIn();
    const report = {
      what: 'alerts',
      filter: '/api/alerts/inbox?severity=high',
      format: 'csv',
      rows: 34,
    };
    expect((await member.send('POST', '/api/exports', report)).status).toBe(204);
    expect((await member.send('POST', '/api/exports', { ...report, what: 'passwords' })).status).toBe(422);
    const [entry] = await trailOf(member);
    expect(entry && outline(entry)).toEqual([
      'page_exported',
      'alerts',
      '34 rows as CSV: /api/alerts/inbox?severity=high',
    ]);
  });

  test('is let through sixty times an hour, also when many are sent at once', async () => {
    const member = await server.signedIn();
    const report = { what: 'insight', filter: '', format: 'json', rows: 1 };
    const answers = await Promise.all(Array.from({ length: 70 }, () => member.send('POST', '/api/exports', report)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    expect((await trailOf(member)).filter(({ action }) => action === 'page_exported')).toHaveLength(60);
  });
});
