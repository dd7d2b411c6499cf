/**
 * Runs a program for as long as standard input stays open, then stops it and removes its folder:
 * `node run-guarded.ts FOLDER PROGRAM ARGUMENTS…`.
 *
 * It is a process of its own, so that a database server and its data are gone even when the tests that started it were
 * killed. Ends with the program's exit code. When the program ends by itself, the last lines of its `error.log` in the
 * folder go to standard error, as they are removed with it.
 */
import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** How long a program may take to stop before it is killed, in milliseconds. */
const STOP_TIMEOUT = 15_000;

/** How much of the program's log is kept when it ends by itself. */
const LOG_LINES = 40;

const [folder = '', program = '', ...args] = process.argv.slice(2);

// Ctrl+C reaches the whole group; what ends this process is the end of its input.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop());

const child = spawn(program, args, { stdio: 'ignore', detached: true });
let isStopping = false;

function stop(): void {
  if (isStopping) return;
  isStopping = true;
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT).unref();
}

child.on('error', () => finish(127, null));
child.on('exit', (code, signal) => finish(isStopping ? 0 : (code ?? 1), signal));
process.stdin.on('end', stop).on('error', stop).resume();
process.stdout.on('error', stop);
process.stdout.write(`${child.pid ?? 0}\n`);

async function finish(code: number, signal: NodeJS.Signals | null): Promise<void> {
  if (!isStopping) {
    const log = await readFile(join(folder, 'error.log'), 'utf8').catch(() => '');
    const lines = log.trimEnd().split('\n').slice(-LOG_LINES).join('\n');
    process.stderr.write(`${program} ended by itself with ${signal ?? code}.\n${lines}\n`);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(code);
}
