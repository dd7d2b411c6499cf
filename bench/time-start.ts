import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';

/** Runs `npm start` on a data folder until it serves, and ends it. Milliseconds from the command to the first answer. */
export async function timeStart(dataDir: string): Promise<number> {
  const { PATH = '', HOME = '' } = process.env;
  const startedAt = performance.now();
  // A group of its own, so that npm's children end with it.
  const child = spawn('npm', ['start'], {
    cwd: PROJECT_DIR,
    env: { PATH, HOME, DATA_DIR: dataDir, PORT: '0', DRAIN_SECONDS: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  // npm ends before the server does, whose output is this one.
  const ended = once(child, 'close');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /is running at (\S+)/.exec(line)?.[1];
      if (url === undefined) continue;
      const response = await fetch(new URL('/readyz', url));
      if (!response.ok) throw new Error(`/readyz answered ${response.status}.`);
      return performance.now() - startedAt;
    }
    throw new Error('npm start ended before it served; the lines above say why.');
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    child.stdout.resume();
    await ended;
  }
}
