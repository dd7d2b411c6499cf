import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UserEntity } from '#backend/identity/users/user.ts';
import { PROOF_DUE } from '#backend/contract/problem.ts';
import type { Endpoint } from '#backend/platform/endpoint/endpoint.ts';
import { SessionEntity } from '#backend/identity/sessions/session-store.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';

const SIGNS_IN = 'nobody is signed in yet';
const HAS_LINK = 'the link is the proof';
const PROVES = 'gives the proof';
const ASKS_ITSELF = 'asks for the password itself';
const ENDS_OWN = 'ends access of one’s own, which a new sign-in brings back';
const OWN_TASTE = 'how the member reads, hears and is reminded; nobody gets in by it';
const DEVICE = 'ends with the session';
const WORK = 'the daily work on alerts';
const ADMINISTERS = 'how alerts are read and who works on them; nobody gets in by it';
const ENDS_LINK = 'ends what nobody has used yet; whoever needs it gets another';

/** Every change that asks for no proof, and why none is needed. A new call is proved, or gets its reason here. */
const UNPROVED: Record<string, string> = {
  'POST /api/auth/login': SIGNS_IN,
  'POST /api/auth/login/second-step': SIGNS_IN,
  'POST /api/auth/login/second-step/passkey-options': SIGNS_IN,
  'POST /api/auth/login/passkey': SIGNS_IN,
  'POST /api/auth/login/passkey-options': SIGNS_IN,
  'POST /api/exports': 'says what a page has read',
  'POST /api/auth/oidc/app': SIGNS_IN,
  'POST /api/auth/oidc/:provider/start': SIGNS_IN,
  'POST /api/auth/oidc/:provider/callback': SIGNS_IN,
  'POST /api/auth/oidc/:provider/logout': 'the provider signs what it says, and access only ends by it',
  'POST /api/auth/forgot-password': SIGNS_IN,
  'POST /api/auth/links/look': HAS_LINK,
  'POST /api/auth/join': HAS_LINK,
  'POST /api/auth/reset-password': HAS_LINK,
  'POST /api/unsubscribe': HAS_LINK,
  'POST /api/chat/slack': 'Slack signs what somebody pressed, and their account was connected',
  'POST /api/chat/mattermost': 'the button proves that it was made here, and the account was connected',
  'POST /api/account/chat-accounts/offer': 'says what a link is about',
  'DELETE /api/account/chat-accounts/:id': ENDS_OWN,
  'POST /api/csp-reports': 'what a browser has blocked, for the log',
  'POST /api/auth/proof': PROVES,
  'POST /api/auth/proof/passkey-options': PROVES,
  'POST /api/auth/identities/:provider/proof': PROVES,
  'POST /api/auth/password': ASKS_ITSELF,
  'POST /api/auth/logout': ENDS_OWN,
  'DELETE /api/auth/sessions': ENDS_OWN,
  'DELETE /api/auth/sessions/:id': ENDS_OWN,
  'DELETE /api/auth/second-step/browsers': ENDS_OWN,
  'DELETE /api/auth/second-step/browsers/:id': ENDS_OWN,
  'DELETE /api/auth/links/:id': ENDS_LINK,
  'PATCH /api/auth/profile': OWN_TASTE,
  'PATCH /api/notices': OWN_TASTE,
  'POST /api/notices/read-all': OWN_TASTE,
  'PATCH /api/notification-settings': OWN_TASTE,
  'PUT /api/notification-settings/sounds': OWN_TASTE,
  'PUT /api/notification-exceptions': OWN_TASTE,
  'DELETE /api/notification-exceptions': OWN_TASTE,
  'POST /api/push/subscribe': DEVICE,
  'DELETE /api/push/subscribe': DEVICE,
  'DELETE /api/push/subscriptions/:id': DEVICE,
  'POST /api/push/test': DEVICE,
  'POST /api/auth/users/:id/hand-over': ADMINISTERS,
  'POST /api/webhook/test': ADMINISTERS,
  'DELETE /api/outgoing/destinations/:id': ADMINISTERS,
  'POST /api/outgoing/preview': 'sends nothing',
  'POST /api/outgoing/rules': 'leads to destinations that were made with a proof',
  'PATCH /api/outgoing/rules/:id': 'leads to destinations that were made with a proof',
  'DELETE /api/outgoing/rules/:id': ADMINISTERS,
  'POST /api/outgoing/ladder-preview': 'sends nothing',
  'POST /api/rules': ADMINISTERS,
  'PUT /api/rules/order': ADMINISTERS,
  'PATCH /api/rules/:id': ADMINISTERS,
  'DELETE /api/rules/:id': ADMINISTERS,
  'POST /api/rules/dry-run': 'stores nothing',
  'PATCH /api/grouping-rules/:kind': ADMINISTERS,
  'PATCH /api/flapping-rule': ADMINISTERS,
  'POST /api/configuration/plan': 'stores nothing',
  'POST /api/maintenance/windows': ADMINISTERS,
  'PATCH /api/maintenance/windows/:id': ADMINISTERS,
  'DELETE /api/maintenance/windows/:id': ADMINISTERS,
  'POST /api/maintenance/preview': 'stores nothing',
  'POST /api/maintenance/occurrences/:id/end': ADMINISTERS,
  'POST /api/maintenance/occurrences/:id/extend': ADMINISTERS,
  'POST /api/maintenance/occurrences/:id/resume': ADMINISTERS,
  'POST /api/own-channels/:id/code': OWN_TASTE,
  'POST /api/own-channels/:id/confirm': OWN_TASTE,
  'DELETE /api/own-channels/:id': OWN_TASTE,
  'POST /api/outgoing/calendars': ADMINISTERS,
  'PATCH /api/outgoing/calendars/:id': ADMINISTERS,
  'DELETE /api/outgoing/calendars/:id': ADMINISTERS,
  'POST /api/outgoing/calendars/:id/refresh': ADMINISTERS,
  'POST /api/outgoing/groups': ADMINISTERS,
  'PATCH /api/outgoing/groups/:id': ADMINISTERS,
  'DELETE /api/outgoing/groups/:id': ADMINISTERS,
  'POST /api/alerts/:id/ladders/:runId/skip': ADMINISTERS,
  'POST /api/alerts/:id/ladders/:runId/stop': ADMINISTERS,
  'POST /api/outgoing/messages/send-again': ADMINISTERS,
  'POST /api/outgoing/messages/:id/send-again': ADMINISTERS,
  'POST /api/silences/:id/end': ADMINISTERS,
  'PATCH /api/heartbeats/:id': ADMINISTERS,
  'DELETE /api/heartbeats/:id': ADMINISTERS,
  'DELETE /api/heartbeat-downtimes/:id': ADMINISTERS,
  'POST /api/silences/:id/retry': 'asks what the alert asks for already',
  'POST /api/sources/:id/replay': ADMINISTERS,
  'POST /api/deliveries/:id/replay': ADMINISTERS,
  'POST /api/sources/:id/import': ADMINISTERS,
  'POST /api/sources/:id/test': ADMINISTERS,
  'POST /api/sources/:id/dry-run': ADMINISTERS,
  'POST /api/sources/:id/mapping-preview': ADMINISTERS,
  'POST /api/alerts/:id/assign': WORK,
  'POST /api/alerts/hand-over': WORK,
  'POST /api/alerts/bulk': WORK,
  'POST /api/alerts/:id/accept': WORK,
  'POST /api/alerts/:id/unaccept': WORK,
  'POST /api/alerts/:id/snooze': WORK,
  'POST /api/alerts/:id/wake': WORK,
  'PATCH /api/webhooks/:id/status': WORK,
  'PATCH /api/webhooks/:id/move': WORK,
  'DELETE /api/webhooks/:id': WORK,
  'POST /api/alerts/:id/notes': WORK,
  'PATCH /api/alerts/:id/notes/:noteId': WORK,
  'DELETE /api/alerts/:id/notes/:noteId': WORK,
  'POST /api/views': WORK,
  'PUT /api/views/order': WORK,
  'PATCH /api/views/:id': WORK,
  'PUT /api/views/:id/notify': WORK,
  'DELETE /api/views/:id': WORK,
  'POST /api/folders': WORK,
  'DELETE /api/folders/:id': WORK,
  'POST /api/source-mutes': WORK,
  'POST /api/source-mutes/bulk': WORK,
  'DELETE /api/source-mutes/:sourceId': WORK,
  'POST /api/customer-mutes': WORK,
  'POST /api/customer-mutes/bulk': WORK,
  'DELETE /api/customer-mutes/:customerId': WORK,
  'POST /api/alert-types/mutes': WORK,
  'POST /api/alert-types/mutes/bulk': WORK,
  'DELETE /api/alert-types/mutes': WORK,
  'DELETE /api/alert-types/mutes/:alertType': WORK,
};

/** A well-formed id of nothing. */
const NOTHING = '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80';

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

let server: TestServer;
/** A session that a thief has: it is good, and its member proved long ago who they are. */
let stolen: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  stolen = await server.signedIn({ role: 'admin' });
  await forgetProof(stolen);
});
afterAll(() => server.destroy());

const forgetProof = ({ id }: TestClient) =>
  server.database.transaction((tx) =>
    tx.getRepository(SessionEntity).update({ userId: id }, { provedAt: Date.now() - 11 * 60_000 }),
  );

const call = async (client: TestClient, { method, path }: Endpoint) => {
  const address = path.replaceAll(/:\w+/g, NOTHING);
  return method === 'GET' ? client.get(address) : client.send(method, address, {});
};

test('every change asks for a proof, or stands in the list with the reason why it does not', () => {
  const unproved = server.endpoints.filter(({ method, proof }) => method !== 'GET' && proof === undefined);
  expect(unproved.map(nameOf).toSorted()).toEqual(Object.keys(UNPROVED).toSorted());
});

test('a session whose proof is ten minutes old is refused by every call that asks for one', async () => {
  const proved = server.endpoints.filter(({ proof }) => proof === 'always');
  expect(proved.length).toBeGreaterThan(20);
  for (const one of proved) {
    const answer = await call(stolen, one);
    expect([nameOf(one), answer.status, await answer.text()]).toEqual([nameOf(one), 403, PROOF_DUE]);
  }
});

test('and is recorded as no denial: the web app asks for the proof then', async () => {
  const denied = await server.database.reads.query("SELECT subject FROM audit_log WHERE action = 'refused'");
  expect(denied).toEqual([]);
});

describe('a stolen session of an administrator', () => {
  const NEW = { displayName: 'Mallory', password: 'a password of Mallory' };

  test.each(['user', 'admin', 'super_user'])('makes no account with the role %s', async (role) => {
    const email = `mallory-${role}@example.com`;
    const answer = await stolen.send('POST', '/api/auth/users', { ...NEW, email, role });
    expect([answer.status, await answer.text()]).toEqual([403, PROOF_DUE]);
    const invited = await stolen.send('POST', '/api/auth/invitations', { email, displayName: 'M', role });
    expect([invited.status, await invited.text()]).toEqual([403, PROOF_DUE]);
    expect(await server.database.reads.getRepository(UserEntity).countBy({ email })).toBe(0);
  });

  test('lets no source take unsigned requests, and may rename it', async () => {
    const admin = await server.signedIn({ role: 'admin' });
    const made = await admin.send('POST', '/api/sources', { name: 'Signed' });
    const { source } = (await made.json()) as { source: { id: string; settings: { auth: object } } };
    const path = `/api/sources/${source.id}`;
    const auth = { ...source.settings.auth, basic: false };
    const refused = await stolen.send('PATCH', path, { settings: { auth } });
    expect([refused.status, await refused.text()]).toEqual([403, PROOF_DUE]);
    expect((await stolen.send('PATCH', path, { name: 'Renamed' })).status).toBe(200);
    expect((await admin.send('PATCH', path, { settings: { auth } })).status).toBe(200);
  });

  test('leads no destination elsewhere, and may rename and pause it', async () => {
    const admin = await server.signedIn({ role: 'admin' });
    const draft = { kind: 'ntfy', name: 'On call', url: 'https://ntfy.example.com', topic: 'on-call' };
    const made = await admin.send('POST', '/api/outgoing/destinations', draft);
    const { destination } = (await made.json()) as { destination: { id: string } };
    const path = `/api/outgoing/destinations/${destination.id}`;
    const text = { topic: 't', room: 'r', account: 'a', headers: 'A: b', template: 't', token: 't' };
    const fields = { ...text, url: 'https://ntfy.example.org', recipients: ['mallory@example.com'] };
    for (const [field, value] of Object.entries(fields)) {
      const refused = await stolen.send('PATCH', path, { [field]: value });
      expect([field, refused.status, await refused.text()]).toEqual([field, 403, PROOF_DUE]);
      const tried = { ...draft, destinationId: destination.id, [field]: value };
      expect([field, (await stolen.send('POST', '/api/outgoing/test', tried)).status]).toEqual([field, 403]);
    }
    expect((await stolen.send('PATCH', path, { name: 'Night', isPaused: true })).status).toBe(200);
    expect((await admin.send('PATCH', path, { topic: 'night' })).status).toBe(200);
  });

  test('disables nobody, until whoever has it proves who they are', async () => {
    const admin = await server.signedIn({ role: 'admin' });
    const other = await server.signedIn({ role: 'admin' });
    await forgetProof(admin);
    const disable = () => admin.send('PATCH', `/api/auth/users/${other.id}/toggle-active`, { active: false });
    expect((await disable()).status).toBe(403);
    expect((await other.get('/api/auth/session')).status).toBe(200);
    expect((await admin.send('POST', '/api/auth/proof', { password: TEST_PASSWORD })).status).toBe(204);
    expect((await disable()).status).toBe(200);
    expect((await other.get('/api/auth/session')).status).toBe(401);
  });
});
