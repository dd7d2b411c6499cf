import * as z from 'zod/mini';
import { ownSessionSchema } from '#backend/contract/account.ts';
import { type TestServer, TEST_PASSWORD } from './test-server.ts';
import type { TestClient } from './test-client.ts';

/** Who makes the calls, how an API key is made, and a text that is new each time. */
interface Callers {
  server: TestServer;
  admin: TestClient;
  member: TestClient;
  newKey: () => Promise<string>;
  next: () => string;
}

/** Every success that the document promises of sessions, members and API keys, with a call that gets it. */
export const accountCalls = (callers: () => Callers): Record<string, () => Promise<Response>> => ({
  'POST /api/auth/login 200': async () => {
    const { email } = await callers().server.addUser();
    return callers().server.anonymous().send('POST', '/api/auth/login', { email, password: TEST_PASSWORD });
  },
  'GET /api/auth/default-credentials 200': () =>
    callers().member.get('/api/auth/default-credentials', { Authorization: `Bearer ${callers().server.setupToken}` }),
  'GET /api/auth/session 200': () => callers().member.get('/api/auth/session'),
  'POST /api/auth/logout 204': async () => (await callers().server.signedIn()).send('POST', '/api/auth/logout'),
  'GET /api/auth/users 200': () => callers().admin.get('/api/auth/users?limit=1'),
  'POST /api/auth/users 201': () =>
    callers().admin.send('POST', '/api/auth/users', {
      email: `new-${callers().next()}@example.com`,
      displayName: 'New',
      password: 'long enough',
    }),
  'PATCH /api/auth/users/{id}/toggle-active 200': async () =>
    callers().admin.send('PATCH', `/api/auth/users/${(await callers().server.addUser()).id}/toggle-active`),
  'POST /api/auth/users/{id}/reset-password 200': async () =>
    callers().admin.send('POST', `/api/auth/users/${(await callers().server.addUser()).id}/reset-password`, {
      newPassword: 'long enough',
    }),
  'PATCH /api/auth/profile 200': async () =>
    (await callers().server.signedIn()).send('PATCH', '/api/auth/profile', {
      displayName: 'New',
      timeZone: 'Asia/Tokyo',
    }),
  'POST /api/auth/password 204': async () =>
    (await callers().server.signedIn()).send('POST', '/api/auth/password', {
      currentPassword: TEST_PASSWORD,
      newPassword: 'long enough',
    }),
  'GET /api/auth/sessions 200': () => callers().member.get('/api/auth/sessions'),
  'DELETE /api/auth/sessions 204': async () => (await callers().server.signedIn()).send('DELETE', '/api/auth/sessions'),
  'DELETE /api/auth/sessions/{id} 204': async () => {
    const client = await callers().server.signedIn();
    const [own] = z.array(ownSessionSchema).parse(await (await client.get('/api/auth/sessions')).json());
    return client.send('DELETE', `/api/auth/sessions/${own?.id}`);
  },

  'POST /api/auth/users/{id}/hand-over 200': async () => {
    const { server, admin } = callers();
    const [giver, taker] = [await server.addUser(), await server.addUser()];
    return admin.send('POST', `/api/auth/users/${giver.id}/hand-over`, { userId: taker.id });
  },
  'GET /api/api-keys 200': async () => {
    await callers().newKey();
    await callers().newKey();
    return callers().admin.get('/api/api-keys?limit=1');
  },
  'POST /api/api-keys 201': () => callers().admin.send('POST', '/api/api-keys', { name: 'Another' }),
  'DELETE /api/api-keys/{id} 204': async () =>
    callers().admin.send('DELETE', `/api/api-keys/${await callers().newKey()}`),
});
