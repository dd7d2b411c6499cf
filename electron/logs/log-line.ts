import { redactText, redactValue } from './redact.ts';

/** How much of one message is kept: a page's console may hold anything. */
const MAX_TEXT = 8_000;

/** One line of a log: JSON, so that it can be searched by field, without secrets. */
export function logLine(time: Date, level: string, message: string, details?: unknown): string {
  const text = message.length > MAX_TEXT ? `${message.slice(0, MAX_TEXT)}…` : message;
  const line = { time: time.toISOString(), level, message: redactText(text) };
  return JSON.stringify(details === undefined ? line : { ...line, details: redactValue(details) });
}

/** pino's numbers, as words. */
const LEVELS: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'error' };

/** A line that the server wrote: its JSON in the form of the other logs, or what else it said. */
export function serverLine(now: Date, line: string): string {
  const entry = readEntry(line);
  if (!entry) return logLine(now, 'info', line.trimEnd());
  const { level, time, msg, pid: _pid, hostname: _hostname, ...details } = entry;
  return logLine(
    typeof time === 'number' && Number.isFinite(time) ? new Date(time) : now,
    LEVELS[Number(level)] ?? 'info',
    typeof msg === 'string' ? msg : '',
    Object.keys(details).length > 0 ? details : undefined,
  );
}

function readEntry(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'msg' in value ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
