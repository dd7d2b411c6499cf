import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AuditEntity, fingerprintOf } from '#backend/identity/audit/audit-log.ts';
import { createdApiTokenSchema, createdServiceTokenSchema } from '#backend/contract/api-token.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { ApiTokenEntity, createApiTokens, tokenHashOf } from '#backend/identity/sessions/api-token.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

const FIVE_MINUTES = 5 * 60 * 1000;

async function newToken() {
  const body = { name: 'Script', scope: 'read', expiresInDays: null };
  return createdApiTokenSchema.parse(await (await admin.send('POST', '/api/auth/tokens', body)).json());
}

/** The server's database, whose transactions are counted; `transaction` may replace them. */
function counted(transaction: (work: never) => Promise<unknown> = server.database.transaction) {
  const spy = vi.fn<(work: never) => Promise<unknown>>(transaction);
  const database: Database = Object.create(server.database, { transaction: { value: spy } });
  return { database, spy };
}

describe('the last use of a token', () => {
  test('is written down at once, and again when five minutes have passed', async () => {
    const { id, plainToken } = await newToken();
    const { database, spy } = counted();
    let now = Date.now();
    const tokens = createApiTokens(database, createLogger('silent'), server.config, undefined, () => now);
    const usedAt = async () => (await database.reads.getRepository(ApiTokenEntity).findOneByOrFail({ id })).lastUsedAt;
    const first = now;
    await tokens.find(plainToken);
    await expect.poll(usedAt).toBe(first);
    now = first + FIVE_MINUTES - 1;
    await tokens.find(plainToken);
    expect(spy).toHaveBeenCalledTimes(1);
    now = first + FIVE_MINUTES;
    await tokens.find(plainToken);
    await expect.poll(usedAt).toBe(now);
  });

  test('is written by one call of many, and by a later one when that failed', async () => {
    const { plainToken } = await newToken();
    const writing = Promise.withResolvers<never>();
    const { database, spy } = counted(() => writing.promise);
    const tokens = createApiTokens(database, createLogger('silent'), server.config, undefined);
    await Promise.all([1, 2, 3].map(() => tokens.find(plainToken)));
    expect(spy).toHaveBeenCalledTimes(1);
    writing.reject(new Error('The disk is full.'));
    const transactions = async () => {
      await tokens.find(plainToken);
      return spy.mock.calls.length;
    };
    await expect.poll(transactions).toBeGreaterThan(1);
  });
});

test('the audit trail says who made which token for a service, and revoked it', async () => {
  const body = { name: 'Watched', scope: 'triage', expiresInDays: null, role: 'user' };
  const made = createdServiceTokenSchema.parse(await (await admin.send('POST', '/api/service-tokens', body)).json());
  await admin.send('DELETE', `/api/service-tokens/${made.id}`);
  const detail = fingerprintOf(tokenHashOf(made.plainToken));
  const entries = await server.database.reads
    .getRepository(AuditEntity)
    .find({ where: { detail }, order: { id: 'ASC' } });
  expect(entries.map(({ action, subject, actorId }) => [action, subject, actorId])).toEqual([
    ['service_token_created', 'Watched (triage), user', admin.id],
    ['service_token_revoked', 'Watched (triage)', admin.id],
  ]);
});
