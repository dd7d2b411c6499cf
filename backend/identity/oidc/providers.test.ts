import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OidcProvider } from '#backend/identity/users/oidc-config.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { createProviders } from './providers.ts';

let server: Server;
let isAway: boolean;
let issuer: URL;
beforeEach(async () => {
  isAway = true;
  server = createServer((_request, response) => {
    const { href } = issuer;
    const metadata = { issuer: href, authorization_endpoint: `${href}authorize`, token_endpoint: `${href}token` };
    response
      .writeHead(isAway ? 503 : 200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ ...metadata, response_types_supported: ['code'] }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  issuer = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
afterEach(() => {
  vi.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

test('a provider that was away is asked again after two seconds, also when the clock was set back since', async () => {
  const provider: OidcProvider = {
    id: 'company',
    name: 'Example Corp',
    issuer,
    clientId: 'alertdesk',
    clientSecret: undefined,
    clientAuth: 'client_secret_basic',
    scopes: ['openid'],
    roles: undefined,
    linkByEmail: false,
    createAccounts: false,
    secondStep: false,
    signOut: false,
  };
  let now = Date.now();
  const config = { oidcProviders: [provider], publicUrl: new URL('http://localhost:4400') };
  const providers = createProviders(config, createLogger('silent'), () => now);
  const secrets = { state: 'state', nonce: 'nonce', verifier: 'verifier' };
  const begin = () => providers.authorizationAddress(provider, secrets, false);
  await expect(begin()).rejects.toThrow('Example Corp cannot be reached.');

  isAway = false;
  now -= 60 * 60_000;
  const later = performance.now() + 2_000;
  vi.spyOn(performance, 'now').mockReturnValue(later);
  expect(await begin()).toContain(`${issuer.href}authorize?`);
});
