import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAccountLinkSchema } from '#backend/contract/account-link.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { LINKS_PER_NETWORK } from './link-sign-in.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ TRUST_PROXY: '1' });
});
afterAll(() => server.destroy());

const OFFICE = { 'X-Forwarded-For': '203.0.113.78' };
const password = 'battery staple';
const send = async (path: string, body: object) => (await server.anonymous().send('POST', path, body, OFFICE)).status;
const tokenOf = async (answer: Promise<Response>) =>
  newAccountLinkSchema.parse(await (await answer).json()).path.split('#')[1] ?? '';

test('more people than links may be guessed open and use theirs from one network', async () => {
  const admin = await server.signedIn({ role: 'admin' });
  const member = await server.addUser();
  for (let count = 0; count <= LINKS_PER_NETWORK / 2; count += 1) {
    const invitation = { email: `${crypto.randomUUID()}@example.com`, displayName: 'New Comer' };
    const token = await tokenOf(admin.send('POST', '/api/auth/invitations', invitation));
    expect(await send('/api/auth/links/look', { token })).toBe(200);
    expect(await send('/api/auth/join', { token, password })).toBe(200);
  }
  const token = await tokenOf(admin.send('POST', `/api/auth/users/${member.id}/reset-link`, {}));
  expect(await send('/api/auth/reset-password', { token, password })).toBe(204);
  for (let count = 0; count < LINKS_PER_NETWORK; count += 1) {
    expect(await send('/api/auth/links/look', { token })).toBe(404);
  }
  expect(await send('/api/auth/links/look', { token })).toBe(429);
});
