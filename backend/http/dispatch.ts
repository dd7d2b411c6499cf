import type { SessionStore } from '#backend/identity/sessions/session-store.ts';
import { Readable } from 'node:stream';
import type { Middleware } from 'koa';
import * as z from 'zod/mini';
import type { CountedAudit } from '#backend/identity/audit/counted-audit.ts';
import { CSRF_HEADER } from '#backend/contract/csrf.ts';
import { PROOF_DUE } from '#backend/contract/problem.ts';
import {
  type Actor,
  type Endpoint,
  type ProofInput,
  type Reply,
  allowsScope,
  isProved,
} from '#backend/platform/endpoint/endpoint.ts';
import {
  IN_ENGLISH,
  type InputError,
  ProblemError,
  malformed,
  notAllowed,
  notSignedIn,
  unacceptable,
} from '#backend/platform/endpoint/errors.ts';
import {
  bearerTokenOf,
  formAsJson,
  readFormText,
  readJsonText,
  type HttpContext,
} from '#backend/platform/endpoint/read-request.ts';
import { sessionCookieName } from '#backend/identity/sessions/session-cookies.ts';
import { csrfTokenOf, sameText } from '#backend/identity/users/session-tokens.ts';
import { maskSegments } from '#backend/intake/delivery-log/mask-request.ts';
import { isApiToken, type ApiTokens } from '#backend/identity/sessions/api-token.ts';
import { type AnswerQueue, type AnswerTurn, PIECEWISE_BYTES } from './answer-limits.ts';
import { nameRoute } from './log-requests.ts';
import { clientAddress, isLocalRequest } from './origin.ts';
import { noteRenewal, prolongCookies, setCookies } from './reply-cookies.ts';

/** The API's own bodies are small; alerts come by the webhook. */
const MAX_BODY_BYTES = 64 * 1024;

/** What every call is checked against. */
export interface DispatchDeps {
  sessions: SessionStore;
  apiTokens: ApiTokens;
  sessionSecret: string;
  isSecure: (ctx: HttpContext) => boolean;

  /** Lists wait here for their turn. */
  answers: AnswerQueue;
  /** The origin that this server's own pages have; empty where that is only what the client says. */
  ownOriginOf: (ctx: HttpContext) => string;
  /**
   * Records a signed-in member who was denied what they tried, and tokens and links that are not accepted, before the
   * answer. That a proof is due is no denial: the web app learns by it that it has to ask, several times a day.
   */
  countedAudit: Pick<CountedAudit, 'denied' | 'refused'>;
}

/**
 * Turns a declared endpoint into Koa middleware. The checks run in this order: authentication, CSRF, role, turn, proof,
 * media type, size, parse; then the handler, which goes on with the object and its state. Authentication and role are
 * checked again after a turn that had to be waited for, after the body was read, and by `onBehalfOf` in the transaction
 * where a row changes.
 */
export function dispatch(endpoint: Endpoint, deps: DispatchDeps): Middleware {
  return async (ctx: HttpContext & { params?: Record<string, string> }) => {
    nameRoute(ctx, endpoint.path);
    const isSecure = deps.isSecure(ctx);
    let actor: Actor | undefined;
    try {
      actor = await authenticate(endpoint, ctx, deps, isSecure);
      if (actor?.tokenScope) await deps.apiTokens.count(actor.sessionId);
      // Before the turn, which who is refused does not take.
      admit(endpoint, deps, ctx, actor);
      const turn = endpoint.isList && actor ? await waitForTurn(ctx, actor, deps.answers) : undefined;
      if (turn?.hasWaited) {
        actor = await authenticate(endpoint, ctx, deps, isSecure);
        requireAccess(endpoint, actor);
      }
      const reply = await call(endpoint, deps, ctx, actor, isSecure);
      await prolongCookies(ctx, deps, isSecure);
      answer(ctx, reply, isSecure);
      turn?.made(typeof ctx.body === 'string' ? ctx.body.length : PIECEWISE_BYTES);
    } catch (error) {
      if (error instanceof ProblemError) await recordRefusal(endpoint, deps, ctx, actor, error);
      throw error;
    }
  };
}

/** Records who was denied what they tried, or what was brought and not accepted. */
async function recordRefusal(
  { method, path: route }: Endpoint,
  { countedAudit }: DispatchDeps,
  ctx: HttpContext,
  actor: Actor | undefined,
  { status, message, credential }: ProblemError,
): Promise<void> {
  const ip = clientAddress(ctx.req, ctx.app.maxIpsCount);
  if (credential) await countedAudit.refused(credential, ip);
  if (!actor || status !== 403 || message === PROOF_DUE) return;
  await countedAudit.denied(actor, ip, { method, route, path: maskSegments(ctx.path) });
}

/** Waits until the member may have another list; their turn ends when the answer is sent, or its connection is cut. */
async function waitForTurn({ res }: HttpContext, actor: Actor, answers: AnswerQueue): Promise<AnswerTurn> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const turn = await answers.enter(actor.id, gone.signal);
  if (res.closed) turn.end();
  else res.once('close', () => turn.end());
  return turn;
}

/** @throws {ProblemError} 403 when the call is not made by this site, or may not be made by this member. */
function admit(endpoint: Endpoint, deps: DispatchDeps, ctx: HttpContext, actor: Actor | undefined): void {
  if (endpoint.method !== 'GET') refuseForeignSites(ctx);
  // A browser sends cookies by itself, but no token.
  if (endpoint.csrf && actor && !actor.tokenScope)
    requireCsrfToken(ctx, csrfTokenOf(deps.sessionSecret, actor.sessionId));
  requireAccess(endpoint, actor);
}

async function call(
  endpoint: Endpoint,
  deps: DispatchDeps,
  ctx: HttpContext & { params?: Record<string, string> },
  actor: Actor | undefined,
  isSecure: boolean,
): Promise<Reply> {
  const params = endpoint.params && checkAddress(endpoint.params, ctx.params ?? {});
  const query = endpoint.query && checkAddress(endpoint.query, ctx.query);
  let current = actor;
  let body: unknown;
  let rawBody = '';
  if (endpoint.body) {
    const read = endpoint.isForm ? readFormText : readJsonText;
    rawBody = await read(ctx.req, endpoint.maxBodyBytes ?? MAX_BODY_BYTES);
    // The caller decides how long a body takes, and access may have been revoked meanwhile.
    current = await authenticate(endpoint, ctx, deps, isSecure);
    requireAccess(endpoint, current);
    body = checkBody(endpoint.body, endpoint.isForm ? formAsJson(rawBody) : rawBody);
  }
  requireProof(endpoint, current, { params, query, body });
  return endpoint.handle({
    params,
    query,
    body,
    actor: current,
    ip: clientAddress(ctx.req, ctx.app.maxIpsCount),
    bearerToken: bearerTokenOf(ctx),
    cookie: (name: string) => ctx.cookies.get(name),
    header: (name: string) => ctx.get(name),
    rawBody,
    userAgent: ctx.get('User-Agent'),
    isLocal: isLocalRequest(ctx),
    isSecure,
    origin: deps.ownOriginOf(ctx),
  } as Parameters<Endpoint['handle']>[0]);
}

async function authenticate(
  { access }: Endpoint,
  ctx: HttpContext,
  { apiTokens, sessions }: DispatchDeps,
  isSecure: boolean,
): Promise<Actor | undefined> {
  if (access === 'anyone') return undefined;
  const apiToken = bearerTokenOf(ctx);
  if (isApiToken(apiToken)) return apiTokens.find(apiToken);
  const token = ctx.cookies.get(sessionCookieName(isSecure));
  const found = token ? await sessions.find(token, clientAddress(ctx.req, ctx.app.maxIpsCount)) : undefined;
  if (!found || token === undefined) throw notSignedIn();
  const { isRenewed, ...actor } = found;
  if (isRenewed) noteRenewal(ctx, token);
  return actor;
}

function requireAccess(endpoint: Endpoint, actor: Actor | undefined): void {
  const { access, isForSetUp, proof, tokenScope } = endpoint;
  if (actor?.tokenScope && !allowsScope(actor.tokenScope, tokenScope)) {
    throw notAllowed(
      tokenScope === undefined
        ? TAKES_A_PERSON
        : `This call takes an API token with the scope ${tokenScope}; this one has the scope ${actor.tokenScope}.`,
    );
  }
  if (actor && Array.isArray(access) && !access.includes(actor.role)) throw notAllowed();
  if (actor?.mustSetUpSecondStep && actor.tokenScope) {
    throw notAllowed('This member has to set up two-step sign-in first. Their API tokens work again when they have.');
  }
  if (actor?.mustSetUpSecondStep && !isForSetUp) throw notAllowed('Set up two-step sign-in first.');
  // Whoever has no proof is not made to send a body first.
  if (proof === 'always') requireProof(endpoint, actor);
}

const TAKES_A_PERSON = 'This call takes a signed-in person; an API token is not let in.';

/** @param input what of the call decides, once it is known */
function requireProof({ proof }: Endpoint, actor: Actor | undefined, input?: ProofInput): void {
  const isDue = typeof proof === 'function' ? input !== undefined && proof(input) : proof === 'always';
  if (!actor || !isDue) return;
  if (actor.tokenScope) throw notAllowed(TAKES_A_PERSON);
  if (!isProved(actor)) throw notAllowed(PROOF_DUE);
}

/** Browsers say where a request comes from (Fetch Metadata); what comes from another site changes nothing here. */
function refuseForeignSites(ctx: HttpContext): void {
  const site = ctx.get('Sec-Fetch-Site');
  if (site === 'cross-site' || site === 'same-site') throw notAllowed('This request came from another site.');
}

function requireCsrfToken(ctx: HttpContext, expected: string): void {
  if (!sameText(ctx.get(CSRF_HEADER), expected)) {
    throw notAllowed('The CSRF token is missing or stale. Reload the page and try again.');
  }
}

/** Path parameters and query: what is wrong there is a malformed request (400). */
function checkAddress(schema: z.ZodMiniType, input: unknown): unknown {
  const checked = schema.safeParse(input, IN_ENGLISH);
  if (checked.success) return checked.data;
  const errors = toInputErrors(checked.error);
  throw malformed(`The address is not valid: ${sentence(errors)}`, errors);
}

/** The body: what is not JSON is malformed (400), what the schema refuses is not acceptable (422). */
function checkBody(schema: z.ZodMiniType, text: string): unknown {
  if (text === '' && schema instanceof z.ZodMiniOptional) return undefined;
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    throw malformed('The body is not valid JSON.');
  }
  const checked = schema.safeParse(input, IN_ENGLISH);
  if (checked.success) return checked.data;
  const errors = toInputErrors(checked.error);
  throw unacceptable(`The body is not acceptable: ${sentence(errors)}`, errors);
}

const toInputErrors = (error: z.core.$ZodError): InputError[] =>
  error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));

const sentence = (errors: InputError[]): string =>
  `${errors.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')}.`;

function answer(ctx: HttpContext, reply: Reply, isSecure: boolean): void {
  setCookies(ctx, reply.cookies ?? [], isSecure);
  ctx.set({ 'Cache-Control': 'no-store', ...reply.headers });
  ctx.status = reply.status;
  if (reply.headers?.['ETag'] && ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (reply.text) {
    const { mediaType, content } = reply.text;
    ctx.type = mediaType;
    ctx.body = typeof content === 'string' ? content : Readable.from(content);
    return;
  }
  const text = reply.json ?? (reply.body === undefined ? undefined : JSON.stringify(reply.body));
  if (text === undefined) {
    ctx.body = null;
    ctx.status = 204;
    return;
  }
  ctx.type = 'application/json';
  ctx.body = typeof text === 'string' ? text : Readable.from(text);
}
