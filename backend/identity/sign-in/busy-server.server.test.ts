import bcrypt from 'bcrypt';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { unavailable } from '#backend/platform/endpoint/errors.ts';
import { addTotp, codeOf, pendingSignIn, secondStep } from '#tests/support/second-step-calls.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

test('passwords that the server is too busy to look at count for nothing', async () => {
  const member = await server.signedIn();
  const email = member.session?.email ?? '';
  const busy = vi.spyOn(bcrypt, 'compare').mockRejectedValue(unavailable('Busy', 5) as never);
  onTestFinished(() => void vi.restoreAllMocks());
  const login = { email, password: TEST_PASSWORD };
  const logIn = () => server.anonymous().send('POST', '/api/auth/login', login);
  const known = () => member.send('POST', '/api/auth/login', login);
  const prove = () => member.send('POST', '/api/auth/proof', { password: TEST_PASSWORD });
  for (let count = 0; count < 21; count += 1) {
    expect((await logIn()).status).toBe(503);
    expect((await known()).status).toBe(503);
    expect((await prove()).status).toBe(503);
  }
  busy.mockRestore();
  expect((await prove()).status).toBe(204);
  expect((await logIn()).status).toBe(200);
  expect((await known()).status).toBe(200);
});

test('second steps that the server cannot look at count for nothing', async () => {
  const member = await server.signedIn();
  const { key } = await addTotp(server, member);
  const client = await pendingSignIn(server, member.session?.email ?? '');
  const step = () => secondStep(client, { method: 'totp', code: codeOf(key) });
  const away = vi.spyOn(server.database, 'transaction').mockRejectedValue(unavailable('Busy', 5));
  onTestFinished(() => away.mockRestore());
  for (let count = 0; count < 11; count += 1) expect((await step()).status).toBe(503);
  away.mockRestore();
  expect((await step()).status).toBe(200);
});
