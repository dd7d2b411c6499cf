import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UserEntity } from '#backend/identity/users/user.ts';
import type { Endpoint } from '#backend/platform/endpoint/endpoint.ts';
import { MEMBER_POLICY } from '#tests/support/member-write-routes.ts';
import { SOURCE_POLICY } from '#tests/support/source-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

/** Who may call what: the whole table, so that a call that is missing from it fails. */
const POLICY: Record<string, 'anyone' | 'member' | 'everything' | 'admin'> = {
  'GET /healthz': 'anyone',
  'GET /readyz': 'anyone',
  'GET /metrics': 'anyone',
  'GET /api/product': 'member',
  'GET /api/latency': 'everything',
  'POST /api/csp-reports': 'anyone',
  'GET /api/openapi.json': 'anyone',
  'GET /api/docs': 'anyone',
  'POST /api/auth/login': 'anyone',
  'POST /api/auth/login/second-step': 'anyone',
  'POST /api/auth/login/second-step/passkey-options': 'anyone',
  'POST /api/auth/login/passkey': 'anyone',
  'POST /api/auth/login/passkey-options': 'anyone',
  'POST /api/auth/oidc/app': 'anyone',
  'POST /api/auth/oidc/:provider/start': 'anyone',
  'POST /api/auth/oidc/:provider/callback': 'anyone',
  'POST /api/auth/oidc/:provider/logout': 'anyone',
  'GET /api/auth/identities': 'member',
  'POST /api/auth/identities/:provider/link': 'member',
  'POST /api/auth/identities/:provider/proof': 'member',
  'DELETE /api/auth/identities/:id': 'member',
  'POST /api/auth/proof': 'member',
  'POST /api/auth/proof/passkey-options': 'member',
  'GET /api/auth/second-step': 'member',
  'POST /api/auth/second-step/totp': 'member',
  'POST /api/auth/second-step/totp/confirm': 'member',
  'DELETE /api/auth/second-step/totp': 'member',
  'POST /api/auth/second-step/recovery-codes': 'member',
  'DELETE /api/auth/second-step/browsers': 'member',
  'DELETE /api/auth/second-step/browsers/:id': 'member',
  'POST /api/auth/second-step/passkeys/options': 'member',
  'POST /api/auth/second-step/passkeys': 'member',
  'PATCH /api/auth/second-step/passkeys/:id': 'member',
  'DELETE /api/auth/second-step/passkeys/:id': 'member',
  'GET /api/auth/second-step-rule': 'admin',
  'PUT /api/auth/second-step-rule': 'admin',
  'POST /api/auth/users/:id/reset-second-step': 'admin',
  'GET /api/auth/default-credentials': 'anyone',
  'GET /api/auth/session': 'member',
  'POST /api/auth/logout': 'member',
  'PATCH /api/auth/profile': 'member',
  'POST /api/auth/password': 'member',
  'GET /api/auth/export': 'member',
  'GET /api/auth/sessions': 'member',
  'DELETE /api/auth/sessions': 'member',
  'DELETE /api/auth/sessions/:id': 'member',
  'GET /api/auth/options': 'anyone',
  'GET /api/unsubscribe': 'anyone',
  'POST /api/unsubscribe': 'anyone',
  'POST /api/auth/links/look': 'anyone',
  'POST /api/auth/join': 'anyone',
  'POST /api/auth/reset-password': 'anyone',
  'POST /api/auth/forgot-password': 'anyone',
  'GET /api/auth/links': 'admin',
  'POST /api/auth/invitations': 'admin',
  'POST /api/auth/users/:id/reset-link': 'admin',
  'POST /api/auth/links/:id/renew': 'admin',
  'DELETE /api/auth/links/:id': 'admin',
  'GET /api/auth/users': 'admin',
  'POST /api/auth/users': 'admin',
  ...MEMBER_POLICY,
  'PATCH /api/auth/users/:id/toggle-active': 'admin',
  'POST /api/auth/users/:id/hand-over': 'admin',
  'POST /api/auth/users/:id/reset-password': 'admin',
  'GET /api/auth/tokens': 'member',
  'POST /api/auth/tokens': 'member',
  'DELETE /api/auth/tokens/:id': 'member',
  'GET /api/service-tokens': 'admin',
  'POST /api/service-tokens': 'admin',
  'DELETE /api/service-tokens/:id': 'admin',
  'GET /api/api-keys': 'admin',
  'POST /api/api-keys': 'admin',
  'DELETE /api/api-keys/:id': 'admin',
  'POST /api/webhook/test': 'admin',
  ...SOURCE_POLICY,
  'GET /api/source-names': 'member',
  'GET /api/audit': 'admin',
  'GET /api/alerts/inbox': 'member',
  'GET /api/alerts/mine': 'member',
  'GET /api/alerts/folder/:id': 'member',
  'GET /api/alerts/all-folders': 'member',
  'GET /api/alerts/all': 'everything',
  'GET /api/alerts/snoozed': 'member',
  'GET /api/alerts/snoozed/counts': 'member',
  'GET /api/alerts/stats': 'everything',
  'GET /api/alerts/progress': 'member',
  'GET /api/alerts/facets': 'member',
  'GET /api/alerts/severities': 'member',
  'GET /api/alerts/:id': 'member',
  'GET /api/alerts/:id/history': 'member',
  'GET /api/alerts/:id/notes': 'member',
  'POST /api/alerts/:id/notes': 'member',
  'PATCH /api/alerts/:id/notes/:noteId': 'member',
  'DELETE /api/alerts/:id/notes/:noteId': 'member',
  'GET /api/alerts/:id/people': 'member',
  'GET /api/people': 'member',
  'GET /api/first-run': 'member',
  'GET /api/insight': 'member',
  'GET /api/wallboard': 'everything',
  'GET /api/notes': 'member',
  'POST /api/alerts/:id/assign': 'member',
  'GET /api/alerts/hand-over': 'member',
  'POST /api/alerts/hand-over': 'member',
  'POST /api/alerts/bulk': 'member',
  'POST /api/alerts/:id/accept': 'member',
  'POST /api/alerts/:id/unaccept': 'member',
  'POST /api/alerts/:id/snooze': 'member',
  'POST /api/alerts/:id/wake': 'member',
  'PATCH /api/webhooks/:id/status': 'member',
  'PATCH /api/webhooks/:id/move': 'member',
  'DELETE /api/webhooks/:id': 'member',
  'GET /api/views': 'member',
  'POST /api/views': 'member',
  'PUT /api/views/order': 'member',
  'PATCH /api/views/:id': 'member',
  'PUT /api/views/:id/notify': 'member',
  'DELETE /api/views/:id': 'member',
  'GET /api/folders': 'member',
  'POST /api/folders': 'member',
  'DELETE /api/folders/:id': 'member',
  'GET /api/customers': 'member',
  'GET /api/mute-ends': 'member',
  'GET /api/source-mutes': 'member',
  'POST /api/source-mutes': 'member',
  'POST /api/source-mutes/bulk': 'member',
  'DELETE /api/source-mutes/:sourceId': 'member',
  'GET /api/customer-mutes': 'member',
  'GET /api/customer-mutes/names': 'member',
  'POST /api/customer-mutes': 'member',
  'POST /api/customer-mutes/bulk': 'member',
  'DELETE /api/customer-mutes/:customerId': 'member',
  'GET /api/notification-settings': 'member',
  'PATCH /api/notification-settings': 'member',
  'PUT /api/notification-settings/sounds': 'member',
  'GET /api/push/vapid-public-key': 'member',
  'POST /api/push/subscribe': 'member',
  'DELETE /api/push/subscribe': 'member',
  'GET /api/push/subscriptions': 'member',
  'DELETE /api/push/subscriptions/:id': 'member',
  'POST /api/push/test': 'member',
  'GET /api/alert-types': 'member',
  'GET /api/alert-types/mutes': 'member',
  'POST /api/alert-types/mutes': 'member',
  'POST /api/alert-types/mutes/bulk': 'member',
  'DELETE /api/alert-types/mutes': 'member',
  'DELETE /api/alert-types/mutes/:alertType': 'member',
};

/** A well-formed id of nothing. */
const NOTHING = '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80';

let server: TestServer;
/** Everybody who must not get in where a session is needed. */
let outsiders: Record<string, TestClient>;
/** Everybody who is signed in. */
let members: Record<'user' | 'admin' | 'super_user', TestClient>;

beforeAll(async () => {
  server = await startTestServer();
  members = {
    user: await server.signedIn(),
    admin: await server.signedIn({ role: 'admin' }),
    super_user: await server.signedIn({ role: 'super_user' }),
  };
  const [disabled, signedOut, reset] = [
    await server.signedIn({ role: 'admin' }),
    await server.signedIn({ role: 'admin' }),
    await server.signedIn({ role: 'admin' }),
  ];
  const cookies = new Map(signedOut.cookies);
  await members.admin.send('PATCH', `/api/auth/users/${disabled.id}/toggle-active`);
  await signedOut.send('POST', '/api/auth/logout');
  for (const [name, value] of cookies) signedOut.cookies.set(name, value);
  await members.admin.send('POST', `/api/auth/users/${reset.id}/reset-password`, { newPassword: 'something new' });
  const anonymous = server.anonymous();
  const keyHolder = server.anonymous();
  keyHolder.cookies.set('sid', await server.addApiKey());
  outsiders = { anonymous, disabled, signedOut, reset, keyHolder };
});
afterAll(() => server.destroy());

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const call = (client: TestClient, { method, path }: Endpoint, headers: Record<string, string> = {}) => {
  const address = path.replaceAll(/:\w+/g, NOTHING);
  return method === 'GET' ? client.get(address, headers) : client.send(method, address, {}, headers);
};
const broken = (client: TestClient) =>
  fetch(`${server.url}/api/auth/users`, {
    method: 'POST',
    headers: {
      Cookie: client.cookieHeader,
      'X-CSRF-Token': client.cookies.get('csrf-token') ?? '',
      'Content-Type': 'text/plain',
    },
    body: 'not JSON',
  });
const endpointsFor = (who: string) => server.endpoints.filter((one) => POLICY[nameOf(one)] === who);
const countUsers = () => server.database.reads.getRepository(UserEntity).count();

test('every call is in the policy table, and nothing else', () => {
  expect(server.endpoints.map(nameOf).toSorted()).toEqual(Object.keys(POLICY).toSorted());
});

test('every change but signing in needs the CSRF token', () => {
  const free = server.endpoints.filter(({ method, csrf }) => method !== 'GET' && !csrf);
  // Who has no session yet has no token either.
  expect(free.map(nameOf).toSorted()).toEqual([
    'POST /api/auth/forgot-password',
    'POST /api/auth/join',
    'POST /api/auth/links/look',
    'POST /api/auth/login',
    'POST /api/auth/login/passkey',
    'POST /api/auth/login/passkey-options',
    'POST /api/auth/login/second-step',
    'POST /api/auth/login/second-step/passkey-options',
    'POST /api/auth/oidc/:provider/callback',
    'POST /api/auth/oidc/:provider/logout',
    'POST /api/auth/oidc/:provider/start',
    'POST /api/auth/oidc/app',
    'POST /api/auth/reset-password',
    'POST /api/chat/mattermost',
    'POST /api/chat/slack',
    'POST /api/csp-reports',
    'POST /api/unsubscribe',
  ]);
});

describe('without a session', () => {
  test.each(['anonymous', 'disabled', 'signedOut', 'reset', 'keyHolder'])('%s gets 401 everywhere', async (name) => {
    for (const one of ['member', 'everything', 'admin'].flatMap(endpointsFor)) {
      const response = await call(outsiders[name] as TestClient, one);
      expect([nameOf(one), response.status, await response.text()]).toEqual([nameOf(one), 401, 'Sign in first.']);
    }
  });
});

describe('signed in', () => {
  test.each(['user', 'super_user'] as const)('a %s gets 403 where only administrators may', async (role) => {
    const before = await countUsers();
    for (const one of endpointsFor('admin')) {
      expect([nameOf(one), (await call(members[role], one)).status]).toEqual([nameOf(one), 403]);
    }
    expect(await countUsers()).toBe(before);
  });

  test('a user gets 403 where only who may see everything may', async () => {
    for (const one of endpointsFor('everything')) {
      expect([nameOf(one), (await call(members.user, one)).status]).toEqual([nameOf(one), 403]);
    }
  });

  test.each(['admin', 'super_user'] as const)('a %s sees everything', async (role) => {
    for (const one of endpointsFor('everything')) {
      expect([nameOf(one), (await call(members[role], one)).status]).toEqual([nameOf(one), 200]);
    }
  });

  test.each(['user', 'admin', 'super_user'] as const)('a %s is let in to what is every member’s', async (role) => {
    // Signing out would end the test.
    for (const one of endpointsFor('member').filter(({ path }) => path !== '/api/auth/logout')) {
      const { status } = await call(members[role], one);
      expect([nameOf(one), [200, 201, 204, 400, 404, 409, 422].includes(status)]).toEqual([nameOf(one), true]);
    }
  });
  test('nobody changes anything without the CSRF token, whatever their role', async () => {
    for (const [role, client] of Object.entries(members)) {
      for (const one of server.endpoints.filter(({ csrf }) => csrf)) {
        const { status } = await call(client, one, { 'X-CSRF-Token': 'x' });
        expect([role, nameOf(one), status]).toEqual([role, nameOf(one), 403]);
      }
    }
  });
  test('what is not there is checked after the role, what is not JSON after both', async () => {
    expect((await broken(outsiders['anonymous'] as TestClient)).status).toBe(401);
    expect((await broken(members.user)).status).toBe(403);
    expect((await broken(members.admin)).status).toBe(415);
  });
});
