import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { findProgram } from './find-program.ts';
import { freePort } from './mariadb.ts';
import type { Certificate } from './make-certificate.ts';

const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/** How long a server may take to answer, in milliseconds. */
const START_TIMEOUT = 10_000;

const findRedis = (): string | undefined => findProgram(['redis-server', 'valkey-server'], SERVER_FOLDERS);

/** Whether {@link startRedis} finds a server to run. */
export const hasRedis = (): boolean => findRedis() !== undefined;

/** Whether tests of several servers can be run: they share one MySQL or MariaDB, and a Redis. */
export const hasCluster = process.env['TEST_DIALECT'] === 'mysql' && hasRedis();

/** A Redis or Valkey server of a test's own, which keeps nothing. */
export interface TestRedis {
  /** As REDIS_URL. */
  url: string;
  /** Runs a command, e.g. `['CLIENT', 'KILL', 'TYPE', 'normal']`. */
  run(command: string[]): Promise<unknown>;
  /** Stops its process without ending it, and lets it go on. */
  freeze(): void;
  thaw(): void;
  /** Ends it as a crash does, and starts it again on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends it for good. */
  stop(): Promise<void>;
}

/**
 * Starts a server.
 *
 * @param options.password what clients have to present
 * @param options.certificate makes it speak TLS alone, for `localhost`
 */
export async function startRedis(options: { password?: string; certificate?: Certificate } = {}): Promise<TestRedis> {
  const { password, certificate } = options;
  const program = findRedis();
  if (!program) throw new Error('There is no Redis server here.');
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-redis-'));
  const port = await freePort();
  const socket = join(folder, 'sock');
  const args = ['--save', '', '--appendonly', 'no', '--dir', folder, '--bind', '127.0.0.1', '--unixsocket', socket];
  if (password !== undefined) args.push('--requirepass', password);
  if (certificate) {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    await Promise.all([writeFile(key, certificate.key), writeFile(cert, certificate.cert)]);
    args.push('--port', '0', '--tls-port', `${port}`, '--tls-key-file', key, '--tls-cert-file', cert);
    args.push('--tls-ca-cert-file', cert, '--tls-auth-clients', 'no');
  } else {
    args.push('--port', `${port}`);
  }

  const launch = () => {
    const child = spawn(program, args, { stdio: 'ignore' });
    const killChild = () => child.kill('SIGKILL');
    process.once('exit', killChild);
    child.once('exit', () => process.off('exit', killChild));
    return child;
  };
  const run = async (command: string[]): Promise<unknown> => {
    const client = createClient({
      socket: { path: socket, tls: false, reconnectStrategy: false },
      ...(password !== undefined && { password }),
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.sendCommand(command);
    } finally {
      if (client.isOpen) client.destroy();
    }
  };
  let child = launch();
  const waitUntilReady = async () => {
    for (const until = performance.now() + START_TIMEOUT; ; await delay(20)) {
      const answer = await run(['PING']).catch((error: unknown) => error);
      if (answer === 'PONG') return;
      if (performance.now() > until) throw new Error(`Redis did not start: ${String(answer)}`);
    }
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  await waitUntilReady();
  const secret = password === undefined ? '' : `:${password}@`;
  return {
    url: certificate ? `rediss://${secret}localhost:${port}` : `redis://${secret}127.0.0.1:${port}`,
    run,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill,
    async start() {
      child = launch();
      await waitUntilReady();
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
