import type { Database } from '#backend/platform/database/database.ts';
import { createHmac, hash } from 'node:crypto';
import { z } from 'zod';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { ReplyCookie } from '#backend/platform/endpoint/endpoint.ts';
import { notSignedIn } from '#backend/platform/endpoint/errors.ts';
import {
  PROVIDER_SIGN_IN_SECONDS,
  beginCeremony,
  endCeremony,
  findCeremony,
} from '#backend/identity/factors/ceremonies.ts';
import { newToken } from '#backend/identity/users/session-tokens.ts';
import type { SignInRequest } from '#backend/identity/sessions/start-session.ts';
import type { FlowSecrets } from './providers.ts';

/**
 * The cookie that a browser keeps while it signs in at a provider: 256 random bits, which bind each state to this browser.
 * On https the `__Host-` prefix keeps other hosts of the domain from setting it.
 */
const browserCookieName = (isSecure: boolean): string => (isSecure ? '__Host-oidc' : 'oidc');

const isToken = (value: string | undefined): value is string => /^[\w-]{43}$/.test(value ?? '');

/** What a return from the provider is for, as the row of its state says. */
const flowSchema = z.object({
  provider: z.string(),
  purpose: z.enum(['sign_in', 'link', 'proof']),
  /** The desktop app's challenge: it gets the session, not the browser. */
  app: z.string().optional(),
  /** An invitation: its id and the hash of its token. */
  invitation: z.object({ id: z.string(), tokenHash: z.string() }).optional(),
});
export type Flow = z.infer<typeof flowSchema>;

/**
 * Where the release before has the session that links or proves: beside what is fixed, and not in the row's details. Written
 * and read for one release, so that servers of both end what the other began.
 */
const sessionInFlow = z.object({ sessionId: z.string().optional() });

/** The member who links or proves, and the session in which they do; nobody else's return does it. */
export interface FlowOwner {
  userId: string;
  sessionId: string;
}

/** What is sent to the provider follows from the browser's secret and the state, so none of it is stored. */
const secretsOf = (browser: string, state: string): FlowSecrets => {
  const derive = (use: string) => createHmac('sha256', browser).update(`${use}:${state}`).digest('base64url');
  return { state, nonce: derive('nonce'), verifier: derive('verifier') };
};

const hashOf = (text: string): string => hash('sha256', text);

/**
 * Begins a flow: a row of its state, which any server finds and one request ends, and the browser's cookie. Several tabs
 * share the cookie, each with a state of its own.
 */
export async function beginFlow(
  tx: Transaction,
  { cookie, isSecure }: Pick<SignInRequest, 'cookie' | 'isSecure'>,
  flow: Flow,
  owner: FlowOwner | null,
): Promise<{ secrets: FlowSecrets; cookies: ReplyCookie[] }> {
  const name = browserCookieName(isSecure);
  const known = cookie(name);
  const browser = isToken(known) ? known : newToken();
  const data = JSON.stringify({ ...flow, sessionId: owner?.sessionId });
  const userId = owner?.userId ?? null;
  // Apart from what is fixed: the session may go on under another id, see `renewSession`.
  const details = owner?.sessionId ?? null;
  const state = await beginCeremony(tx, { kind: 'oidc', userId, boundTo: hashOf(browser), data, details });
  return {
    secrets: secretsOf(browser, state),
    cookies: [{ name, value: browser, httpOnly: true, maxAgeSeconds: PROVIDER_SIGN_IN_SECONDS }],
  };
}

/** A return that is of no flow of this browser: too late, for the second time, or begun elsewhere. */
const isOver = () =>
  notSignedIn('This sign-in took too long, was used already, or was begun in another browser. Start again.');

/**
 * Ends the flow that a provider's response belongs to: of any number of requests and servers one gets it. A response that
 * another browser began, or that another provider sent, ends nothing.
 *
 * @throws {ProblemError} 401 for everybody else
 */
export async function endFlow(
  { database }: { database: Database },
  { cookie, isSecure }: Pick<SignInRequest, 'cookie' | 'isSecure'>,
  provider: string,
  query: string,
): Promise<{ flow: Flow; owner: FlowOwner | null; secrets: FlowSecrets }> {
  const [state, ...others] = new URLSearchParams(query).getAll('state');
  const browser = cookie(browserCookieName(isSecure));
  if (!state || others.length > 0 || !isToken(browser)) throw isOver();
  const found = await findCeremony(database.reads, 'oidc', state);
  if (!found || found.boundTo !== hashOf(browser)) throw isOver();
  const data: unknown = JSON.parse(found.data ?? '{}');
  const flow = flowSchema.parse(data);
  // Another provider's response at this provider's address: a mix-up (RFC 9700, section 4.4).
  if (flow.provider !== provider) throw isOver();
  const { userId } = found;
  const sessionId = found.details ?? sessionInFlow.parse(data).sessionId;
  const owner = userId !== null && sessionId !== undefined ? { userId, sessionId } : null;
  if (!(await database.transaction((tx) => endCeremony(tx, found)))) throw isOver();
  return { flow, owner, secrets: secretsOf(browser, state) };
}

/** What the desktop app has to end: the sign-in of the browser that it opened. */
const handOverSchema = z.object({ provider: z.string(), subjectHash: z.string() });
export type HandOver = z.infer<typeof handOverSchema> & { userId: string; sealedIdToken: string | null };

/** Makes the code by which the app, whose challenge this is, gets the session of a member. */
export async function beginHandOver(
  tx: Transaction,
  challenge: string,
  { userId, sealedIdToken, ...data }: HandOver,
): Promise<string> {
  return beginCeremony(tx, {
    kind: 'oidc_app',
    userId,
    boundTo: challenge,
    data: JSON.stringify(data),
    details: sealedIdToken,
  });
}

/**
 * Takes the code that came by a link, once. A link that another program or another person made does not match the app's
 * own secret, and leaves the code as it is.
 *
 * @throws {ProblemError} 401 for everybody but the app that asked
 */
export async function endHandOver(
  { database }: { database: Database },
  { code, verifier }: { code: string; verifier: string },
): Promise<HandOver> {
  const found = await findCeremony(database.reads, 'oidc_app', code);
  const challenge = createChallenge(verifier);
  if (!found?.userId || found.boundTo !== challenge) throw isOver();
  if (!(await database.transaction((tx) => endCeremony(tx, found)))) throw isOver();
  return {
    ...handOverSchema.parse(JSON.parse(found.data ?? '{}')),
    userId: found.userId,
    sealedIdToken: found.details,
  };
}

/** The challenge of an app's secret, as RFC 7636 makes it with S256. */
const createChallenge = (verifier: string): string => hash('sha256', verifier, 'base64url');
