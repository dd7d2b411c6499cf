import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { commandLine } from '#backend/platform/logger/command-line.ts';
import type { Dialect } from '#backend/platform/database/dialect.ts';
import { maskSegments } from '#backend/intake/delivery-log/mask-request.ts';
import { ProblemError, databaseDamaged, notFound, unavailable } from '#backend/platform/endpoint/errors.ts';
import { errorCode } from '#backend/platform/database/driver-errors.ts';
import { type LogSeldom, type Logger, createSeldomLog } from '#backend/platform/logger/logger.ts';
import { problemSchema } from '#backend/contract/problem.ts';

/** An error as it is sent. */
export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Makes an error the answer to the request that it ended. */
export type AnswerError = (
  error: unknown,
  request: IncomingMessage,
  requestId: string,
  /** Writes the sentence as JSON in another API's form. */
  write?: (message: string) => string,
) => ErrorAnswer;

/**
 * The one place where errors become answers: one plain sentence as text, or the same as
 * problem+json (RFC 9457) for who asks for JSON. What nobody foresaw is logged and answered without a detail.
 */
export function createAnswerError(logger: Logger, dialect: Dialect): AnswerError {
  const logSeldom = createSeldomLog(logger);
  return (error, request, requestId, write) =>
    answerTo(request, toProblem(error, dialect, { logger, logSeldom, requestId }), write);
}

/** Answers what the middleware behind it throws. */
export function answerProblems(answerError: AnswerError): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { status, headers, body } = answerError(error, ctx.req, ctx.state['requestId'] as string);
      ctx.status = status;
      ctx.set(headers);
      ctx.body = body;
    }
  };
}

/** A problem in the form that the caller asked for. */
function answerTo(
  request: IncomingMessage,
  problem: ProblemError,
  write: ((message: string) => string) | undefined,
): ErrorAnswer {
  const isJson = /application\/(?:problem\+)?json/.test(request.headers.accept ?? '');
  const headers: Record<string, string> = {
    'Content-Type': write
      ? 'application/json; charset=utf-8'
      : isJson
        ? 'application/problem+json'
        : 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
  };
  if (problem.retryAfterSeconds !== undefined) headers['Retry-After'] = String(problem.retryAfterSeconds);
  if (problem.challenge !== undefined) headers['WWW-Authenticate'] = problem.challenge;
  // A body that was not read to its end leaves the connection in no state to be used again.
  if (!request.complete && problem.status === 413) headers['Connection'] = 'close';
  const body = write ? write(problem.message) : isJson ? jsonOf(problem) : problem.message;
  return { status: problem.status, headers, body };
}

function jsonOf(problem: ProblemError): string {
  const body = JSON.stringify(
    problemSchema.parse({
      type: `urn:alertdesk:problem:${problem.id}`,
      title: problem.id.replaceAll('-', ' '),
      status: problem.status,
      detail: problem.message,
      ...(problem.errors && { errors: problem.errors }),
    }),
  );
  const { present } = problem;
  return present === undefined ? body : `${body.slice(0, -1)},"${present.kind}":${present.json}}`;
}

function toProblem(
  error: unknown,
  dialect: Dialect,
  { logger, logSeldom, requestId }: { logger: Logger; logSeldom: LogSeldom; requestId: string },
): ProblemError {
  if (error instanceof ProblemError) return error;
  if (isHttpError(error)) return new ProblemError(error.status, 'http-error', error.message);
  if (dialect.isDamaged(error)) {
    logSeldom(
      'damaged',
      { requestId, err: error },
      `the database is damaged; stop the server, put a backup back with "${commandLine('restore', 'FILE')}", and start it again`,
    );
    return databaseDamaged(error);
  }
  if (dialect.isUnavailable(error)) {
    logSeldom(errorCode(error), { requestId, err: error }, 'the database is not available');
    return unavailable('The database is not available right now. Try again in a few seconds.', 5, error);
  }
  logger.error({ requestId, err: error }, 'a request failed unexpectedly');
  return new ProblemError(
    500,
    'internal-error',
    'The server failed to handle this request. The error has been logged.',
  );
}

/** Koa's own errors, such as a path that cannot be decoded. */
const isHttpError = (error: unknown): error is Error & { status: number } =>
  error instanceof Error && 'expose' in error && error.expose === true && 'status' in error;

/** What nothing under `/api` answered. */
export const answerUnknownCall: Middleware = (ctx) => {
  throw notFound(`There is no call ${ctx.method} ${maskSegments(ctx.path)}.`);
};
