/**
 * Runs a program for as long as standard input stays open, then stops it and removes its folder:
 * `node run-guarded.ts FOLDER PROGRAM ARGUMENTS…`.
 *
 * It is a process of its own, so that a database server and its data are gone even when the tests that started it were
 * killed. Ends with the program's exit code.
 *
 * When the program ends by itself, that and the last lines of its `error.log` in the folder go to standard error, and to
 * the file that GUARD_REPORT names. It is then started again as often as GUARD_RESTARTS says, by default not at all.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** How long a program may take to stop before it is killed, in milliseconds. */
const STOP_TIMEOUT = 15_000;

/** How much of the program's log is kept when it ends by itself. */
const LOG_LINES = 40;

const [folder = '', program = '', ...args] = process.argv.slice(2);

// Ctrl+C reaches the whole group; what ends this process is the end of its input.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop());

let restarts = Number(process.env['GUARD_RESTARTS'] ?? 0);
let isStopping = false;
let child = start();

function start(): ChildProcess {
  const started = spawn(program, args, { stdio: 'ignore', detached: true });
  started.on('error', () => void finish(127));
  started.on('exit', (code, signal) => void ended(code ?? 1, signal));
  return started;
}

function stop(): void {
  if (isStopping) return;
  isStopping = true;
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT).unref();
}

process.stdin.on('end', stop).on('error', stop).resume();
process.stdout.on('error', stop);
process.stdout.write(`${child.pid ?? 0}\n`);

async function ended(code: number, signal: NodeJS.Signals | null): Promise<void> {
  if (isStopping) return finish(0);
  await report(`${program} ended by itself with ${signal ?? code}.`);
  if (isStopping || restarts === 0) return finish(code);
  restarts -= 1;
  child = start();
}

async function report(problem: string): Promise<void> {
  const log = await readFile(join(folder, 'error.log'), 'utf8').catch(() => '');
  const text = [problem, ...log.trimEnd().split('\n').slice(-LOG_LINES), ''].join('\n');
  process.stderr.write(text);
  const file = process.env['GUARD_REPORT'];
  if (file) await appendFile(file, text).catch(() => {});
}

async function finish(code: number): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(code);
}
