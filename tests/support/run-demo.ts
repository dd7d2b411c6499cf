import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { ADMIN } from './server-process.ts';

/** `npm run demo` in a process of its own. */
export interface DemoRun {
  process: ChildProcess;
  /** Resolves when it has ended, with its exit code and everything that it said. */
  ended: Promise<{ code: number | null; output: string }>;
}

/** Starts the demo against a server that has {@link ADMIN}. */
export function startDemo(url: URL | string, ...args: string[]): DemoRun {
  const child = spawn(process.execPath, [join(PROJECT_DIR, 'scripts/demo/main.ts'), '--url', String(url), ...args], {
    env: { ...process.env, ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({ code: code ?? null, output }));
  return { process: child, ended };
}
