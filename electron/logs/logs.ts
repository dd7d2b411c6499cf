import { existsSync, mkdirSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join, parse } from 'node:path';
import electronLog from 'electron-log/node';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { logLine, serverLine } from './log-line.ts';

/** Each log is kept as one file of this size and so many before it, 15 MB in all. */
const MAX_BYTES = 1_000_000;
const KEPT_FILES = 4;

/** The logs of the app, of its pages and of the embedded server, in one folder. */
export interface Logs {
  /** The app's own, which About names. */
  path: string;
  folder: string;
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, error?: unknown): void;
  /** What a page wrote to its console. */
  page(level: 'info' | 'warn' | 'error', message: string, source: { url: string; line: number }): void;
  /** A line that the embedded server wrote. */
  server(line: string): void;
}

interface LogOptions {
  folder: string;
  maxBytes?: number;
  /** Takes each line too; in development the terminal does. */
  echo?: (line: string) => void;
}

/**
 * Opens the logs in `folder`. Every line passes the redaction on its way. What cannot be written is not, and the app
 * goes on.
 */
export function openLogs({ folder, maxBytes = MAX_BYTES, echo }: LogOptions): Logs {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // The library's own complaint follows with the first line.
  }
  const app = openFile(folder, 'main', maxBytes);
  const pages = openFile(folder, 'renderer', maxBytes);
  const server = openFile(folder, 'server', maxBytes);
  const write = (file: (line: string) => void, line: string) => {
    file(line);
    echo?.(line);
  };
  const own = (level: string) => (message: string, details?: unknown) =>
    write(app, logLine(new Date(), level, message, details));
  return {
    path: join(folder, 'main.log'),
    folder,
    info: own('info'),
    warn: own('warn'),
    error: own('error'),
    page: (level, message, source) => write(pages, logLine(new Date(), level, message, source)),
    server: (line) => write(server, serverLine(new Date(), line)),
  };
}

/** One file of electron-log's, which writes at once and in order, and rotates when the file is full. */
function openFile(folder: string, name: string, maxBytes: number): (line: string) => void {
  const logger = electronLog.create({ logId: `${folder}/${name}` });
  const { console, file, ipc, remote } = logger.transports;
  // Given, for it would look for a package.json around the app, and write nothing where it finds none.
  file.setAppName(PRODUCT_NAME);
  console.level = false;
  if (ipc) ipc.level = false;
  if (remote) remote.level = false;
  file.resolvePathFn = () => join(folder, `${name}.log`);
  file.format = '{text}';
  file.maxSize = maxBytes;
  file.writeOptions = { flag: 'a', mode: 0o600, encoding: 'utf8' };
  file.archiveLogFn = (full) => rotate(full.toString(), KEPT_FILES);
  return (line) => logger.info(line);
}

/** What a file is renamed to: `main.log` → `main.1.log` → `main.2.log` …; the last of `count` is dropped. */
export function rotation(file: string, count: number): { drop: string; moves: [from: string, to: string][] } {
  const { dir, name, ext } = parse(file);
  const old = (age: number) => (age === 0 ? file : join(dir, `${name}.${age}${ext}`));
  const ages = Array.from({ length: count }, (_, index) => count - 1 - index);
  return { drop: old(count), moves: ages.map((age) => [old(age), old(age + 1)]) };
}

/**
 * Makes way for a new file at `file`, and keeps the `count` before it. Windows moves no file that certain programs have
 * open, such as one that follows a log: it is left out, and where `file` itself cannot be moved, it begins again.
 */
export function rotate(file: string, count: number): void {
  const { drop, moves } = rotation(file, count);
  const steps = [
    () => rmSync(drop, { force: true }),
    ...moves.map(
      ([from, to]) =>
        () =>
          renameSync(from, to),
    ),
  ];
  for (const step of steps) {
    try {
      step();
    } catch {
      // There are not that many yet, or it is in use.
    }
  }
  if (existsSync(file)) truncateSync(file);
}

/** What the main process's modules log with: a sentence, and what belongs to it. Never a secret, a cookie or a payload. */
export interface Log {
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, error?: unknown): void;
}
