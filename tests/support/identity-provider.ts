import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type GrantContext, Provider } from 'oidc-provider';

/** Somebody who can sign in at the provider, by their claims but `sub`. */
export type Account = Record<string, unknown>;

/** The client that servers under test are. */
export const CLIENT = { id: 'alertdesk', secret: 'a secret of at least 32 characters' };

const SCOPE = 'openid email profile groups';
const KEY_ID = 'signing-key';

/** Where the provider sends logout tokens; tests send them on to the server, whose address it does not know. */
const RELAY = '/relay-logout';

/** What a provider may be made to do wrong. */
export interface Forgery {
  /** Claims of the ID token, before it is signed. */
  claims?: (claims: Record<string, unknown>) => Record<string, unknown>;
  /** Signs with a key that the provider does not publish. */
  hasForeignKey?: boolean;
  /** Signs not at all, or with the client's secret. */
  algorithm?: 'none' | 'HS256';
  /** The `iss` of the authorization response (RFC 9207); null leaves it out. */
  responseIssuer?: string | null;
  /** What the provider publishes about itself. */
  metadata?: (metadata: Record<string, unknown>) => Record<string, unknown>;
}

/** A certified OpenID provider (`oidc-provider`) that runs on this machine. */
export interface IdentityProvider {
  issuer: string;
  /** Who can sign in, by their subject. */
  accounts: Map<string, Account>;
  /** Who signs in without a form; undefined shows one. */
  signsInAs: string | undefined;
  /** Next answers are forged so. */
  forgery: Forgery;
  /** Answers nothing but this status. */
  failsWith: number | undefined;
  /** Never answers. */
  hangs: boolean;
  /** Paths that were asked for. */
  requests: string[];
  /** Logout tokens that the provider sent to its clients, newest last. */
  logoutTokens: string[];
  /** Signs claims by the provider's key, as a token of this type. */
  sign(claims: Record<string, unknown>, typ?: string, hasForeignKey?: boolean): string;
  /** Hangs up on whoever asks. */
  isAway: boolean;
  stop(): Promise<void>;
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** @param origins of the servers under test, which their clients are registered with */
export async function startIdentityProvider(
  origins: string[],
  { providerIds = ['company'], host = '127.0.0.1' }: { providerIds?: string[]; host?: string } = {},
): Promise<IdentityProvider> {
  const key = newKey();
  const foreignKey = newKey();
  let server: Server;
  let port = 0;
  const listen = () =>
    new Promise<void>((resolve) => {
      server = createServer((request, response) => void handle(request, response));
      // Its clients run in the same process: after a long pause they would use connections that it has just closed.
      server.keepAliveTimeout = 0;
      server.listen(port, host, () => {
        ({ port } = server.address() as AddressInfo);
        resolve();
      });
    });
  await listen();
  const world: IdentityProvider = {
    issuer: `http://${host}:${port}`,
    accounts: new Map(),
    signsInAs: undefined,
    forgery: {},
    failsWith: undefined,
    hangs: false,
    isAway: false,
    requests: [],
    logoutTokens: [],
    sign(claims, typ = 'logout+jwt', hasForeignKey = false) {
      const signed = `${encode({ alg: 'RS256', kid: KEY_ID, typ })}.${encode(claims)}`;
      const { privateKey } = hasForeignKey ? foreignKey : key;
      return `${signed}.${createSign('sha256').update(signed).sign(privateKey, 'base64url')}`;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const provider = new Provider(world.issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: origins.flatMap((origin) => providerIds.map((id) => `${origin}/login/${id}/callback`)),
        post_logout_redirect_uris: origins.map((origin) => `${origin}/login`),
        backchannel_logout_uri: `${world.issuer}${RELAY}`,
        backchannel_logout_session_required: true,
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...key.privateKey.export({ format: 'jwk' }), kid: KEY_ID, use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the cookies of this provider'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: SCOPE.split(' '),
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true },
      backchannelLogout: { enabled: true },
    },
    // Its own refuses addresses of this machine, where tests have everything.
    fetch: (url: string, { method, headers, body }: RequestInit) =>
      fetch(url, { method, headers, body } as RequestInit),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ ...world.accounts.get(accountId), sub: accountId }),
    }),
    async loadExistingGrant({ oidc: { client, session } }: GrantContext) {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(SCOPE);
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', world.issuer);
    world.requests.push(url.pathname);
    if (world.isAway) return void request.socket.destroy();
    if (world.hangs) return;
    if (world.failsWith !== undefined) {
      response.writeHead(world.failsWith).end();
      return;
    }
    if (url.pathname === RELAY) {
      world.logoutTokens.push(new URLSearchParams(await text(request)).get('logout_token') ?? '');
      response.writeHead(200).end();
      return;
    }
    if (url.pathname.startsWith('/interaction/')) {
      await interact(request, response);
      return;
    }
    if (url.pathname === '/token' || url.pathname.startsWith('/.well-known/')) forgeJson(response);
    if (url.pathname.startsWith('/auth')) forgeRedirect(response);
    callback(request, response);
  }

  /** Signs in who is to sign in; else shows a form with everybody who can. */
  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? new URLSearchParams(await text(request)) : undefined;
    if (body?.has('cancel')) {
      await provider.interactionFinished(request, response, { error: 'access_denied' });
      return;
    }
    const accountId = body?.get('account') ?? world.signsInAs;
    if (accountId !== undefined && accountId !== null) {
      await provider.interactionFinished(request, response, { login: { accountId } });
      return;
    }
    const buttons = [...world.accounts].map(
      ([id]) => `<button name="account" value="${id}" style="font-size:1rem;margin:.5rem">${id}</button>`,
    );
    response
      .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      .end(
        `<!doctype html><html lang="en"><title>Example Corp</title><h1>Example Corp</h1><form method="post">${buttons.join('')}<button name="cancel" value="1">Cancel</button></form></html>`,
      );
  }

  /** Changes what the provider answers as JSON, as `forgery` says. */
  function forgeJson(response: ServerResponse): void {
    const end = response.end.bind(response);
    const { forgery } = world;
    response.end = ((chunk?: unknown, ...rest: never[]) => {
      if (
        chunk === undefined ||
        (!forgery.claims && !forgery.hasForeignKey && !forgery.algorithm && !forgery.metadata)
      ) {
        return end(chunk as never, ...rest);
      }
      const answer = JSON.parse(String(chunk)) as Record<string, unknown>;
      const forged = answer['id_token'] ? forgeToken(answer, forgery) : (forgery.metadata?.(answer) ?? answer);
      const changed = JSON.stringify(forged);
      response.setHeader('Content-Length', Buffer.byteLength(changed));
      return end(changed as never);
    }) as typeof response.end;
  }

  function forgeToken(
    answer: Record<string, unknown>,
    { claims, hasForeignKey, algorithm }: Forgery,
  ): Record<string, unknown> {
    const [original = '', payload = ''] = String(answer['id_token']).split('.');
    const before = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    const body = Buffer.from(JSON.stringify(claims?.(before) ?? before)).toString('base64url');
    const { privateKey } = hasForeignKey ? foreignKey : key;
    const header = algorithm ? encode({ alg: algorithm }) : original;
    const signed = `${header}.${body}`;
    const signature = {
      none: () => '',
      HS256: () => createHmac('sha256', CLIENT.secret).update(signed).digest('base64url'),
      RS256: () => createSign('sha256').update(signed).sign(privateKey, 'base64url'),
    }[algorithm ?? 'RS256']();
    return { ...answer, id_token: `${header}.${body}.${signature}` };
  }

  /** Changes `iss` in the address that the browser is sent back to. */
  function forgeRedirect(response: ServerResponse): void {
    const { responseIssuer } = world.forgery;
    if (responseIssuer === undefined) return;
    const writeHead = response.writeHead.bind(response);
    response.writeHead = ((...args: Parameters<typeof writeHead>) => {
      const location = response.getHeader('location');
      if (typeof location === 'string' && location.includes('iss=')) {
        const changed = new URL(location);
        changed.searchParams.delete('iss');
        if (responseIssuer !== null) changed.searchParams.set('iss', responseIssuer);
        response.setHeader('location', changed.href);
      }
      return writeHead(...args);
    }) as typeof response.writeHead;
  }
  return world;
}

/** Signs a browser out at the provider: opens the address of the sign-out, and says yes. */
export async function signOutThere(address: string, jar: Map<string, string>): Promise<void> {
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const page = await fetch(address, { headers: { Cookie: cookie() } });
  for (const one of page.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
    jar.set(name, value);
  }
  const form = await page.text();
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(form)?.[1] ?? '';
  await fetch(new URL('/session/end/confirm', address), {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookie(), 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  });
}

/**
 * What a browser does at the provider: follows its redirects with its cookies until it is sent back. Returns the address that
 * it is sent back to.
 *
 * @param jar the browser's cookies at the provider; a new browser by default
 */
export async function visitProvider(address: string, jar = new Map<string, string>()): Promise<URL> {
  let url = new URL(address);
  const { origin } = url;
  for (let hop = 0; hop < 10; hop += 1) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    url = new URL(location, url);
    if (url.origin !== origin) return url;
  }
  throw new Error('the provider sends the browser in circles');
}
