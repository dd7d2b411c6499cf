import type { IncomingHttpHeaders } from 'node:http';
import type { SourceSettings } from '#backend/contract/source.ts';
import { bearerToken } from '#backend/platform/endpoint/read-request.ts';
import { type PresentedSecret, type SourceRegistry, isLive } from './source-registry.ts';

/** How a request names its source. */
export type CredentialMethod = 'key' | 'basic' | 'token';

/** A secret that a request presents, and how. */
export interface Credential {
  way: CredentialMethod;
  plain: string;
}

/** Where requests to sources arrive. */
export interface IngestAddress {
  route: '/webhook' | '/in/:token' | '/v2/enqueue' | '/v2/alerts' | '/ping/:token';
  /** The token of `/in/{token}` and `/ping/{token}`. */
  token: string | undefined;
  /** Path and query as alerts keep them: without any token. */
  target: string;
  /** The token of the query. */
  queryToken: string | undefined;
}

/** What became of looking for the source of a request. `reason` is one sentence for its operators. */
export type FoundSource =
  | { kind: 'accepted'; found: PresentedSecret; way: CredentialMethod }
  | { kind: 'refused'; found: PresentedSecret; way: CredentialMethod; reason: string }
  | { kind: 'unknown'; presented: Credential | undefined };

/** The parameter of an address that holds a token. */
const TOKEN_PARAMETER = 'token';

/** Reads the target of a request; undefined when nothing is posted there. */
export function readAddress(url: string): IngestAddress | undefined {
  const queryAt = url.indexOf('?');
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  const query = queryAt < 0 ? '' : url.slice(queryAt);
  const [, name, token] = /^(\/webhook|\/v2\/enqueue|\/in\/([^/]+))\/?$/.exec(path) ?? [];
  if (name === undefined) return readPingAddress(path, query) ?? readOpsgenieAddress(path, query);
  const route = token === undefined ? (name as '/webhook' | '/v2/enqueue') : '/in/:token';
  const { rest, queryToken } = takeToken(query);
  return { route, token, target: (token === undefined ? name : '/in') + rest, queryToken };
}

/** The address of a heartbeat, with what a call of it says behind the token. */
function readPingAddress(path: string, query: string): IngestAddress | undefined {
  const [, token, action = ''] = /^\/ping\/([^/]+)(?:\/([^/]*))?\/?$/.exec(path) ?? [];
  if (token === undefined) return undefined;
  return { route: '/ping/:token', token, target: `/ping/${action}${query}`, queryToken: undefined };
}

/** Where Opsgenie's clients ask: its calls, and those that are known to be asked although nothing answers them here. */
const OPSGENIE_PATH =
  /^\/v[12]\/(?:alerts|heartbeats|incidents|incident-templates|services|integrations|users|teams|schedules|escalations|policies|alert-policies|maintenance|contacts|roles|account|logs)(?:\/|$)/;

/** An address of Opsgenie's API: the whole path belongs to the call. */
function readOpsgenieAddress(path: string, query: string): IngestAddress | undefined {
  if (!OPSGENIE_PATH.test(path)) return undefined;
  const { rest, queryToken } = takeToken(query);
  return { route: '/v2/alerts', token: undefined, target: path + rest, queryToken };
}

/** A look at most queries spares them taking apart: names may be written with escapes. */
const MAY_HOLD_TOKEN = /token|%/;

/** The query without its tokens, and the first of them. What else is in it stays as it was written. */
function takeToken(query: string): { rest: string; queryToken: string | undefined } {
  if (!MAY_HOLD_TOKEN.test(query)) return { rest: query, queryToken: undefined };
  const parts = query.slice(1).split('&');
  const isToken = (part: string) => new URLSearchParams(part).has(TOKEN_PARAMETER);
  const others = parts.filter((part) => !isToken(part));
  const queryToken = new URLSearchParams(parts.find(isToken) ?? '').get(TOKEN_PARAMETER) ?? undefined;
  return { rest: others.length > 0 ? `?${others.join('&')}` : '', queryToken };
}

/** Everything that a request presents, in the order in which it is tried. */
export function readCredentials(headers: IncomingHttpHeaders, address: IngestAddress): Credential[] {
  const credentials: Credential[] = [];
  const add = (way: CredentialMethod, sent: string | string[] | undefined) => {
    const plain = typeof sent === 'string' ? once(sent) : '';
    if (plain !== '') credentials.push({ way, plain });
  };
  add('key', headers['x-webhook-auth']);
  const { authorization } = headers;
  if (authorization !== undefined) {
    add('key', bearerToken(authorization));
    add('key', genieKey(authorization));
    add('basic', basicPassword(authorization));
  }
  add('key', headers['x-api-key']);
  add('key', headers['x-gitlab-token']);
  add('token', address.token);
  add('token', address.queryToken);
  return credentials;
}

/** A header's value once, where it was sent several times: Node joins them, and proxies repeat what is there already. */
function once(value: string): string {
  const [first = '', ...more] = value.includes(',') ? value.split(',').map((part) => part.trim()) : [value.trim()];
  return more.every((one) => one === first) ? first : value.trim();
}

/** The key of `Authorization: GenieKey`, as Opsgenie's clients send it. */
const genieKey = (authorization: string): string | undefined => /^\s*geniekey\s+(\S+)\s*$/i.exec(authorization)?.[1];

/** The password of `Authorization: Basic`; the user name may be anything. */
function basicPassword(authorization: string): string | undefined {
  const encoded = /^\s*basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon < 0 ? undefined : pair.slice(colon + 1);
}

/** Finds the source by the first credential that is accepted: a wrong one does not hide a good one. */
export function findSource(
  sources: Pick<SourceRegistry, 'find'>,
  credentials: readonly Credential[],
  now: number,
): FoundSource {
  let refused: FoundSource | undefined;
  for (const { way, plain } of credentials) {
    const found = sources.find(way === 'token' ? 'token' : 'key', plain);
    if (!found) continue;
    const reason = reasonAgainst(found, way, now);
    if (reason === undefined) return { kind: 'accepted', found, way };
    refused ??= { kind: 'refused', found, way, reason };
  }
  return refused ?? { kind: 'unknown', presented: credentials[0] };
}

const METHOD_LABELS: Record<CredentialMethod, string> = {
  key: 'An API key in a header',
  basic: 'Basic authentication',
  token: 'The token in the address',
};

/** Why a source does not accept one of its secrets, for its operators; undefined when it does. */
export function reasonAgainst(
  { source, secret }: PresentedSecret,
  way: CredentialMethod,
  now: number,
): string | undefined {
  if (!isLive(secret, now)) {
    const hint = secret.hint === '' ? 'a credential' : `the credential …${secret.hint}`;
    return `Used ${hint}, which expired on ${dayOf(secret.expiresAt ?? now)}`;
  }
  const auth: SourceSettings['auth'] = source.settings.auth;
  return auth[way] ? undefined : `${METHOD_LABELS[way]} was used, which is turned off for this source`;
}

/** A day as people write it, such as `Nov 4`. */
const dayOf = (time: number): string =>
  new Date(time).toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
