import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Session, sessionSchema } from '#backend/contract/session.ts';
import { IdentityEntity } from '#backend/identity/oidc/identity.ts';
import { oidcAddressSchema } from '#backend/contract/oidc.ts';
import { CLIENT, type IdentityProvider, visitProvider } from './identity-provider.ts';
import type { TestClient } from './test-client.ts';
import { uuidv7 } from 'uuidv7';
import { type Prepare, must } from './write-routes.ts';

/** The address that people use for the servers under test; nobody has to reach it. */
export const PUBLIC_ORIGIN = 'http://localhost:4400';

/** Providers of a configuration file: what each has beside its id and the issuer of the provider that runs. */
export type ProviderOptions = Record<string, unknown>;

/** Folders of configuration files: servers read them again when they start again. */
const folders = new Set<string>();

const removeFolders = (): void => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
};

/**
 * The routes on which a member changes their providers, with a request to each that succeeds. The server's provider is called
 * `company`.
 */
export const IDENTITY_ROUTES: Record<string, Prepare> = {
  'POST /api/auth/identities/:provider/link': async () => ({ path: '/api/auth/identities/company/link' }),
  'POST /api/auth/identities/:provider/proof': async () => ({ path: '/api/auth/identities/company/proof' }),
  'DELETE /api/auth/identities/:id': async ({ server }, { id: userId }) => {
    const id = uuidv7();
    const identity = { id, userId, provider: 'company', issuer: 'x', subjectHash: id, email: null };
    await server.database.transaction((tx) =>
      tx.getRepository(IdentityEntity).insert({ ...identity, createdAt: 0, lastUsedAt: null }),
    );
    return { path: `/api/auth/identities/${id}` };
  },
};

/** Writes a configuration file of these providers. Returns the environment that names it. */
export function providersFile(
  providers: (ProviderOptions & { id?: string; at: Pick<IdentityProvider, 'issuer'> })[],
  origin: string = PUBLIC_ORIGIN,
): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'alertdesk-test-providers-'));
  if (folders.size === 0) process.once('exit', removeFolders);
  folders.add(folder);
  const file = join(folder, 'providers.json');
  const content = {
    providers: providers.map(({ at, ...options }) => ({
      id: 'company',
      name: 'Example Corp',
      issuer: at.issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      scopes: ['openid', 'email', 'profile', 'groups'],
      ...options,
    })),
  };
  writeFileSync(file, JSON.stringify(content));
  return { OIDC_FILE: file, PUBLIC_URL: origin };
}

/** Begins a sign-in. Returns the address at the provider. */
export const begin = async (client: TestClient, body: object = {}, provider = 'company'): Promise<string> =>
  oidcAddressSchema.parse(await (await must(client.send('POST', `/api/auth/oidc/${provider}/start`, body))).json())
    .address;

/** Ends it with what the provider sent the browser back with. */
export const end = (client: TestClient, back: URL, provider = 'company'): Promise<Response> =>
  client.send('POST', `/api/auth/oidc/${provider}/callback`, { query: back.search.slice(1) });

/** A whole sign-in of a browser at a provider. */
export async function signInAt(client: TestClient, body: object = {}, provider = 'company'): Promise<Response> {
  return end(client, await visitProvider(await begin(client, body, provider)), provider);
}

let people = 0;

/** Somebody who has an account at the provider, and signs in there next. Returns their subject. */
export function arrive(provider: IdentityProvider, claims: Record<string, unknown> = {}): string {
  people += 1;
  const subject = `person-${people}`;
  const known = { email: `${subject}@example.com`, email_verified: true, name: `Person ${people}` };
  provider.accounts.set(subject, { ...known, ...claims });
  provider.signsInAs = subject;
  return subject;
}

/** The sentence that an answer has instead of a success. */
export const textOf = async (answer: Promise<Response>): Promise<string> => (await answer).text();

/** Who is signed in by this answer. */
export const sessionOf = async (answer: Promise<Response>): Promise<Session> =>
  sessionSchema.parse(await (await must(answer)).json());

/** Whether the browser has a session. */
export const isSignedIn = async (client: TestClient): Promise<boolean> =>
  (await client.get('/api/auth/session')).status === 200;
