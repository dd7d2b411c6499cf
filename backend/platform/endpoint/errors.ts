import { en } from 'zod/locales';
import type { ChangedKind } from '#backend/contract/problem.ts';
import type { JsonText } from './json-text.ts';

/** One thing wrong with a caller's input: where (`a.b`, empty for the whole) and what. */
export interface InputError {
  path: string;
  message: string;
}

/** A token or a link that somebody brought and that is not accepted: what the audit trail says of it, never the thing itself. */
export interface WrongCredential {
  action: 'api_token_refused' | 'link_refused';
  /** By what repetitions of it are known: its id or its hash. */
  mark: string;
  reason: string;
  /** What it was for, where that is known. */
  subject?: string;
  /** Whose it is, and what it is called, where that is known. */
  owner?: { id: string; name: string; token: { id: string; name: string } };
}

/** Has a schema say in words what is wrong: the contract's schemas know none, because the web app shows none. */
export const IN_ENGLISH = { error: en().localeError };

/** What was changed, as answers present it: a member of the problem with this name. */
interface Present {
  kind: ChangedKind;
  json: JsonText;
}

/**
 * A failure that is reported to the caller. `message` is one plain sentence for a person, `id`
 * the stable name behind the problem's `type` URI (RFC 9457). Thrown anywhere; answered by `http/problems` alone.
 */
export class ProblemError extends Error {
  readonly status: number;
  readonly id: string;
  readonly errors: InputError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** How to be let in, for `WWW-Authenticate`. */
  readonly challenge: string | undefined;
  /** What was brought and not accepted: for administrators, never in an answer. */
  readonly credential: WrongCredential | undefined;
  /** What somebody else has changed meanwhile, as it is now. */
  readonly present: Present | undefined;

  constructor(
    status: number,
    id: string,
    message: string,
    extra: {
      errors?: InputError[];
      retryAfterSeconds?: number;
      challenge?: string | undefined;
      credential?: WrongCredential | undefined;
      present?: Present;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: extra.cause });
    this.name = 'ProblemError';
    this.status = status;
    this.id = id;
    this.errors = extra.errors;
    this.retryAfterSeconds = extra.retryAfterSeconds;
    this.challenge = extra.challenge;
    this.credential = extra.credential;
    this.present = extra.present;
  }
}

/** 400: the request cannot be read (not JSON, a bad id or query value). */
export const malformed = (message: string, errors?: InputError[]) =>
  new ProblemError(400, 'malformed-request', message, errors ? { errors } : {});

/** 401: nobody is signed in, or the key or password is wrong; `challenge` becomes `WWW-Authenticate`. */
export const notSignedIn = (message = 'Sign in first.', challenge?: string, credential?: WrongCredential) =>
  new ProblemError(401, 'not-signed-in', message, { challenge, credential });

/** 403: signed in, but not allowed. */
export const notAllowed = (message = 'You are not allowed to do this.') =>
  new ProblemError(403, 'not-allowed', message);

/** 404: unknown, or not the caller's to know of. */
export const notFound = (message: string, credential?: WrongCredential) =>
  new ProblemError(404, 'not-found', message, { credential });

/** 409: in conflict with what is; the sentence says with what. */
export const conflict = (message: string, errors?: InputError[]) =>
  new ProblemError(409, 'conflict', message, errors ? { errors } : {});

/** 409: somebody has changed it since the change was decided on; the answer has it as it is now. */
export const changedMeanwhile = (kind: Present['kind'], json: JsonText) =>
  new ProblemError(409, 'changed-meanwhile', `This ${kind} was changed in the meantime. Reload it and try again.`, {
    present: { kind, json },
  });

/** 413: the body is larger than what is taken. */
export const tooLarge = (message: string) => new ProblemError(413, 'too-large', message);

/** 415: the body is not plain JSON in UTF-8. */
export const unsupportedMediaType = (message: string) => new ProblemError(415, 'unsupported-media-type', message);

/** 421: asked under a host name that is not this server's. */
export const misdirected = (message: string) => new ProblemError(421, 'misdirected-request', message);

/** 422: well-formed, but not acceptable. */
export const unacceptable = (message: string, errors?: InputError[]) =>
  new ProblemError(422, 'unacceptable-input', message, errors ? { errors } : {});

/** 429: too many attempts; `retryAfterSeconds` becomes `Retry-After`. */
export const tooMany = (message: string, retryAfterSeconds: number) =>
  new ProblemError(429, 'too-many-requests', message, { retryAfterSeconds });

/** 503: overloaded, stopping, or the database is away; `retryAfterSeconds` becomes `Retry-After`. */
export const unavailable = (message: string, retryAfterSeconds: number, cause?: unknown) =>
  new ProblemError(503, 'unavailable', message, { retryAfterSeconds, cause });

/** 503: the database reports that its files are damaged. Asking again soon is of no use. */
export const databaseDamaged = (cause?: unknown) =>
  unavailable('The database is damaged. An administrator must restore a backup.', 60, cause);
