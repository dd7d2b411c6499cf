import type { ZodMiniType } from 'zod/mini';
import { CSRF_HEADER, readCsrfToken } from '#backend/contract/csrf.ts';
import { PROOF_DUE, type Problem } from '#backend/contract/problem.ts';
import { ANSWER_MS, noteRead, readCookie, takeEarlyAnswer } from './early-start.ts';
import { parseJson } from './parse-json.ts';
import { askForProof } from './proof-due.ts';
import * as texts from './texts.ts';

/** What a server of ours says. A proxy that cannot reach it answers with a page, or with nothing; an object is for programs. */
const isSentence = (body: string): boolean => /^[^<>{}]/.test(body);

/** A non-success answer. Its message is shown to people: the server's sentence, or what a proxy answered in its place. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: string;
  readonly statusText: string;
  /** What is wrong with which field of the input. */
  readonly errors: Problem['errors'];

  constructor(status: number, body: string, statusText: string, errors?: Problem['errors']) {
    super(isSentence(body) ? body : texts.serverAnswered(status, statusText).trimEnd());
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.statusText = statusText;
    this.errors = errors;
  }
}

/** Whether the same call may be answered later: the server was not reached, or could not do it just now. */
export const mayAnswerLater = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 408 || error.status === 429;

/**
 * One page of a list: its rows, how many the whole list has (`isAtLeast`: or more, where counting all takes too long),
 * and the cursor of the next page when there is one.
 */
export interface ApiPage<Row> {
  rows: Row[];
  total: number;
  isAtLeast?: true;
  next?: string;
}

/** Which rows of a list to ask for: at most `limit` (1–500), after the cursor `before`. */
export interface PageRequest {
  limit?: number;
  before?: string | undefined;
  signal?: AbortSignal;
  /** The list says at which place in the feed it was read. */
  isPlaced?: boolean;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Reads `path`. Throws {@link ApiError} on a failure answer, a plain Error when no answer came. */
export async function apiGet<T>(
  path: string,
  schema: ZodMiniType<T>,
  options: { signal?: AbortSignal; bearerToken?: string } = {},
): Promise<T> {
  const response = await call('GET', path, options);
  return read(response, schema);
}

/** Reads the text of the answer at `path`, for {@link readAnswer} and beside it. Throws as {@link apiGet} does. */
export async function apiGetText(path: string, options: { signal?: AbortSignal } = {}): Promise<string> {
  const response = await call('GET', path, options);
  return textOf(response);
}

/**
 * Reads one page of the list at `path`, which may have a query of its own; `schema` is that of the whole array. Throws as
 * {@link apiGet} does.
 */
export async function apiGetPage<Row>(
  path: string,
  schema: ZodMiniType<Row[]>,
  { limit, before, signal, isPlaced }: PageRequest = {},
): Promise<ApiPage<Row>> {
  const [place = path, filter] = path.split('?', 2);
  const query = new URLSearchParams(filter);
  if (limit !== undefined) query.set('limit', String(limit));
  if (before !== undefined) query.set('before', before);
  const answer = call('GET', query.size > 0 ? `${place}?${query}` : place, signal ? { signal } : {});
  if (isPlaced && before === undefined) noteRead(path, answer);
  const response = await answer;
  const rows = await read(response, schema);
  const next = nextCursor(response.headers.get('Link'));
  const total = Number(response.headers.get('X-Total-Count') ?? rows.length);
  const isAtLeast = response.headers.get('X-Total-Count-Relation') === 'at-least';
  return { rows, total, ...(isAtLeast && { isAtLeast }), ...(next !== undefined && { next }) };
}

/** Most pages of a list that is read whole: a server that never ends a list does not fill this tab. */
const MAX_PAGES = 1000;

/** Reads the whole list at `path`, page after page, however the server cuts it. Throws as {@link apiGet} does. */
export async function apiGetAll<Row>(
  path: string,
  schema: ZodMiniType<Row[]>,
  options: Pick<PageRequest, 'signal'> = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  let before: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page: ApiPage<Row> = await apiGetPage(path, schema, { ...options, before });
    rows.push(...page.rows);
    before = page.next;
    if (before === undefined) break;
  }
  return rows;
}

/**
 * Writes to `path` with the CSRF header, and gives what `schema` reads from the answer (nothing without a schema); an answer
 * without content is undefined to it. `keepalive` lets the call outlive the page. Throws as {@link apiGet} does; what had no
 * answer may have been done.
 */
export async function apiSend<T = undefined>(
  method: Exclude<Method, 'GET'>,
  path: string,
  options: { body?: unknown; schema?: ZodMiniType<T>; keepalive?: boolean } = {},
): Promise<T> {
  const { body, schema, keepalive = false } = options;
  const response = await call(method, path, { keepalive, ...(body !== undefined && { body: JSON.stringify(body) }) });
  return schema ? read(response, schema) : (undefined as T);
}

interface CallOptions {
  /** What gives the call up. One that has it, and each change, is also given up without an answer after {@link ANSWER_MS}. */
  signal?: AbortSignal;
  body?: string;
  /** It outlives the page. */
  keepalive?: boolean;
  bearerToken?: string;
}

const csrfToken = (): string | undefined => readCsrfToken(readCookie);

async function call(method: Method, path: string, options: CallOptions): Promise<Response> {
  const token = method === 'GET' ? undefined : csrfToken();
  const again = () => send(method, path, options, method === 'GET' ? undefined : csrfToken());
  let response = await send(method, path, options, token);
  if (response.ok) return response;
  let failure = await failureOf(response);
  if (failure.status === 403 && !isProofDue(failure) && method !== 'GET' && (await isTokenRenewed(token))) {
    response = await again();
    if (response.ok) return response;
    failure = await failureOf(response);
  }
  // Whatever screen asks, the person says who they are and it goes on. A page that is left asks nobody.
  if (isProofDue(failure) && !options.keepalive && (await askForProof())) {
    response = await again();
    if (response.ok) return response;
    failure = await failureOf(response);
  }
  throw failure;
}

async function failureOf(response: Response): Promise<ApiError> {
  const text = (await textOf(response)).trim();
  let detail: string | undefined;
  let errors: Problem['errors'];
  try {
    ({ detail, errors } = JSON.parse(text) as Partial<Problem>);
  } catch {
    // A sentence or a page, or a problem that was cut off.
  }
  return new ApiError(response.status, detail ?? text, response.statusText, errors);
}

const isProofDue = ({ status, body }: ApiError): boolean => status === 403 && body === PROOF_DUE;

/**
 * A refused change may have carried a CSRF token of before the server's secret changed. Asking for the session renews
 * the cookie then.
 */
async function isTokenRenewed(sent: string | undefined): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  await send('GET', '/api/auth/session', { signal }, undefined).catch(() => undefined);
  return csrfToken() !== sent;
}

async function send(
  method: Method,
  path: string,
  { bearerToken, signal, ...options }: CallOptions,
  token: string | undefined,
): Promise<Response> {
  const headers = new Headers();
  if (bearerToken !== undefined) headers.set('Authorization', `Bearer ${bearerToken}`);
  if (options.body !== undefined) {
    headers.set('Content-Type', 'application/json');
    headers.set('Accept', 'application/json');
  }
  if (token !== undefined) headers.set(CSRF_HEADER, token);
  const early = method === 'GET' ? takeEarlyAnswer(path) : undefined;
  const limit = signal || method !== 'GET' ? AbortSignal.timeout(ANSWER_MS) : undefined;
  const limited = limit && { signal: signal ? AbortSignal.any([signal, limit]) : limit };
  return (early ?? fetch(path, { method, headers, credentials: 'include', ...options, ...limited })).catch(notReached);
}

function notReached(error: unknown): never {
  if (error instanceof DOMException && error.name === 'AbortError') throw error;
  throw new Error(texts.serverNotReached, { cause: error });
}

const textOf = (response: Response): Promise<string> => response.text().catch(notReached);

async function read<T>(response: Response, schema: ZodMiniType<T>): Promise<T> {
  return readAnswer(await textOf(response), schema);
}

/** What `schema` reads from an answer's text; no text is undefined. Throws an Error for people where it cannot. */
export function readAnswer<T>(text: string, schema: ZodMiniType<T>): T {
  try {
    return schema.parse(text === '' ? undefined : parseJson(text));
  } catch (error) {
    throw new Error(texts.unreadableResponse, {
      cause: error,
    });
  }
}

/** The `before` cursor of a `Link: <…>; rel="next"` header. */
function nextCursor(link: string | null): string | undefined {
  const target = link && /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link)?.[1];
  if (!target) return undefined;
  return new URL(target, 'http://any.invalid').searchParams.get('before') ?? undefined;
}
