import type * as z from 'zod/mini';
import { TOKEN_SCOPES, type TokenScope } from '#backend/contract/api-token.ts';
import type { Role, Session } from '#backend/contract/session.ts';
import type { JsonText } from './json-text.ts';

/** The member who asks, and by what: a session (its stored hash) or an API token (its id). */
export interface Actor extends Session {
  sessionId: string;
  /** When they last proved who they are, in milliseconds since the epoch; 0 for never. */
  provedAt: number;
  /** What the token is for; undefined for a session, which is for everything. */
  tokenScope?: TokenScope;
  /** What the token is called; undefined for a session. */
  tokenName?: string;
}

/** A proof is recent for so long, in milliseconds. */
const PROOF_MS = 10 * 60_000;

/** Whether somebody has just proved who they are. A clock that was set back does not make it last. */
export const isProved = ({ provedAt }: Pick<Actor, 'provedAt'>, now: number = Date.now()): boolean =>
  Math.abs(now - provedAt) < PROOF_MS;

/** What of a call's checked input decides whether it asks for a proof. */
export interface ProofInput<P = unknown, Q = unknown, B = unknown> {
  params: P;
  query: Q;
  body: B;
}

/** Whether a call asks for a recent proof of who asks: always, or when its input says so. */
export type Proof<P = unknown, Q = unknown, B = unknown> = 'always' | ((input: ProofInput<P, Q, B>) => boolean);

/** Who may call: anybody, any signed-in member, or members of the named roles. */
export type Access = 'anyone' | 'member' | readonly Role[];

/** What a handler is given: input that has been checked, and the member who asks (absent for `anyone`). */
export interface EndpointRequest<P, Q, B, A extends Access> {
  params: P;
  query: Q;
  body: B;
  actor: A extends 'anyone' ? undefined : Actor;
  /** The client's address, as far as TRUST_PROXY lets proxies speak for it. */
  ip: string;
  /** Token of an `Authorization: Bearer` header; empty when there is none. */
  bearerToken: string;
  /** The value of a cookie that the client sent. */
  cookie: (name: string) => string | undefined;
  /** The value of a header; empty when there is none. */
  header: (name: string) => string;
  /** The body as it came, for what signs it; empty where there is none. */
  rawBody: string;
  /** What the client says it is; empty when it says nothing. */
  userAgent: string;
  /** True when asked over the loopback interface with no sign of a proxy in between. */
  isLocal: boolean;
  /** True when the people who use this server reach it over https. */
  isSecure: boolean;
  /** The origin that this server's own pages have; empty where that is only what the client says. */
  origin: string;
}

/** A cookie to set; `value: null` removes it. Path `/`, SameSite=Lax, Secure on https. */
export interface ReplyCookie {
  name: string;
  value: string | null;
  httpOnly: boolean;
  maxAgeSeconds?: number;
}

/**
 * What a handler answers. `json` is text already (or pieces of it, made when they are sent), `body` is turned into it,
 * `text` is something else than JSON, whole or in pieces; none of them means 204.
 */
export interface Reply<S extends number = number> {
  status: S;
  body?: unknown;
  json?: JsonText | AsyncIterable<string>;
  text?: { mediaType: string; content: string | AsyncIterable<string> };
  headers?: Record<string, string>;
  cookies?: ReplyCookie[];
}

/** What the API's document groups its calls by. */
export type Tag =
  | 'sign-in'
  | 'account'
  | 'alerts'
  | 'folders'
  | 'views'
  | 'customers'
  | 'alert types'
  | 'notifications'
  | 'push'
  | 'members'
  | 'API keys'
  | 'API tokens'
  | 'sources'
  | 'heartbeats'
  | 'outgoing'
  | 'maintenance'
  | 'rules'
  | 'configuration'
  | 'audit'
  | 'server';

/** Every answer that is no error, by status: the schema of its JSON, the media type of what is not JSON, or nothing. */
export interface Responses {
  200?: z.ZodMiniType | `${string}/${string}`;
  201?: z.ZodMiniType;
  202?: z.ZodMiniType;
  204?: 'no content';
}

/** Headers that carry what the body of an answer cannot, such as a list's total and its next page. */
export type ResponseHeader = 'X-Total-Count' | 'X-Total-Count-Relation' | 'Link' | 'X-Place';

/** Errors that do not follow from who may call and what input is checked (see `http/api-document/errors`). */
export type ErrorStatus = 401 | 403 | 404 | 409 | 429;

/**
 * One call of the API as policy: who may call, what input is valid, what then happens; and, for its document, what it
 * is for and what it answers. `http/dispatch` does the rest in this order: authentication, CSRF, role,
 * media type and size, parsing; the handler goes on with object (404) and state (409).
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  tag: Tag;
  /** One plain sentence: what the call is for. */
  summary: string;
  access: Access;
  /** False only for signing in, which has no session to bind a token to. */
  csrf: boolean;
  /** The least scope with which an API token is let in; undefined where none is. */
  tokenScope: TokenScope | undefined;
  params: z.ZodMiniType | undefined;
  query: z.ZodMiniType | undefined;
  /** An optional schema takes an empty body, too: then the handler has none. */
  body: z.ZodMiniType | undefined;
  responses: Responses;
  responseHeaders: readonly ResponseHeader[];
  errors: readonly ErrorStatus[];
  /** True for a body of `application/x-www-form-urlencoded`, as OpenID providers post it; others are JSON. */
  isForm: boolean;
  /** Largest body in bytes, where that is not the usual 64 KiB. */
  maxBodyBytes: number | undefined;
  /** True for lists and what reads as much: each member gets so many at once (see `http/answer-limits`). */
  isList: boolean;
  /**
   * For what gives somebody power, takes somebody's access away, or hands out what is personal: whoever asks must have
   * proved just now who they are. A token proves nothing and is not let in. A change without it is in the list of
   * `http/proof-policy.server.test.ts`, with the reason.
   */
  proof: Proof | undefined;
  /** True for what a member may call who has to set up a second step before anything else. */
  isForSetUp: boolean;
  handle: (request: EndpointRequest<unknown, unknown, unknown, Access>) => Promise<Reply>;
}

interface EndpointDefinition<
  P extends z.ZodMiniType | undefined,
  Q extends z.ZodMiniType | undefined,
  B extends z.ZodMiniType | undefined,
  A extends Access,
  R extends Responses,
> {
  method: Endpoint['method'];
  path: string;
  tag: Tag;
  summary: string;
  access: A;
  csrf?: boolean;
  /** With which scope an API token is let in, or that none is; by default what {@link scopeOf} says. */
  tokenScope?: TokenScope | 'none';
  params?: P;
  query?: Q;
  body?: B;
  responses: R;
  responseHeaders?: readonly ResponseHeader[];
  errors?: readonly ErrorStatus[];
  isForm?: boolean;
  maxBodyBytes?: number;
  isList?: boolean;
  proof?: Proof<Parsed<P>, Parsed<Q>, Parsed<B>>;
  isForSetUp?: boolean;
  handle: (request: EndpointRequest<Parsed<P>, Parsed<Q>, Parsed<B>, A>) => Promise<Reply<keyof R & number>>;
}

/** Calls about somebody's own credentials and browsers take a session: a token must not become one. */
const SESSION_ONLY: ReadonlySet<Tag> = new Set(['sign-in', 'account', 'API tokens', 'push']);

/** Calls for administrators alone take the scope `admin`, other changes `triage`, and everything else `read`. */
function scopeOf({
  method,
  tag,
  access,
  proof,
  tokenScope,
}: Pick<Endpoint, 'method' | 'tag' | 'access'> & {
  proof?: unknown;
  tokenScope?: TokenScope | 'none';
}): TokenScope | undefined {
  if (tokenScope === 'none' || access === 'anyone' || proof === 'always') return undefined;
  if (tokenScope) return tokenScope;
  if (SESSION_ONLY.has(tag)) return undefined;
  if (Array.isArray(access) && access.every((role) => role === 'admin')) return 'admin';
  return method === 'GET' ? 'read' : 'triage';
}

/** Whether a token of one scope is let in where another is asked for. */
export const allowsScope = (scope: TokenScope, asked: TokenScope | undefined): boolean =>
  asked !== undefined && TOKEN_SCOPES.indexOf(scope) >= TOKEN_SCOPES.indexOf(asked);

type Parsed<S> = S extends z.ZodMiniType ? z.infer<S> : undefined;

/** Declares an endpoint: its handler's input is inferred from the schemas, and it answers no status but the declared. */
export function endpoint<
  const A extends Access,
  R extends Responses,
  P extends z.ZodMiniType | undefined = undefined,
  Q extends z.ZodMiniType | undefined = undefined,
  B extends z.ZodMiniType | undefined = undefined,
>(definition: EndpointDefinition<P, Q, B, A, R>): Endpoint {
  return {
    method: definition.method,
    path: definition.path,
    tag: definition.tag,
    summary: definition.summary,
    access: definition.access,
    csrf: definition.csrf ?? definition.method !== 'GET',
    tokenScope: scopeOf(definition),
    params: definition.params,
    query: definition.query,
    body: definition.body,
    responses: definition.responses,
    responseHeaders: definition.responseHeaders ?? [],
    errors: definition.errors ?? [],
    isForm: definition.isForm ?? false,
    maxBodyBytes: definition.maxBodyBytes,
    isList: definition.isList ?? false,
    isForSetUp: definition.isForSetUp ?? false,
    // The dispatcher hands over exactly what these schemas gave, so the wider signatures are safe to offer it.
    proof: definition.proof as Proof | undefined,
    handle: definition.handle as Endpoint['handle'],
  };
}

/** 200 with an entity. */
export const ok = (body: unknown, extra: Pick<Reply, 'headers' | 'cookies'> = {}): Reply<200> => ({
  status: 200,
  body,
  ...extra,
});

/** 200 with what is JSON text already. */
export const okJson = (json: JsonText | AsyncIterable<string>, headers: Record<string, string> = {}): Reply<200> => ({
  status: 200,
  json,
  headers,
});

/** 200 with what is not JSON. */
export const okText = (
  mediaType: string,
  content: string | AsyncIterable<string>,
  headers: Record<string, string> = {},
): Reply<200> => ({
  status: 200,
  text: { mediaType, content },
  headers,
});

/** 201 with what was created. */
export const created = (body: unknown): Reply<201> => ({ status: 201, body });

/** 202 with the receipt of what was taken in. */
export const accepted = (body: unknown): Reply<202> => ({ status: 202, body });

/** 204: done, nothing to say. */
export const noContent = (extra: Pick<Reply, 'headers' | 'cookies'> = {}): Reply<204> => ({ status: 204, ...extra });
