import { hash } from 'node:crypto';
import { appCodeSchema, identitiesSchema } from '#backend/contract/oidc.ts';
import { type IdentityProvider, startIdentityProvider, visitProvider } from './identity-provider.ts';
import { PUBLIC_ORIGIN, begin, end, providersFile, signInAt } from './oidc-calls.ts';
import { type TestServer, startTestServer } from './test-server.ts';

/** A server with a provider, at which everybody who comes is somebody new. */
export interface OidcWorld {
  server: TestServer;
  company: IdentityProvider;
  stop(): Promise<void>;
}

/** Starts both. Signing out of the server goes on at the provider. */
export async function startOidcWorld(): Promise<OidcWorld> {
  const company: IdentityProvider = await startIdentityProvider([PUBLIC_ORIGIN]);
  company.accounts.set('ada', { email: 'ada@example.com', email_verified: true, name: 'Ada' });
  company.signsInAs = 'ada';
  const server = await startTestServer(providersFile([{ at: company, createAccounts: true, signOut: true }]));
  return {
    server,
    company,
    async stop() {
      await server.destroy();
      await company.stop();
    },
  };
}

/** A call that gets each success of the routes about providers. */
export function oidcAnswers(world: () => OidcWorld): Record<string, () => Promise<Response>> {
  const signedIn = async () => {
    const client = world().server.anonymous();
    await signInAt(client);
    return client;
  };
  return {
    'POST /api/auth/oidc/{provider}/start 200': () =>
      world().server.anonymous().send('POST', '/api/auth/oidc/company/start', {}),
    'POST /api/auth/oidc/{provider}/callback 200': async () => {
      const client = world().server.anonymous();
      return end(client, await visitProvider(await begin(client)));
    },
    'POST /api/auth/oidc/{provider}/logout 200': async () => {
      const { company, server } = world();
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const iat = Math.floor(Date.now() / 1000);
      const token = company.sign({ iss: company.issuer, aud: 'alertdesk', iat, jti: 'x', sub: 'nobody', events });
      const form = new URLSearchParams({ logout_token: token });
      const [method, path] = ['POST', '/api/auth/oidc/company/logout'];
      const response = await fetch(new URL(path, server.url), { method, body: form });
      const { status, headers } = response;
      server.checker.check({ method, path, status, headers, text: await response.clone().text() });
      return response;
    },
    'POST /api/auth/oidc/app 200': async () => {
      const verifier = 'v'.repeat(43);
      const browser = world().server.anonymous();
      const answer = await signInAt(browser, { app: hash('sha256', verifier, 'base64url') });
      const { appCode } = appCodeSchema.parse(await answer.json());
      return world().server.anonymous().send('POST', '/api/auth/oidc/app', { code: appCode, verifier });
    },
    'GET /api/auth/identities 200': async () => (await signedIn()).get('/api/auth/identities'),
    'POST /api/auth/identities/{provider}/link 200': async () =>
      (await world().server.signedIn()).send('POST', '/api/auth/identities/company/link'),
    'POST /api/auth/identities/{provider}/proof 200': async () =>
      (await signedIn()).send('POST', '/api/auth/identities/company/proof'),
    'DELETE /api/auth/identities/{id} 204': async () => {
      const client = await signedIn();
      const { identities } = identitiesSchema.parse(await (await client.get('/api/auth/identities')).json());
      const answer = await client.send('DELETE', `/api/auth/identities/${identities[0]?.id}`);
      // Whoever comes next is somebody new again.
      await world().server.database.transaction((tx) => tx.query("DELETE FROM users WHERE email = 'ada@example.com'"));
      return answer;
    },
    'POST /api/auth/logout 200': async () => (await signedIn()).send('POST', '/api/auth/logout'),
  };
}
