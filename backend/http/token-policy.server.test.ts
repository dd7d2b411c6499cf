import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TokenScope, TOKEN_SCOPES, createdApiTokenSchema } from '#backend/contract/api-token.ts';
import type { Endpoint } from '#backend/platform/endpoint/endpoint.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

/** The least scope with which an API token may call what: the whole table but for what anybody may call. */
const SCOPES: Record<TokenScope | 'none', readonly string[]> = {
  none: [
    'POST /api/auth/logout',
    'PATCH /api/auth/profile',
    'POST /api/auth/password',
    'GET /api/auth/export',
    'POST /api/exports',
    'GET /api/auth/sessions',
    'DELETE /api/auth/sessions',
    'DELETE /api/auth/sessions/:id',
    'GET /api/account/chat-accounts',
    'POST /api/account/chat-accounts',
    'POST /api/account/chat-accounts/offer',
    'DELETE /api/account/chat-accounts/:id',
    'GET /api/auth/identities',
    'POST /api/auth/identities/:provider/link',
    'POST /api/auth/identities/:provider/proof',
    'DELETE /api/auth/identities/:id',
    'POST /api/auth/proof',
    'POST /api/auth/proof/passkey-options',
    'GET /api/auth/second-step',
    'POST /api/auth/second-step/totp',
    'POST /api/auth/second-step/totp/confirm',
    'DELETE /api/auth/second-step/totp',
    'POST /api/auth/second-step/recovery-codes',
    'DELETE /api/auth/second-step/browsers/:id',
    'DELETE /api/auth/second-step/browsers',
    'POST /api/auth/second-step/passkeys/options',
    'POST /api/auth/second-step/passkeys',
    'PATCH /api/auth/second-step/passkeys/:id',
    'DELETE /api/auth/second-step/passkeys/:id',
    'PUT /api/auth/second-step-rule',
    'POST /api/auth/users',
    'PATCH /api/auth/users/:id',
    'GET /api/auth/users/:id/access',
    'DELETE /api/auth/users/:id/sessions',
    'DELETE /api/auth/users/:id/sessions/:sessionId',
    'DELETE /api/auth/users/:id/tokens/:tokenId',
    'PATCH /api/auth/users/:id/toggle-active',
    'POST /api/auth/invitations',
    'POST /api/api-keys',
    'DELETE /api/api-keys/:id',
    'POST /api/sources',
    'DELETE /api/sources/:id',
    'POST /api/sources/:id/rotate',
    'PUT /api/sources/:id/silencing',
    'POST /api/sources/:id/silencing/try',
    'POST /api/sources/:id/signing-secrets',
    'DELETE /api/sources/:id/secrets/:secretId',
    'POST /api/own-channels',
    'POST /api/outgoing/destinations',
    'POST /api/outgoing/destinations/:id/rotate-secret',
    'POST /api/auth/users/:id/reset-password',
    'POST /api/auth/users/:id/reset-second-step',
    'POST /api/auth/users/:id/reset-link',
    'POST /api/auth/links/:id/renew',
    'GET /api/auth/token-rule',
    'PUT /api/auth/token-rule',
    'GET /api/auth/tokens',
    'POST /api/auth/tokens',
    'DELETE /api/auth/tokens/:id',
    'GET /api/service-tokens',
    'POST /api/service-tokens',
    'DELETE /api/service-tokens/:id',
    'GET /api/push/vapid-public-key',
    'POST /api/push/subscribe',
    'DELETE /api/push/subscribe',
    'GET /api/push/subscriptions',
    'DELETE /api/push/subscriptions/:id',
    'POST /api/push/test',
  ],
  read: [
    'GET /api/product',
    'GET /api/latency',
    'GET /api/auth/session',
    'GET /api/source-names',
    'GET /api/people',
    'GET /api/alerts/hand-over',
    'GET /api/alerts/inbox',
    'GET /api/alerts/mine',
    'GET /api/alerts/snoozed',
    'GET /api/alerts/snoozed/counts',
    'GET /api/alerts/folder/:id',
    'GET /api/alerts/all',
    'GET /api/alerts/stats',
    'GET /api/alerts/progress',
    'GET /api/alerts/facets',
    'GET /api/alerts/severities',
    'GET /api/alerts/all-folders',
    'GET /api/alerts/:id',
    'GET /api/alerts/:id/history',
    'GET /api/alerts/:id/receipts',
    'GET /api/alerts/:id/ladders',
    'GET /api/own-channels',
    'GET /api/alerts/:id/silence',
    'GET /api/changes',
    'GET /api/first-run',
    'GET /api/insight',
    'GET /api/alerts/:id/notes',
    'GET /api/notes',
    'GET /api/alerts/:id/people',
    'GET /api/folders',
    'GET /api/views',
    'GET /api/customers',
    'GET /api/customer-mutes',
    'GET /api/customer-mutes/names',
    'GET /api/alert-types',
    'GET /api/alert-types/mutes',
    'GET /api/source-mutes',
    'GET /api/mute-ends',
    'GET /api/notices',
    'GET /api/notices/unread',
    'GET /api/notification-settings',
    'GET /api/notification-exceptions',
    'GET /api/notification-preview',
  ],
  triage: [
    'POST /api/alerts/:id/assign',
    'POST /api/alerts/hand-over',
    'POST /api/alerts/:id/accept',
    'POST /api/silences/:id/retry',
    'POST /api/alerts/bulk',
    'POST /api/alerts/:id/unaccept',
    'POST /api/alerts/:id/snooze',
    'POST /api/alerts/:id/wake',
    'PATCH /api/webhooks/:id/status',
    'PATCH /api/webhooks/:id/move',
    'DELETE /api/webhooks/:id',
    'POST /api/alerts/:id/notes',
    'PATCH /api/alerts/:id/notes/:noteId',
    'DELETE /api/alerts/:id/notes/:noteId',
    'POST /api/folders',
    'DELETE /api/folders/:id',
    'POST /api/views',
    'PUT /api/views/order',
    'PATCH /api/views/:id',
    'PUT /api/views/:id/notify',
    'DELETE /api/views/:id',
    'POST /api/customer-mutes',
    'POST /api/customer-mutes/bulk',
    'DELETE /api/customer-mutes/:customerId',
    'POST /api/alert-types/mutes',
    'POST /api/alert-types/mutes/bulk',
    'DELETE /api/alert-types/mutes/:alertType',
    'DELETE /api/alert-types/mutes',
    'POST /api/source-mutes',
    'POST /api/source-mutes/bulk',
    'DELETE /api/source-mutes/:sourceId',
    'POST /api/own-channels/:id/code',
    'POST /api/own-channels/:id/confirm',
    'DELETE /api/own-channels/:id',
    'PATCH /api/notices',
    'POST /api/notices/read-all',
    'PATCH /api/notification-settings',
    'PUT /api/notification-settings/sounds',
    'PUT /api/notification-exceptions',
    'DELETE /api/notification-exceptions',
  ],
  admin: [
    'POST /api/alerts/:id/ladders/:runId/skip',
    'POST /api/alerts/:id/ladders/:runId/stop',
    'POST /api/outgoing/ladder-preview',
    'GET /api/outgoing/calendars',
    'POST /api/outgoing/calendars',
    'PATCH /api/outgoing/calendars/:id',
    'DELETE /api/outgoing/calendars/:id',
    'POST /api/outgoing/calendars/:id/refresh',
    'GET /api/outgoing/groups',
    'POST /api/outgoing/groups',
    'PATCH /api/outgoing/groups/:id',
    'DELETE /api/outgoing/groups/:id',
    'GET /api/outgoing/destinations',
    'GET /api/outgoing/destinations/:id',
    'PATCH /api/outgoing/destinations/:id',
    'DELETE /api/outgoing/destinations/:id',
    'POST /api/outgoing/preview',
    'POST /api/outgoing/test',
    'GET /api/outgoing/rules',
    'POST /api/outgoing/rules',
    'GET /api/outgoing/rules/:id',
    'PATCH /api/outgoing/rules/:id',
    'DELETE /api/outgoing/rules/:id',
    'GET /api/outgoing/messages',
    'POST /api/outgoing/messages/send-again',
    'POST /api/outgoing/messages/:id/send-again',
    'GET /api/auth/second-step-rule',
    'GET /api/auth/users',
    'GET /api/auth/links',
    'DELETE /api/auth/links/:id',
    'GET /api/api-keys',
    'GET /api/sources',
    'GET /api/sources/:id/silencing',
    'POST /api/silences/:id/end',
    'GET /api/sources/:id',
    'PATCH /api/sources/:id',
    'GET /api/sources/:id/deliveries',
    'GET /api/sources/:id/delivery-counts',
    'GET /api/deliveries/:id',
    'POST /api/sources/:id/replay',
    'POST /api/deliveries/:id/replay',
    'POST /api/sources/:id/import',
    'POST /api/sources/:id/test',
    'POST /api/sources/:id/dry-run',
    'POST /api/sources/:id/mapping-preview',
    'GET /api/unknown-keys',
    'POST /api/webhook/test',
    'GET /api/audit',
    'POST /api/auth/users/:id/hand-over',
  ],
};

/** A well-formed id of nothing. */
const NOTHING = '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80';

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

let server: TestServer;
let guarded: Endpoint[];
/** An administrator's tokens: nothing but their scope is in the way. */
let tokens: Record<TokenScope, string>;
beforeAll(async () => {
  server = await startTestServer();
  guarded = server.endpoints.filter(({ access }) => access !== 'anyone');
  const admin = await server.signedIn({ role: 'admin' });
  const make = async (scope: TokenScope): Promise<string> => {
    const response = await admin.send('POST', '/api/auth/tokens', { name: scope, scope, expiresInDays: null });
    return createdApiTokenSchema.parse(await response.json()).plainToken;
  };
  tokens = { read: await make('read'), triage: await make('triage'), admin: await make('admin') };
});
afterAll(() => server.destroy());

const callWith = (token: string, { method, path }: Endpoint, body: object = {}): Promise<Response> =>
  server.anonymous().send(method, path.replaceAll(/:\w+/g, NOTHING), method === 'GET' ? undefined : body, {
    Authorization: `Bearer ${token}`,
  });

test('every call that takes a sign-in is in the table, and nothing else', () => {
  const listed = Object.values(SCOPES).flat();
  expect(listed.toSorted()).toEqual(guarded.map(nameOf).toSorted());
});

test('what asks for a proof takes no token: a token proves nothing', async () => {
  const proved = guarded.filter(({ proof }) => proof === 'always').map(nameOf);
  expect(SCOPES.none).toEqual(expect.arrayContaining(proved));
  const source: Endpoint = guarded.find((one) => nameOf(one) === 'PATCH /api/sources/:id') as Endpoint;
  const auth = { key: true, basic: true, token: true, signature: null };
  expect((await callWith(tokens.admin, source, { settings: { auth } })).status).toBe(403);
  expect((await callWith(tokens.admin, source, { settings: { onResolved: 'keep' } })).status).toBe(404);
});

describe.each(TOKEN_SCOPES)('a token with the scope %s', (scope) => {
  const allowed = (): ReadonlySet<string> =>
    new Set(TOKEN_SCOPES.slice(0, TOKEN_SCOPES.indexOf(scope) + 1).flatMap((one) => SCOPES[one]));

  test('is refused with 403 where its scope is not enough, and let in everywhere else', async () => {
    for (const one of guarded) {
      const { status } = await callWith(tokens[scope], one);
      const isLetIn = allowed().has(nameOf(one));
      expect([nameOf(one), status === 403, status === 401]).toEqual([nameOf(one), !isLetIn, false]);
    }
  });
});
