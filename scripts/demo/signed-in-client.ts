import { type CreatedApiKey, createdApiKeySchema } from '#backend/contract/api-key.ts';
import { type NewSource, sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { CSRF_HEADER, readCsrfToken } from '#backend/contract/csrf.ts';
import { PROOF_DUE, problemSchema } from '#backend/contract/problem.ts';
import { secondStepDueSchema } from '#backend/contract/second-step.ts';
import { Complaint } from '#scripts/complaint.ts';

/** Longest that the server may take to answer, in milliseconds. */
const TIMEOUT = 30_000;

/** The secrets of a new source. */
export interface SourceSecrets {
  key: string;
  token: string;
  /** Where its emails go; null where the server receives none. */
  mailAddress: string | null;
}

/** One member's session with a running server. */
export interface SignedInClient {
  /** Cookies by name, as a browser would hold them. */
  readonly cookies: ReadonlyMap<string, string>;
  /** Calls the API with the session and its CSRF token; any status is an answer. */
  request(method: string, path: string, body?: unknown): Promise<Response>;
  /** Creates an API key. @throws {Complaint} when the server refuses */
  createApiKey(name: string): Promise<CreatedApiKey>;
  /** Creates a source; undefined when another one has this name. @throws {Complaint} when the server refuses otherwise */
  createSource(wanted: NewSource): Promise<({ id: string } & SourceSecrets) | undefined>;
  /** Deletes an API key or a source; gone already is gone. @throws {Complaint} when the server refuses */
  deleteApiKey(id: string): Promise<void>;
  signOut(): Promise<void>;
}

/** Fetches, or says in one sentence that nobody answers at `url`. */
export async function ask(url: URL, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT) });
  } catch (error) {
    throw new Complaint(
      `Nobody answers at ${url.origin}; start Alertdesk with "npm start", or name its address with --url.`,
      {
        cause: error,
      },
    );
  }
}

/** The sentence of an error response: a caller that asks for JSON gets it as the `detail` of a problem. Leaves the body unread. */
async function sentenceOf(response: Response): Promise<string> {
  const answer = response.clone();
  if (!response.headers.get('content-type')?.includes('json')) return (await answer.text()).trim();
  const problem = problemSchema.safeParse(await answer.json());
  return problem.success ? problem.data.detail : '';
}

/** `STATUS: sentence` of an error response, with when to try again. */
async function describeError(response: Response): Promise<string> {
  const retryAfter = response.headers.get('retry-after');
  const body = (await sentenceOf(response)) || response.statusText;
  return `${response.status}: ${body}${retryAfter ? ` (try again in ${retryAfter} s)` : ''}`;
}

/** Who signs in; `code` is of their authenticator app, or a recovery code, where they have a second step. */
export interface Credentials {
  email: string;
  password: string;
  code?: string | undefined;
}

/**
 * Signs in with e-mail and password. The client proves again who it is whenever the server asks for that.
 *
 * @throws {Complaint} when nobody answers or the server refuses
 */
export async function signIn(url: URL, { email, password, code }: Credentials): Promise<SignedInClient> {
  const post = async (path: string, body: unknown, cookies: ReadonlyMap<string, string> = new Map()) => {
    const answer = await ask(new URL(path, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: cookieHeader(cookies) },
      body: JSON.stringify(body),
    });
    if (answer.ok) return answer;
    throw new Complaint(`The server at ${url.origin} does not let ${email} sign in (${await describeError(answer)}).`);
  };
  let login = await post('/api/auth/login', { email, password });
  const cookies = new Map(login.headers.getSetCookie().map(readCookie));
  const due = secondStepDueSchema.safeParse(await login.json());
  if (due.success) {
    if (code === undefined) throw new Complaint(`${email} has a second step: give a code of it by --code.`);
    const method = /^\s*(?:\d\s*){6}$/.test(code) ? 'totp' : 'recovery_code';
    login = await post('/api/auth/login/second-step', { method, code }, cookies);
    for (const [name, value] of login.headers.getSetCookie().map(readCookie)) cookies.set(name, value);
  }
  return clientWith(url, cookies, {}, password);
}

const cookieHeader = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/**
 * A client of a session that there is already; `headers` go with every call.
 *
 * @param password with which it proves again who it is when the server asks for that; without it the answer is the 403
 */
export function clientWith(
  url: URL,
  begunWith: ReadonlyMap<string, string>,
  headers: Readonly<Record<string, string>> = {},
  password?: string,
): SignedInClient {
  const cookies = new Map(begunWith);
  const send = (method: string, path: string, body?: unknown) =>
    ask(new URL(path, url), {
      method,
      headers: {
        ...headers,
        cookie: cookieHeader(cookies),
        [CSRF_HEADER]: readCsrfToken((name) => cookies.get(name)) ?? '',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  // A proof ends the session's token, so calls that need one at the same time share it.
  let proving: Promise<void> | undefined;
  const prove = async (): Promise<void> => {
    const proof = await send('POST', '/api/auth/proof', { password });
    if (!proof.ok) throw new Complaint(`The server asks again for the password (${await describeError(proof)}).`);
    for (const [name, value] of proof.headers.getSetCookie().map(readCookie)) cookies.set(name, value);
  };
  const request = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const answer = await send(method, path, body);
    if (answer.status !== 403 || password === undefined) return answer;
    if ((await sentenceOf(answer)) !== PROOF_DUE) return answer;
    proving ??= prove().finally(() => (proving = undefined));
    await proving;
    return send(method, path, body);
  };

  return {
    cookies,
    request,
    async createApiKey(name) {
      const response = await request('POST', '/api/api-keys', { name });
      if (!response.ok) throw new Complaint(`The server made no API key (${await describeError(response)}).`);
      return createdApiKeySchema.parse(await response.json());
    },
    async createSource(wanted) {
      const response = await request('POST', '/api/sources', wanted);
      if (response.status === 409) return undefined;
      if (!response.ok) throw new Complaint(`The server made no source (${await describeError(response)}).`);
      const { source, plain } = sourceWithSecretsSchema.parse(await response.json());
      return { id: source.id, key: plain.key ?? '', token: plain.token ?? '', mailAddress: source.mailAddress };
    },
    async deleteApiKey(id) {
      const response = await request('DELETE', `/api/api-keys/${id}`);
      if (!response.ok && response.status !== 404) {
        throw new Complaint(`The server did not delete the API key (${await describeError(response)}).`);
      }
    },
    async signOut() {
      await request('POST', '/api/auth/logout');
    },
  };
}

function readCookie(header: string): [string, string] {
  const pair = header.split(';', 1)[0] ?? '';
  const separator = pair.indexOf('=');
  return [pair.slice(0, separator), pair.slice(separator + 1)];
}
