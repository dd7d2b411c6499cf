import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { SERVE } from './product-commands.ts';

/** The real process, with what it wrote so far. */
export interface MainProcess {
  child: ChildProcess;
  output: { out: string; err: string };
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>;
}

/**
 * Starts the server on a test's data, configured by the environment alone. It ends with the test at the latest.
 *
 * @param user whose process it is to be; default: this one's
 */
export function startMain(
  place: { dataDir: string; databaseUrl: string | undefined },
  environment: Record<string, string>,
  user: { uid?: number; gid?: number } = {},
): MainProcess {
  const child = spawn(process.execPath, SERVE, {
    ...user,
    // Not the project's own folder: a developer's .env is none of the test's business.
    cwd: place.dataDir,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: '0',
      DATA_DIR: place.dataDir,
      ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
      ...environment,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { out: '', err: '' };
  child.stdout.on('data', (data: Buffer) => (output.out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output.err += data.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, output, ended };
}

/** Resolves when it listens, with its address and, at the first start, the generated password. */
export async function listening({ output }: MainProcess): Promise<{ url: string; password: string }> {
  // A process starts slowly on a busy machine.
  await expect.poll(() => output.out, { timeout: 50_000 }).toMatch(/running at http\S+\n[^]*"listening"/);
  const url = /running at (?<url>http\S+)/.exec(output.out)?.groups?.['url'] ?? '';
  const password = /Password: (?<password>\S+)/.exec(output.out)?.groups?.['password'] ?? '';
  return { url, password };
}
