import { type CreatedApiKey, createdApiKeySchema } from '#backend/contract/api-key.ts';
import { type NewSource, sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { CSRF_COOKIE, CSRF_HEADER } from '#backend/contract/csrf.ts';
import { Complaint } from '#scripts/complaint.ts';

/** Longest that the server may take to answer, in milliseconds. */
const TIMEOUT = 30_000;

/** The secrets of a new source. */
export interface SourceSecrets {
  key: string;
  token: string;
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

/** `STATUS: sentence` of an error response, with when to try again. */
async function describeError(response: Response): Promise<string> {
  const retryAfter = response.headers.get('retry-after');
  const body = (await response.text()).trim() || response.statusText;
  return `${response.status}: ${body}${retryAfter ? ` (try again in ${retryAfter} s)` : ''}`;
}

/**
 * Signs in with e-mail and password.
 *
 * @throws {Complaint} when nobody answers or the server refuses
 */
export async function signIn(url: URL, credentials: { email: string; password: string }): Promise<SignedInClient> {
  const login = await ask(new URL('/api/auth/login', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  if (!login.ok) {
    throw new Complaint(
      `The server at ${url.origin} does not let ${credentials.email} sign in (${await describeError(login)}).`,
    );
  }
  return clientWith(url, new Map(login.headers.getSetCookie().map(readCookie)));
}

/** A client of a session that there is already; `headers` go with every call. */
export function clientWith(
  url: URL,
  cookies: ReadonlyMap<string, string>,
  headers: Readonly<Record<string, string>> = {},
): SignedInClient {
  const request = (method: string, path: string, body?: unknown) =>
    ask(new URL(path, url), {
      method,
      headers: {
        ...headers,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        [CSRF_HEADER]: cookies.get(CSRF_COOKIE) ?? '',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

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
      return { id: source.id, key: plain.key ?? '', token: plain.token ?? '' };
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
