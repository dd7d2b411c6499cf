import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { findProgram } from './find-program.ts';
import { type PackageNames, installHint, installPackage } from './install-package.ts';

const PACKAGES: PackageNames = {
  'apt-get': [['mariadb-server-core', 'mariadb-client-core'], ['mariadb-server'], ['mysql-server']],
  dnf: [['mariadb-server'], ['mysql-server']],
  brew: [['mariadb']],
};

/** Where servers lie that are not in a user's PATH. */
const SERVER_FOLDERS = [
  '/usr/sbin',
  '/usr/libexec',
  '/usr/local/sbin',
  '/usr/local/mysql/bin',
  '/opt/homebrew/opt/mariadb/bin',
  '/usr/local/opt/mariadb/bin',
];

/** How long a server may take to answer, in milliseconds; it takes under two seconds. */
const START_TIMEOUT = 60_000;

/** Another process may take the free port before the server does. */
const START_ATTEMPTS = 3;

/** A running MariaDB or MySQL server with rights to create databases. */
export interface MariaDb {
  /** `mysql://root@127.0.0.1:PORT/mysql`; put another name after the last slash for a database of your own. */
  url: string;
  /** Unix socket, process id and port of a private server; undefined for the one that TEST_DATABASE_URL names. */
  socket: string | undefined;
  pid: number | undefined;
  port: number | undefined;
  /** Stops a private server and removes its data. Also happens when the process that started it ends or is killed. */
  stop: () => Promise<void>;
}

/** No server is there and none may be installed; the message says what to do. */
export class MariaDbMissingError extends Error {}

/** Path of the installed server program, if there is one. */
export const findMariaDb = (): string | undefined => findProgram(['mariadbd', 'mysqld'], SERVER_FOLDERS);

/** True when {@link startMariaDb} has what it needs without installing anything. */
export const hasMariaDb = (): boolean => Boolean(process.env['TEST_DATABASE_URL']) || findMariaDb() !== undefined;

/**
 * Installs a server when there is none and that is allowed.
 *
 * @returns the program's path, or undefined when TEST_DATABASE_URL names a server
 * @throws {MariaDbMissingError} when there is none and none may be installed
 */
export async function ensureMariaDb(): Promise<string | undefined> {
  if (process.env['TEST_DATABASE_URL']) return undefined;
  const server = findMariaDb() ?? ((await installPackage(PACKAGES)) ? findMariaDb() : undefined);
  if (server) return server;
  throw new MariaDbMissingError(
    `There is no MariaDB or MySQL server here: ${installHint(PACKAGES)}, or set TEST_DATABASE_URL to one that tests may use.`,
  );
}

/**
 * A database server for tests: the one that TEST_DATABASE_URL names, else a private one on its own data folder, socket
 * and free port, installed by the system's package manager when missing and allowed.
 *
 * @param options more options for a private server, such as `--innodb-flush-log-at-trx-commit=1`
 * @param environment what `run-guarded.ts` reads, such as `GUARD_RESTARTS`
 * @throws {MariaDbMissingError} when there is none and none may be installed
 */
export async function startMariaDb(
  options: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
): Promise<MariaDb> {
  const server = await ensureMariaDb();
  if (!server) {
    const url = process.env['TEST_DATABASE_URL'] ?? '';
    return { url, socket: undefined, pid: undefined, port: undefined, stop: async () => {} };
  }
  return startPrivateMariaDb(server, options, environment);
}

/**
 * A private server, whatever TEST_DATABASE_URL says: for tests that stop it, or start it in a way of their own.
 *
 * @param disk the folder in which its data are made; default: one of its own
 */
export async function startPrivateMariaDb(
  server: string,
  options: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
  disk?: string,
): Promise<MariaDb> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startPrivate(server, options, environment, disk);
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw error;
    }
  }
}

async function startPrivate(
  server: string,
  options: readonly string[],
  environment: NodeJS.ProcessEnv,
  disk?: string,
): Promise<MariaDb> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-db-'));
  const data = await mkdtemp(join(disk ?? folder, 'data-'));
  const socket = join(folder, 'sock');
  const log = join(folder, 'error.log');
  const port = await freePort();
  const isMariaDb = await createData(server, data).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const guard = spawn(
    process.execPath,
    [
      join(import.meta.dirname, 'run-guarded.ts'),
      folder,
      server,
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--pid-file=${join(folder, 'pid')}`,
      // A server that starts deletes what it takes for temporary tables of an earlier one, also those of its neighbours.
      `--tmpdir=${folder}`,
      `--log-error=${log}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--innodb-buffer-pool-size=32M',
      '--performance-schema=OFF',
      '--skip-log-bin',
      ...(isMariaDb ? [] : ['--mysqlx=OFF']),
      ...asRoot,
      ...options,
    ],
    // In a group of its own, so that Ctrl+C does not take the guard away before the server.
    { stdio: ['pipe', 'pipe', 'inherit'], detached: true, env: { ...process.env, ...environment } },
  );
  const url = `mysql://root@127.0.0.1:${port}/mysql`;
  const pid = await readPid(guard);
  const stop = async () => {
    if (guard.exitCode !== null) return;
    guard.ref();
    guard.stdin?.end();
    await once(guard, 'exit');
  };
  try {
    await waitUntilReady(url, guard, log);
  } catch (error) {
    await stop();
    throw error;
  }
  unref(guard);
  return { url, socket, pid, port, stop };
}

const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];

/** Creates the system tables; resolves to true for MariaDB, false for MySQL. */
export async function createData(server: string, data: string): Promise<boolean> {
  const run = promisify(execFile);
  const { stdout: version } = await run(server, ['--version']);
  if (!version.includes('MariaDB')) {
    await run(server, ['--no-defaults', '--initialize-insecure', `--datadir=${data}`, ...asRoot]);
    return false;
  }
  const folders = [dirname(server), join(dirname(server), '..', 'bin')];
  const installer = findProgram(['mariadb-install-db', 'mysql_install_db'], folders);
  if (!installer)
    throw new MariaDbMissingError(`${server} is there, but mariadb-install-db is not; install MariaDB again.`);
  const settings = ['--auth-root-authentication-method=normal', '--skip-test-db'];
  await run(installer, ['--no-defaults', `--datadir=${data}`, ...settings, ...asRoot]);
  return true;
}

/** A port of 127.0.0.1 that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}

/** The process id that `run-guarded.ts` reports of the program that it runs. */
export async function readPid(guard: ChildProcess): Promise<number> {
  if (!guard.stdout) throw new Error('The guard of the database server has no output.');
  const [line] = await once(guard.stdout.setEncoding('utf8'), 'data');
  return Number(line);
}

async function waitUntilReady(url: string, guard: ChildProcess, log: string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT;
  for (;;) {
    const failure = await ping(url);
    if (!failure) return;
    if (guard.exitCode !== null || performance.now() > deadline) {
      const lines = await readFile(log, 'utf8').catch(() => '');
      throw new Error(`The database server did not start (${failure}).\n${lines.split('\n').slice(-10).join('\n')}`);
    }
    await delay(50);
  }
}

async function ping(url: string): Promise<string | undefined> {
  try {
    const connection = await createConnection({ uri: url });
    await connection.end();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Lets the test process end by itself; the guard notices that its input has closed. */
export function unref(guard: ChildProcess): void {
  guard.unref();
  for (const stream of [guard.stdin, guard.stdout]) {
    if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
  }
}
