import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { apiTokenSchema, createdApiTokenSchema } from '#backend/contract/api-token.ts';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());
beforeEach(() => decide(null));

const DAY_MS = 24 * 60 * 60_000;
const decide = (maxDays: number | null) => must(admin.send('PUT', '/api/auth/token-rule', { maxDays }));
const make = (by: TestClient, expiresInDays: number | null) =>
  by.send('POST', '/api/auth/tokens', { name: 'Script', scope: 'read', expiresInDays });
const livesOf = async (by: TestClient, path = '/api/auth/tokens') =>
  z
    .array(apiTokenSchema)
    .parse(await (await by.get(path)).json())
    .map(({ expiresAt }) => (expiresAt === null ? null : Math.round((Date.parse(expiresAt) - Date.now()) / DAY_MS)));

describe('the longest life of API tokens', () => {
  test('is shown to everybody, decided by administrators, and holds for what is made from then on', async () => {
    const member = await server.signedIn();
    expect((await member.send('PUT', '/api/auth/token-rule', { maxDays: 30 })).status).toBe(403);
    await decide(30);
    expect(await (await member.get('/api/auth/token-rule')).json()).toEqual({ maxDays: 30 });
    for (const days of [31, null]) {
      const answer = await make(member, days);
      expect([answer.status, await answer.text()]).toEqual([
        422,
        'API tokens work for at most 30 days here. Choose a shorter life.',
      ]);
    }
    const service = { name: 'Bot', scope: 'read', expiresInDays: null, role: 'user' };
    expect((await admin.send('POST', '/api/service-tokens', service)).status).toBe(422);
    await must(make(member, 30));
    expect(await livesOf(member)).toEqual([30]);
    for (const maxDays of [0, 367, 1.5, '30']) {
      expect((await admin.send('PUT', '/api/auth/token-rule', { maxDays })).status).toBe(422);
    }
  });

  test('ends what would work longer so long after the decision, for good; the rest ends as it would', async () => {
    const member = await server.signedIn();
    for (const days of [null, 90, 7]) await must(make(member, days));
    const service = { name: 'Bot', scope: 'read', expiresInDays: 90, role: 'user' };
    await must(admin.send('POST', '/api/service-tokens', service));
    await decide(30);
    expect(await livesOf(member)).toEqual([7, 30, 30]);
    expect(await livesOf(admin, '/api/service-tokens')).toEqual([30]);
    await decide(null);
    expect(await livesOf(member)).toEqual([7, 30, 30]);
    const entries = await server.database.reads
      .getRepository(AuditEntity)
      .find({ where: { action: 'token_rule_changed' }, order: { id: 'DESC' }, take: 2 });
    expect(entries.map(({ subject }) => subject)).toEqual(['30 days → no limit', 'no limit → 30 days']);
  });

  test('is missed by no token that is made while it is decided', async () => {
    const members = await Promise.all(Array.from({ length: 6 }, () => server.signedIn()));
    const [, ...answers] = await Promise.all([decide(30), ...members.map((member) => make(member, null))]);
    expect(answers.every(({ status }) => status === 201 || status === 422)).toBe(true);
    const made = await Promise.all(answers.filter(({ status }) => status === 201).map((answer) => answer.json()));
    const lives = (await Promise.all(members.map((member) => livesOf(member)))).flat();
    expect(lives).toEqual(made.map((token) => createdApiTokenSchema.parse(token) && 30));
  });
});
