import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { SERVE } from './product-commands.ts';

/** How long a server may take from its start to the line that names its address, in milliseconds. */
const START_TIMEOUT = 60_000;

/** How often it is started again while its port is occupied. */
const START_ATTEMPTS = 5;

/** The first administrator of every server that tests start. */
export const ADMIN = { email: 'admin@alertdesk.local', password: 'correct horse battery' };

/** A real server in a process of its own, on a data folder of its own that outlives its restarts. */
export interface ServerProcess {
  /** Where it listens; the same port after a restart. */
  readonly url: URL;
  readonly pid: number;
  readonly dataDir: string;
  /** Ends it as a deploy does, or as a power cut does. Resolves when the process is gone. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Starts it again on the same data and port; resolves when it listens. */
  start(): Promise<void>;
  /** Ends it and removes its data, unless the caller named the folder. */
  dispose(): Promise<void>;
}

/**
 * Starts a server and waits until it listens.
 *
 * @param options.script what runs: `scripts/start.ts` as `npm start` does, `backend/main.ts` without the web app
 * @param options.environment more variables, such as DATABASE_URL
 * @param options.dataDir an existing data folder, left to the caller; default: a new one
 * @param options.launcher command line before the server's own
 * @param options.project folder of the release that is started; default: this one
 * @throws {Error} with its output when it does not start
 */
export async function startServerProcess(
  options: {
    script?: 'scripts/start.ts' | 'backend/main.ts' | 'tests/support/serve-one-of-several.ts';
    environment?: Record<string, string>;
    dataDir?: string;
    launcher?: string[];
    project?: string;
  } = {},
): Promise<ServerProcess> {
  const { script = 'backend/main.ts', environment = {}, launcher = [], project = PROJECT_DIR } = options;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'alertdesk-data-')));
  const isServer = script === 'backend/main.ts' && project === PROJECT_DIR;
  const command = [...launcher, process.execPath, ...(isServer ? SERVE : [join(project, script)])];
  const variables = {
    DATA_DIR: dataDir,
    DRAIN_SECONDS: '0',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ...environment,
  };
  let { child, url } = await launch(command, { PORT: '0', ...variables });
  const { port } = url;

  const end = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };
  return {
    get url() {
      return url;
    },
    get pid() {
      return child.pid ?? 0;
    },
    dataDir,
    end,
    async start() {
      await end();
      ({ child, url } = await launchAgain(command, { ...variables, PORT: port }));
    },
    async dispose() {
      await end('SIGKILL');
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Launches a server on the port that it had: while it was away, a connection of another test may have got it for a moment. */
async function launchAgain(...launched: Parameters<typeof launch>): ReturnType<typeof launch> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launch(...launched);
    } catch (error) {
      if (attempt === START_ATTEMPTS || !String(error).includes('the port is occupied')) throw error;
      await wait(500);
    }
  }
}

async function launch(
  [program = '', ...args]: string[],
  variables: Record<string, string>,
): Promise<{ child: ChildProcess; url: URL }> {
  // Only what a server needs is passed on, so that a developer's own settings and TEST_… variables stay out.
  const { PATH = '', HOME = '', TMPDIR = tmpdir(), NODE_COMPILE_CACHE } = process.env;
  const child = spawn(program, args, {
    cwd: variables['DATA_DIR'],
    env: { PATH, HOME, TMPDIR, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killChild = () => child.kill('SIGKILL');
  process.once('exit', killChild);
  child.once('exit', () => process.off('exit', killChild));
  try {
    return { child, url: await readUrl(child) };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

function readUrl(child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string) => reject(new Error(`The server ${why}.\n${output}`));
    const timer = setTimeout(() => fail(`did not listen within ${START_TIMEOUT / 1000} s`), START_TIMEOUT);
    const read = (text: string) => {
      output = (output + text).slice(-10_000);
      const address = /is running at (\S+)/.exec(output)?.[1];
      if (!address) return;
      clearTimeout(timer);
      resolve(new URL(address));
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', read);
    child.once('error', (error) => fail(`could not be run: ${error.message}`));
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with code ${code}`);
    });
  });
}
