import { memberAccessSchema } from '#backend/contract/member-access.ts';
import { CHAT_POLICY } from './chat-calls.ts';
import { HEARTBEAT_POLICY } from './heartbeat-calls.ts';
import { OUTGOING_POLICY } from './outgoing-calls.ts';
import { RULE_POLICY } from './rule-calls.ts';
import { SILENCE_POLICY } from './silence-calls.ts';
import type { TestClient } from './test-client.ts';
import { GROUP_POLICY, GROUP_WRITE_ROUTES } from './group-calls.ts';
import { WINDOW_POLICY } from './window-calls.ts';
import type { TestServer } from './test-server.ts';

/** A server, and an administrator who is signed in. */
interface AccessWorld {
  server: TestServer;
  admin: TestClient;
}

/** A member who is signed in and has an API token, and what an administrator sees of both. */
export async function memberWithAccess(server: TestServer, admin: TestClient) {
  const member = await server.signedIn();
  await member.send('POST', '/api/auth/tokens', { name: 'Script', scope: 'read', expiresInDays: 30 });
  const path = `/api/auth/users/${member.id}`;
  const access = async () => memberAccessSchema.parse(await (await admin.get(`${path}/access`)).json());
  return { member, path, access };
}

/** What administrators do to members' access and accounts. */
export const MEMBER_WRITE_ROUTES: Record<string, (world: AccessWorld) => Promise<{ path: string; body?: unknown }>> = {
  ...GROUP_WRITE_ROUTES,
  'PATCH /api/auth/users/:id': async ({ server }) => ({
    path: `/api/auth/users/${(await server.addUser()).id}`,
    body: { displayName: 'Another', role: 'admin' },
  }),
  'PUT /api/auth/token-rule': async () => ({ path: '/api/auth/token-rule', body: { maxDays: null } }),
  'DELETE /api/auth/users/:id/sessions': async ({ server, admin }) => ({
    path: `${(await memberWithAccess(server, admin)).path}/sessions`,
  }),
  'DELETE /api/auth/users/:id/sessions/:sessionId': async ({ server, admin }) => {
    const { path, access } = await memberWithAccess(server, admin);
    return { path: `${path}/sessions/${(await access()).sessions[0]?.id}` };
  },
  'DELETE /api/auth/users/:id/tokens/:tokenId': async ({ server, admin }) => {
    const { path, access } = await memberWithAccess(server, admin);
    return { path: `${path}/tokens/${(await access()).tokens[0]?.id}` };
  },
};

/** Who may call these, and the calls that read what they are about. */
export const MEMBER_POLICY: Record<string, 'admin' | 'member' | 'anyone'> = {
  ...CHAT_POLICY,
  ...HEARTBEAT_POLICY,
  ...OUTGOING_POLICY,
  ...SILENCE_POLICY,
  ...GROUP_POLICY,
  ...WINDOW_POLICY,
  ...RULE_POLICY,
  'POST /api/exports': 'member',
  'GET /api/changes': 'member',
  'GET /api/notices': 'member',
  'GET /api/notices/unread': 'member',
  'PATCH /api/notices': 'member',
  'POST /api/notices/read-all': 'member',
  'GET /api/notification-exceptions': 'member',
  'PUT /api/notification-exceptions': 'member',
  'DELETE /api/notification-exceptions': 'member',
  'GET /api/notification-preview': 'member',
  'GET /api/auth/token-rule': 'member',
  'PUT /api/auth/token-rule': 'admin',
  'GET /api/auth/users/:id/access': 'admin',
  'PATCH /api/auth/users/:id': 'admin',
  'DELETE /api/auth/users/:id/sessions': 'admin',
  'DELETE /api/auth/users/:id/sessions/:sessionId': 'admin',
  'DELETE /api/auth/users/:id/tokens/:tokenId': 'admin',
};
