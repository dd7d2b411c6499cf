import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { Not } from 'typeorm';
import { setUserRole } from '#backend/identity/accounts/user-commands.ts';
import { UserEntity } from '#backend/identity/users/user.ts';
import { COMMAND_LINE } from '#backend/identity/audit/audit-log.ts';
import {
  type NewApiToken,
  apiTokenSchema,
  createdApiTokenSchema,
  createdServiceTokenSchema,
  serviceTokenSchema,
} from '#backend/contract/api-token.ts';
import { alertListSchema } from '#backend/contract/alert.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import type { SecondStepRule } from '#backend/contract/second-step.ts';
import { writeRule } from '#backend/identity/factors/second-steps.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { addTotp } from '#tests/support/second-step-calls.ts';
import { type TestServer, TEST_PASSWORD, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';
import { ApiTokenEntity, createApiTokens } from '#backend/identity/sessions/api-token.ts';

let server: TestServer;
let admin: TestClient;
let apiKey: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  apiKey = await server.addApiKey();
});
afterAll(() => server.destroy());

const list = <T extends z.ZodMiniType>(schema: T, response: Response): Promise<z.infer<T>[]> =>
  response.json().then((rows: unknown[]) => rows.map((row) => schema.parse(row)));

async function newToken(member: TestClient, input: Partial<NewApiToken> = {}) {
  const body = { name: 'Script', scope: 'triage', expiresInDays: null, ...input };
  return createdApiTokenSchema.parse(await (await member.send('POST', '/api/auth/tokens', body)).json());
}

/** Calls with a token alone: no cookie, no CSRF header. */
function withToken(plainToken: string) {
  const call = server.anonymous();
  const headers = { Authorization: `Bearer ${plainToken}` };
  return {
    get: (path: string) => call.get(path, headers),
    send: (method: string, path: string, body?: unknown) => call.send(method, path, body, headers),
  };
}

const newService = async (input: object = {}) => {
  const body = { name: 'Runbook', scope: 'triage', expiresInDays: null, role: 'user', ...input };
  return createdServiceTokenSchema.parse(await (await admin.send('POST', '/api/service-tokens', body)).json());
};

const decide = (requiredFor: SecondStepRule['requiredFor']) =>
  server.database.transaction((tx) => writeRule(tx, { requiredFor }));

const newAlert = async () => (await server.anonymous().postAlert(apiKey)).id;

describe('a personal token', () => {
  test('acts for its member without cookies and without the CSRF header, and histories name the member', async () => {
    const anna = await server.signedIn({ displayName: 'Anna' });
    const { plainToken } = await newToken(anna);
    expect(plainToken).toMatch(/^adt_[\w-]{43}$/);
    const id = await newAlert();
    const script = withToken(plainToken);
    expect((await script.send('POST', `/api/alerts/${id}/accept`)).status).toBe(200);
    const mine = alertListSchema.parse(await (await script.get('/api/alerts/mine')).json());
    expect(mine.map((alert) => [alert.id, alert.ownerName])).toEqual([[id, 'Anna']]);
    const who = await script.get('/api/auth/session');
    expect([await who.json(), who.headers.getSetCookie()]).toEqual([anna.session, []]);
  });

  test('is stored as a hash, listed without itself, and shows within minutes that it was used', async () => {
    const anna = await server.signedIn();
    const { id, plainToken } = await newToken(anna, { name: '  Nightly export ', expiresInDays: 30 });
    const stored = await server.database.reads.getRepository(ApiTokenEntity).findOneByOrFail({ id });
    expect(JSON.stringify(stored)).not.toContain(plainToken.slice('adt_'.length));
    const answer = await anna.get('/api/auth/tokens');
    const [listed] = await list(apiTokenSchema, answer);
    expect(listed).toMatchObject({ id, name: 'Nightly export', scope: 'triage', lastUsedAt: null });
    expect(Date.parse(listed?.expiresAt ?? '') - Date.parse(listed?.createdAt ?? '')).toBe(30 * 24 * 60 * 60 * 1000);
    await withToken(plainToken).get('/api/alerts/inbox');
    const usedAt = async () => (await list(apiTokenSchema, await anna.get('/api/auth/tokens')))[0]?.lastUsedAt;
    await expect.poll(usedAt).toEqual(expect.any(String));
  });

  test('is refused at once when it is revoked, and only its member can revoke it', async () => {
    const [anna, ben] = [await server.signedIn(), await server.signedIn()];
    const { id, plainToken } = await newToken(anna);
    expect((await ben.send('DELETE', `/api/auth/tokens/${id}`)).status).toBe(404);
    expect((await withToken(plainToken).get('/api/folders')).status).toBe(200);
    const revoked = await Promise.all([1, 2].map(() => anna.send('DELETE', `/api/auth/tokens/${id}`)));
    expect(revoked.map(({ status }) => status).toSorted()).toEqual([204, 404]);
    const refused = await withToken(plainToken).get('/api/folders');
    expect([refused.status, refused.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
  });

  test.each([
    ['disabling', (id: string) => admin.send('PATCH', `/api/auth/users/${id}/toggle-active`)],
    [
      'a reset of the password',
      (id: string) => admin.send('POST', `/api/auth/users/${id}/reset-password`, { newPassword: 'something new' }),
    ],
  ])('%s its member deletes it', async (_name, revoke) => {
    const anna = await server.signedIn();
    const { id, plainToken } = await newToken(anna);
    expect((await revoke(anna.id)).status).toBe(200);
    expect((await withToken(plainToken).get('/api/folders')).status).toBe(401);
    expect(await server.database.reads.getRepository(ApiTokenEntity).countBy({ id })).toBe(0);
  });

  test('ends when it expires', async () => {
    const anna = await server.signedIn();
    const { plainToken, expiresAt } = await newToken(anna, { expiresInDays: 1 });
    const end = Date.parse(expiresAt ?? '');
    const at = (now: number) =>
      createApiTokens(server.database, createLogger('silent'), server.config, undefined, () => now);
    expect(await at(end - 1).find(plainToken)).toMatchObject({ id: anna.id, tokenScope: 'triage' });
    await expect(at(end).find(plainToken)).rejects.toMatchObject({ status: 401 });
  });

  test('that is unknown is refused, and a cookie beside it does not help', async () => {
    const anna = await server.signedIn();
    const answer = await anna.get('/api/folders', { Authorization: 'Bearer adt_unknown' });
    expect(answer.status).toBe(401);
    // Another scheme's token is a proxy's business.
    expect((await anna.get('/api/folders', { Authorization: 'Bearer something' })).status).toBe(200);
  });

  test('is refused while its member has to set up a second step, and works again when they have', async () => {
    const [anna, service] = [await server.signedIn(), await newService()];
    const { plainToken } = await newToken(anna);
    const script = withToken(plainToken);
    const statuses = async () => [
      (await script.get('/api/folders')).status,
      (await script.get('/api/auth/session')).status,
      (await script.send('POST', '/api/folders', { name: 'Made by a script', color: 'blue' })).status,
    ];
    await decide('administrators');
    expect((await script.get('/api/folders')).status).toBe(200);
    await decide('everybody');
    try {
      expect(await statuses()).toEqual([403, 403, 403]);
      expect(await (await script.get('/api/folders')).text()).toBe(
        'This member has to set up two-step sign-in first. Their API tokens work again when they have.',
      );
      // A service signs in nowhere.
      expect((await withToken(service.plainToken).get('/api/folders')).status).toBe(200);
      await addTotp(server, anna);
      expect(await statuses()).toEqual([200, 200, 201]);
    } finally {
      await decide('nobody');
    }
  });

  test.each([
    ['no name', { name: ' ' }],
    ['an unknown scope', { scope: 'everything' }],
    ['too long a life', { expiresInDays: 367 }],
    ['no life at all', { expiresInDays: 0 }],
  ])('with %s is refused', async (_name, input) => {
    const body = { name: 'Script', scope: 'read', expiresInDays: null, ...input };
    expect((await admin.send('POST', '/api/auth/tokens', body)).status).toBe(422);
  });

  test('stays one of fifty at most, also when many are made at once', async () => {
    const anna = await server.signedIn();
    const body = { name: 'Script', scope: 'read', expiresInDays: null };
    const answers = await Promise.all(Array.from({ length: 53 }, () => anna.send('POST', '/api/auth/tokens', body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(await (await anna.send('POST', '/api/auth/tokens', body)).text()).toBe(
      'You have 50 API tokens already; revoke one first.',
    );
  });

  test('makes 600 calls a minute at most', async () => {
    const anna = await server.signedIn();
    const { plainToken } = await newToken(anna, { scope: 'read' });
    const script = withToken(plainToken);
    const answers: Response[] = [];
    for (let round = 0; round < 13; round += 1) {
      answers.push(...(await Promise.all(Array.from({ length: 50 }, () => script.get('/api/auth/session')))));
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(600);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(50);
    const seconds = Number(refused[0]?.headers.get('Retry-After'));
    expect([seconds > 0, seconds <= 60]).toEqual([true, true]);
    // Its member goes on.
    expect((await anna.get('/api/auth/session')).status).toBe(200);
  });
});

test('the audit trail says who made and revoked which token', async () => {
  const anna = await server.signedIn();
  const { id } = await newToken(anna, { name: 'Audited', scope: 'read' });
  await anna.send('DELETE', `/api/auth/tokens/${id}`);
  const entries = (await (await admin.get('/api/audit?limit=10')).json()) as { action: string; subject: string }[];
  const about = entries.filter(({ subject }) => subject === 'Audited (read)');
  expect(about.map(({ action }) => action)).toEqual(['api_token_revoked', 'api_token_created']);
});

describe('a service token', () => {
  test('acts under its own name; nobody signs in with it or gives it alerts', async () => {
    const { id, plainToken } = await newService({ name: 'Escalation bot' });
    const alertId = await newAlert();
    const bot = withToken(plainToken);
    await bot.send('POST', `/api/alerts/${alertId}/accept`);
    const history = await (await admin.get(`/api/alerts/${alertId}/history`)).json();
    expect(JSON.stringify(history)).toContain('Escalation bot');
    const account = (await (await bot.get('/api/auth/session')).json()) as { id: string; email: string };
    for (const password of ['', 'no password', TEST_PASSWORD]) {
      const answer = await server.anonymous().send('POST', '/api/auth/login', { email: account.email, password });
      expect(answer.status).toBe(password === '' ? 422 : 401);
    }
    const reset = { newPassword: 'a way in after all' };
    const change = await admin.send('POST', `/api/auth/users/${account.id}/reset-password`, reset);
    expect(change.status).toBe(404);
    expect((await admin.send('PATCH', `/api/auth/users/${account.id}/toggle-active`)).status).toBe(404);
    const users = JSON.stringify(await (await admin.get('/api/auth/users')).json());
    const people = JSON.stringify(await (await admin.get('/api/people')).json());
    expect([users.includes(account.id), people.includes(account.id)]).toEqual([false, false]);
    const [listed] = await list(serviceTokenSchema, await admin.get('/api/service-tokens'));
    expect(listed).toMatchObject({ id, name: 'Escalation bot', role: 'user' });
  });

  test('is refused once it is revoked, and what it worked on returns to the inbox', async () => {
    const { id, plainToken } = await newService();
    const alertId = await newAlert();
    const bot = withToken(plainToken);
    await bot.send('POST', `/api/alerts/${alertId}/accept`);
    expect((await admin.send('DELETE', `/api/service-tokens/${id}`)).status).toBe(204);
    expect((await bot.get('/api/folders')).status).toBe(401);
    expect((await admin.send('DELETE', `/api/service-tokens/${id}`)).status).toBe(404);
    const shown = async () => JSON.stringify(await (await admin.get(`/api/alerts/${alertId}`)).json());
    await expect.poll(shown).toContain('"status":"pending"');
  });

  test('is one of fifty at most, also when many are made at once', async () => {
    const body = { name: 'Script', scope: 'read', role: 'user', expiresInDays: null };
    const administrators = await Promise.all([1, 2, 3].map(() => server.signedIn({ role: 'admin' })));
    const count = async () => (await list(serviceTokenSchema, await admin.get('/api/service-tokens'))).length;
    const before = await count();
    const answers = await Promise.all(
      Array.from({ length: 54 }, (_, at) => administrators[at % 3]?.send('POST', '/api/service-tokens', body)),
    );
    expect(answers.filter((answer) => answer?.status === 201)).toHaveLength(50 - before);
    expect(await count()).toBe(50);
    const more = await admin.send('POST', '/api/service-tokens', body);
    expect([more.status, await more.text()]).toEqual([409, 'There are 50 service tokens already; revoke one first.']);
    for (const { id } of await list(serviceTokenSchema, await admin.get('/api/service-tokens'))) {
      await must(admin.send('DELETE', `/api/service-tokens/${id}`));
    }
  });

  test('with the scope admin takes the role admin, disables nobody, and does not count as the last administrator', async () => {
    const body = { name: 'Terraform', scope: 'admin', expiresInDays: 90, role: 'user' };
    const refused = await admin.send('POST', '/api/service-tokens', body);
    expect([refused.status, await refused.text()]).toEqual([
      422,
      'The body is not acceptable: role: The scope admin takes the role admin.',
    ]);
    const { plainToken } = await newService({ scope: 'admin', role: 'admin' });
    const terraform = withToken(plainToken);
    expect((await terraform.get('/api/sources')).status).toBe(200);
    const administrators = server.database.reads.getRepository(UserEntity);
    const others = await administrators.findBy({ role: 'admin', isActive: true, isService: false, id: Not(admin.id) });
    for (const { id } of others) {
      const path = `/api/auth/users/${id}/toggle-active`;
      expect((await terraform.send('PATCH', path, { active: false })).status).toBe(403);
      expect((await admin.send('PATCH', path, { active: false })).status).toBe(200);
    }
    const context = { database: server.database };
    await expect(setUserRole(context, COMMAND_LINE, admin.id, 'user')).rejects.toThrow('the last active administrator');
  });
});
