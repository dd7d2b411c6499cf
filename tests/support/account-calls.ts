import * as z from 'zod/mini';
import { newAccountLinkSchema } from '#backend/contract/account-link.ts';
import { ownSessionSchema } from '#backend/contract/account.ts';
import { MAIL } from './mail-server.ts';
import { memberWithAccess } from './member-write-routes.ts';
import { unsubscribePath } from './sealing-of.ts';
import { type TestServer, TEST_PASSWORD, startTestServer } from './test-server.ts';
import { TestClient } from './test-client.ts';

/** Who makes the calls, how an API key is made, and a text that is new each time. */
interface Callers {
  server: TestServer;
  admin: TestClient;
  member: TestClient;
  newKey: () => Promise<string>;
  next: () => string;
}

const inviteOne = ({ admin }: Pick<Callers, 'admin'>) =>
  admin.send('POST', '/api/auth/invitations', { email: `${crypto.randomUUID()}@example.com`, displayName: 'New' });

const read = async (answer: Promise<Response>) => {
  const { link, path } = newAccountLinkSchema.parse(await (await answer).json());
  return { id: link.id, token: path.split('#')[1] ?? '' };
};

/** An invitation, with its token. */
const newLink = (callers: Pick<Callers, 'admin'>) => read(inviteOne(callers));

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
  'PATCH /api/auth/users/{id} 200': async () =>
    callers().admin.send('PATCH', `/api/auth/users/${(await callers().server.addUser()).id}`, { displayName: 'Other' }),
  'GET /api/auth/token-rule 200': () => callers().member.get('/api/auth/token-rule'),
  'PUT /api/auth/token-rule 200': () => callers().admin.send('PUT', '/api/auth/token-rule', { maxDays: null }),
  'GET /api/auth/users/{id}/access 200': async () => {
    const { path } = await memberWithAccess(callers().server, callers().admin);
    return callers().admin.get(`${path}/access`);
  },
  'DELETE /api/auth/users/{id}/sessions 204': async () => {
    const { path } = await memberWithAccess(callers().server, callers().admin);
    return callers().admin.send('DELETE', `${path}/sessions`);
  },
  'DELETE /api/auth/users/{id}/sessions/{sessionId} 204': async () => {
    const { path, access } = await memberWithAccess(callers().server, callers().admin);
    return callers().admin.send('DELETE', `${path}/sessions/${(await access()).sessions[0]?.id}`);
  },
  'DELETE /api/auth/users/{id}/tokens/{tokenId} 204': async () => {
    const { path, access } = await memberWithAccess(callers().server, callers().admin);
    return callers().admin.send('DELETE', `${path}/tokens/${(await access()).tokens[0]?.id}`);
  },
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
  'POST /api/exports 204': () =>
    callers().member.send('POST', '/api/exports', { what: 'alerts', filter: '', format: 'csv', rows: 1 }),
  'GET /api/auth/export 200': () => callers().member.get('/api/auth/export'),
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
  'GET /api/auth/options 200': () => callers().member.get('/api/auth/options'),
  'GET /api/unsubscribe 200': async () =>
    callers().member.get(await unsubscribePath(callers().server, callers().member.id)),
  'POST /api/unsubscribe 200': async () =>
    callers()
      .server.anonymous()
      .send('POST', await unsubscribePath(callers().server, callers().member.id)),
  'GET /api/auth/links 200': async () => {
    await newLink(callers());
    await newLink(callers());
    return callers().admin.get('/api/auth/links?limit=1');
  },
  'POST /api/auth/invitations 201': () => inviteOne(callers()),
  'POST /api/auth/users/{id}/reset-link 201': async () =>
    callers().admin.send('POST', `/api/auth/users/${(await callers().server.addUser()).id}/reset-link`, {}),
  'POST /api/auth/links/{id}/renew 200': async () =>
    callers().admin.send('POST', `/api/auth/links/${(await newLink(callers())).id}/renew`, {}),
  'DELETE /api/auth/links/{id} 204': async () =>
    callers().admin.send('DELETE', `/api/auth/links/${(await newLink(callers())).id}`),
  'POST /api/auth/links/look 200': async () => {
    const { token } = await newLink(callers());
    return callers().server.anonymous().send('POST', '/api/auth/links/look', { token });
  },
  'POST /api/auth/join 200': async () => {
    const { token } = await newLink(callers());
    return callers().server.anonymous().send('POST', '/api/auth/join', { token, password: 'long enough' });
  },
  'POST /api/auth/reset-password 204': async () => {
    const { server, admin } = callers();
    const { token } = await read(admin.send('POST', `/api/auth/users/${(await server.addUser()).id}/reset-link`, {}));
    return server.anonymous().send('POST', '/api/auth/reset-password', { token, password: 'long enough' });
  },
  'POST /api/auth/forgot-password 204': async () => {
    // Nobody listens there: the mail stays in its queue.
    const mailing = await startTestServer({ ...MAIL, SMTP_URL: 'smtp://127.0.0.1:9' });
    const client = new TestClient(mailing.url, (answer) => callers().server.checker.check(answer));
    return client
      .send('POST', '/api/auth/forgot-password', { email: 'nobody@example.com' })
      .finally(() => mailing.destroy());
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
