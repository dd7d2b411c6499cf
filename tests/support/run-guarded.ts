/**
 * Runs a program for as long as standard input stays open, then stops it and removes its folder:
 * `node run-guarded.ts FOLDER PROGRAM ARGUMENTS…`.
 *
 * It is a process of its own, so that a database server and its data are gone even when the tests that started it were
 * killed. Ends with the program's exit code.
 */
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';

/** How long a program may take to stop before it is killed, in milliseconds. */
const STOP_TIMEOUT = 15_000;

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

child.on('error', () => finish(127));
child.on('exit', (code) => finish(isStopping ? 0 : (code ?? 1)));
process.stdin.on('end', stop).on('error', stop).resume();
process.stdout.on('error', stop);
process.stdout.write(`${child.pid ?? 0}\n`);

async function finish(code: number): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(code);
}
