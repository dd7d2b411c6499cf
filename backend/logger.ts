import { type Logger as PinoLogger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from './config.ts';

/** What modules log with. No secret, cookie, key or payload is ever handed to it. */
export type Logger = PinoLogger;

/**
 * The process's logger: JSON lines on stdout, readable lines on a terminal. LOG_LEVEL sets the least level.
 * Lines of one of several workers have its `name`.
 *
 * Errors are written as type, message, code and stack only: a database error also carries the query's parameters,
 * which hold payloads and hashes.
 */
export function createLogger(level: Config['logLevel'] | 'silent', name?: string): Logger {
  const options = { level, serializers: { err: serializeError }, ...(name !== undefined && { name }) };
  return process.stdout.isTTY ? pino(options, pretty({ ignore: 'pid,hostname', sync: true })) : pino(options);
}

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? error.code : undefined;
  return { type: error.name, message: error.message, code, stack: error.stack };
}
