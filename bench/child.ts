import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

/** A process of the bench that answers each line with one. */
export interface Child {
  pid: number;
  /** Sends a line and resolves with the answer. One question at a time. */
  ask(line: string): Promise<string>;
  /** The next line that it says by itself. */
  nextLine(): Promise<string>;
  /** Ends its input and waits until it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts `node SCRIPT …` of this folder. Nothing of this process's environment goes along.
 *
 * @param core the processor that it runs on alone, where it is not to share with what it is measured by
 */
export function startChild(
  script: string,
  args: string[],
  environment: Record<string, string> = {},
  core?: number,
): Child {
  const pinned = core === undefined ? [] : ['taskset', '-c', String(core)];
  const [program = '', ...all] = [
    ...pinned,
    process.execPath,
    '--expose-gc',
    join(import.meta.dirname, script),
    ...args,
  ];
  const child = spawn(program, all, {
    // A developer's own settings are not what is measured.
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  // What is written to a process that has ended is noticed where its answer is missing.
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`"${script} ${args[0] ?? ''}" ended; the lines above say why.`);
    return value;
  };
  return {
    pid: child.pid ?? 0,
    nextLine,
    ask(line) {
      child.stdin.write(`${line}\n`);
      return nextLine();
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
