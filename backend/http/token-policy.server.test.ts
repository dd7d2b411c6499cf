import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TokenScope, TOKEN_SCOPES, createdApiTokenSchema } from '#backend/contract/api-token.ts';
import type { Endpoint } from '#backend/platform/endpoint/endpoint.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { SCOPES } from '#tests/support/token-scopes.ts';

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
  tokens = {
    wallboard: await make('wallboard'),
    read: await make('read'),
    triage: await make('triage'),
    admin: await make('admin'),
  };
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
