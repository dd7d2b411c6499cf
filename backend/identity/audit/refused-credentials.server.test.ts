import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { AccountLinkEntity } from '#backend/identity/users/account-link.ts';
import { UserEntity } from '#backend/identity/users/user.ts';
import { createdApiTokenSchema } from '#backend/contract/api-token.ts';
import { newAccountLinkSchema } from '#backend/contract/account-link.ts';
import { type AuditEntry, auditEntrySchema } from '#backend/contract/audit-entry.ts';
import { ApiTokenEntity } from '#backend/identity/sessions/api-token.ts';
import { type TestRedis, hasCluster, startRedis } from '#tests/support/redis.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer({ TRUST_PROXY: '1' });
  admin = await server.signedIn({ role: 'admin' });
});
afterEach(() => vi.useRealTimers());
afterAll(() => server.destroy());

const trailOf = async (reader: TestClient, query = ''): Promise<AuditEntry[]> =>
  z.array(auditEntrySchema).parse(await (await reader.get(`/api/audit?limit=500${query}`)).json());
const at = async (ip: string) => (await trailOf(admin, `&q=${ip}`)).filter((entry) => entry.ip === ip);
const outline = ({ action, actorId, subject, detail, token }: AuditEntry) => ({
  action,
  actorId,
  subject,
  detail: detail?.replaceAll(/\b[\da-f]{8}\b/g, 'MARK'),
  token: token?.name,
});

let addresses = 0;
const newAddress = () => `10.3.0.${(addresses += 1)}`;
const elsewhere = (ip: string) => ({ 'X-Forwarded-For': ip });
const useToken = (token: string, ip: string, on = server) =>
  on.anonymous().get('/api/alerts/inbox', { Authorization: `Bearer ${token}`, ...elsewhere(ip) });
const newToken = async (member: TestClient, name: string) =>
  createdApiTokenSchema.parse(
    await (await member.send('POST', '/api/auth/tokens', { name, scope: 'read', expiresInDays: 1 })).json(),
  );
const useLink = (call: 'look' | 'join' | 'reset-password', token: string, ip: string, on = server) =>
  on
    .anonymous()
    .send(
      'POST',
      `/api/auth/${call === 'look' ? 'links/look' : call}`,
      { token, ...(call !== 'look' && { password: 'battery staple' }) },
      elsewhere(ip),
    );
const newLink = async (path: string, body: object) => {
  const { link, path: address } = newAccountLinkSchema.parse(await (await admin.send('POST', path, body)).json());
  return { ...link, token: address.split('#')[1] ?? '' };
};
const invite = () =>
  newLink('/api/auth/invitations', { email: `${crypto.randomUUID()}@example.com`, displayName: 'New', role: 'user' });

describe('an API token that is not accepted', () => {
  test('is in the audit trail: whose it is where that is known, and why', async () => {
    const ip = newAddress();
    const member = await server.signedIn();
    const { id: memberId } = member;
    const [expired, revoked, orphaned] = [
      await newToken(member, 'Expired'),
      await newToken(member, 'Revoked'),
      await newToken(member, 'Orphaned'),
    ];
    await server.database.transaction((tx) =>
      tx.getRepository(ApiTokenEntity).update({ id: expired.id }, { expiresAt: Date.now() - 1 }),
    );
    expect((await useToken(expired.plainToken, ip)).status).toBe(401);
    await member.send('DELETE', `/api/auth/tokens/${revoked.id}`);
    expect((await useToken(revoked.plainToken, ip)).status).toBe(401);
    // As another server may disable it between two calls.
    await server.database.transaction((tx) =>
      tx.getRepository(UserEntity).update({ id: memberId }, { isActive: false }),
    );
    expect((await useToken(orphaned.plainToken, ip)).status).toBe(401);
    const none = { subject: null, actorId: null, token: undefined };
    const theirs = { subject: null, actorId: memberId };
    const entries = await at(ip);
    expect(entries.map(outline)).toEqual([
      { action: 'api_token_refused', ...theirs, detail: 'account disabled', token: 'Orphaned' },
      { action: 'api_token_refused', ...none, detail: 'unknown or revoked, fingerprint MARK' },
      { action: 'api_token_refused', ...theirs, detail: 'expired', token: 'Expired' },
    ]);
    // By the fingerprint an administrator finds what the revoked one was called.
    const mark = /[\da-f]{8}$/.exec(entries[1]?.detail ?? '')?.[0] ?? 'none';
    const named = (await trailOf(admin, `&q=${mark}`)).map(({ action, subject }) => `${action}: ${subject}`);
    expect(named).toEqual([
      'api_token_refused: null',
      'api_token_revoked: Revoked (read)',
      'api_token_created: Revoked (read)',
    ]);
    const everything = JSON.stringify(await trailOf(admin));
    for (const { plainToken } of [expired, revoked, orphaned]) expect(everything).not.toContain(plainToken.slice(4));
  });

  test('is no entry when it is somebody else’s, such as a proxy’s', async () => {
    const ip = newAddress();
    expect((await useToken('eyJhbGciOi.of.a-proxy', ip)).status).toBe(401);
    expect(await at(ip)).toEqual([]);
  });

  test('is counted when it is brought again: one entry at once, one for the rest of the hour', async () => {
    const ip = newAddress();
    const own = await startTestServer({ TRUST_PROXY: '1' });
    await Promise.all(Array.from({ length: 30 }, () => useToken('adt_the-same', ip, own)));
    const restarted = await own.restart();
    const entries = await trailOf(await restarted.signedIn({ role: 'admin' }), `&q=${ip}`);
    expect(entries.map(({ times }) => times)).toEqual([29, 1]);
    await restarted.destroy();
  });
});

describe('a link that is not accepted', () => {
  test('is in the audit trail: whom it was for where that is known, and why', async () => {
    const ip = newAddress();
    const [late, taken] = [await invite(), await invite()];
    await server.database.transaction((tx) =>
      tx.getRepository(AccountLinkEntity).update({ id: late.id }, { expiresAt: Date.now() - 1 }),
    );
    const person = await server.addUser();
    const reset = await newLink(`/api/auth/users/${person.id}/reset-link`, {});
    await admin.send('DELETE', `/api/auth/links/${reset.id}`);
    expect((await useLink('look', late.token, ip)).status).toBe(404);
    expect((await useLink('join', taken.token, ip)).status).toBe(200);
    expect((await useLink('join', taken.token, ip)).status).toBe(404);
    expect((await useLink('reset-password', reset.token, ip)).status).toBe(404);
    const entries = await at(ip);
    expect(entries.map(outline).filter(({ action }) => action === 'link_refused')).toEqual([
      {
        action: 'link_refused',
        actorId: null,
        subject: null,
        detail: 'unknown, used or revoked, fingerprint MARK',
        token: undefined,
      },
      {
        action: 'link_refused',
        actorId: null,
        subject: null,
        detail: 'unknown, used or revoked, fingerprint MARK',
        token: undefined,
      },
      {
        action: 'link_refused',
        actorId: null,
        subject: `${late.email}: invitation`,
        detail: 'ran out',
        token: undefined,
      },
    ]);
    const marks = entries.slice(0, 1).map(({ detail }) => /[\da-f]{8}$/.exec(detail ?? '')?.[0] ?? 'none');
    const named = (await trailOf(admin, `&q=${marks[0]}`)).map(({ action, subject }) => `${action}: ${subject}`);
    expect(named).toEqual([
      'link_refused: null',
      `link_revoked: ${person.email}: reset`,
      `reset_link_created: ${person.email}`,
    ]);
    const everything = JSON.stringify(await trailOf(admin));
    for (const { token } of [late, taken, reset]) expect(everything).not.toContain(token);
  });

  test('is one whose maker may make none any more', async () => {
    const ip = newAddress();
    const maker = await server.signedIn({ role: 'admin' });
    const body = { email: `${crypto.randomUUID()}@example.com`, displayName: 'New', role: 'user' };
    const made = newAccountLinkSchema.parse(await (await maker.send('POST', '/api/auth/invitations', body)).json());
    // As a server of the release before takes the role away: the link stays.
    await server.database.transaction((tx) => tx.getRepository(UserEntity).update({ id: maker.id }, { role: 'user' }));
    expect((await useLink('look', made.path.split('#')[1] ?? '', ip)).status).toBe(404);
    expect((await at(ip)).map(({ subject, detail }) => `${subject}, ${detail}`)).toEqual([
      `${body.email}: invitation, its maker may make no links any more`,
    ]);
  });
});

/** More tokens than one network gets entries for. */
const flood = (servers: TestServer[], ip: string, tokens: number) =>
  Promise.all(
    Array.from({ length: tokens }, (_, index) =>
      useToken(`adt_${index}`, ip, servers[index % servers.length] ?? server),
    ),
  );

describe('a flood of strangers', () => {
  test('leaves twenty entries an hour of each network, and one that counts the rest', async () => {
    const own = await startTestServer({ TRUST_PROXY: '1' });
    const [ip, other] = [newAddress(), newAddress()];
    await flood([own], ip, 150);
    await flood([own], other, 1);
    await useLink('look', 'x'.repeat(43), ip, own);
    const restarted = await own.restart();
    const reader = await restarted.signedIn({ role: 'admin' });
    const entries = (await trailOf(reader)).filter(({ action }) => action.endsWith('_refused'));
    const ofIp = entries.filter((entry) => entry.ip === ip);
    expect(ofIp.filter(({ times }) => times === 1)).toHaveLength(20);
    expect(ofIp.filter(({ times }) => times > 1).map(({ times, detail }) => [times, detail])).toEqual([
      [131, 'more from this network within the hour'],
    ]);
    expect(entries.filter((entry) => entry.ip === other).map(({ times }) => times)).toEqual([1]);
    await restarted.destroy();
  });

  test('leaves 500 entries an hour of all networks together', { timeout: 60_000 }, async () => {
    const own = await startTestServer({ TRUST_PROXY: '1' });
    for (let network = 0; network < 60; network += 1) await flood([own], `10.4.${network}.1`, 10);
    const restarted = await own.restart();
    const reader = await restarted.signedIn({ role: 'admin' });
    const entries = [
      ...(await trailOf(reader)),
      ...(await trailOf(reader, `&before=${(await trailOf(reader)).at(-1)?.id}`)),
    ].filter(({ action }) => action === 'api_token_refused');
    expect(entries.filter(({ ip }) => ip !== null)).toHaveLength(500);
    expect(entries.filter(({ ip }) => ip === null).map(({ times, detail }) => [times, detail])).toEqual([
      [100, 'more from other networks within the hour'],
    ]);
    await restarted.destroy();
  });
});

describe.skipIf(!hasCluster)('two servers', () => {
  let redis: TestRedis;
  let one: TestServer;
  let other: TestServer;
  beforeAll(async () => {
    redis = await startRedis();
    one = await startTestServer({ REDIS_URL: redis.url, TRUST_PROXY: '1' });
    other = await one.startSecond();
  });
  afterAll(async () => {
    await other?.stop();
    await one?.destroy();
    await redis?.stop();
  });

  test('have one bound of a network together', async () => {
    const ip = newAddress();
    await flood([one, other], ip, 100);
    const entries = await trailOf(await one.signedIn({ role: 'admin' }), `&q=${ip}`);
    expect(entries.filter(({ detail }) => !detail?.startsWith('more'))).toHaveLength(20);
  });
});
