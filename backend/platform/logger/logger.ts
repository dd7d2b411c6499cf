import { type Logger as PinoLogger, pino } from 'pino';
import pretty from 'pino-pretty';

/** The least level that is logged. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What modules log with. No secret, cookie, key or payload is ever handed to it. */
export type Logger = PinoLogger;

/**
 * The process's logger: JSON lines on stdout, readable lines on a terminal. LOG_LEVEL sets the least level.
 * Lines of one of several workers have its `name`.
 *
 * Errors are written as type, message, code and stack only: a database error also carries the query's parameters,
 * which hold payloads and hashes.
 */
export function createLogger(level: LogLevel | 'silent', name?: string): Logger {
  const options = { level, serializers: { err: serializeError }, ...(name !== undefined && { name }) };
  return process.stdout.isTTY ? pino(options, pretty({ ignore: 'pid,hostname', sync: true })) : pino(options);
}

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? error.code : undefined;
  return { type: error.name, message: error.message, code, stack: error.stack };
}

/** Logs one kind of trouble: at once when it is new, and then how often it came again. */
export type LogSeldom = (kind: string, fields: Record<string, unknown>, message: string) => void;

/** How often one kind of trouble is logged while it goes on, in milliseconds. */
const SELDOM_MS = 10_000;

/**
 * Logs errors that every request may meet, such as a database that is away: thousands of lines a second would say no more
 * than the first one, and fill a disk.
 */
export function createSeldomLog(logger: Logger, intervalMs = SELDOM_MS): LogSeldom {
  const going = new Map<string, { more: number; fields: Record<string, unknown>; message: string }>();
  const endInterval = (kind: string) => {
    const { more = 0, fields, message = '' } = going.get(kind) ?? {};
    going.delete(kind);
    if (more === 0) return;
    logger.error({ ...fields, more, withinSeconds: intervalMs / 1000 }, message);
    begin(kind, {}, '');
  };
  const begin = (kind: string, fields: Record<string, unknown>, message: string) => {
    going.set(kind, { more: 0, fields, message });
    setTimeout(() => endInterval(kind), intervalMs).unref();
  };
  return (kind, fields, message) => {
    const known = going.get(kind);
    if (known) {
      known.more += 1;
      Object.assign(known, { fields, message });
      return;
    }
    logger.error(fields, message);
    begin(kind, fields, message);
  };
}
