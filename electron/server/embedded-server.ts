import { createInterface } from 'node:readline';
import { type UtilityProcess, utilityProcess } from 'electron';
import { type EmbeddedOrder, type EmbeddedReport, embeddedReportSchema } from '#backend/contract/embedded.ts';
import type { Log } from '#electron/logs/logs.ts';
import type { Store } from '#electron/store.ts';
import { inherited, restartDelay } from './embedded-options.ts';

/** How long the server may take to start, and to stop before it is ended, in milliseconds. */
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 12_000;

/** One that ran so long is not in a row of crashes any more. */
const STEADY_MS = 60_000;

/** The server on this computer. */
export interface EmbeddedServer {
  /**
   * Starts it, unless it runs; resolves to the origin that the window opens.
   *
   * @throws {Error} with a sentence when it does not start
   */
  start(): Promise<string>;
  /** Asks it to finish what it does and to end; resolves when it is gone. */
  stop(): Promise<void>;
  /** The path that its window opens first: the sign-in page with the generated password, as long as that is offered. */
  homePath(): string;
}

interface EmbeddedServerOptions {
  /** The script that the server's process runs. */
  entry: string;
  dataDir: string;
  store: Store;
  log: Log;
  /** Takes what the process writes, line by line. */
  onOutput: (line: string) => void;
  /** It crashed and runs again. */
  onRestarted: () => void;
  /** It crashed; the sentence says so. It is tried again later. */
  onCrashed: (reason: string) => void;
}

/** A server that listens. */
interface Running {
  child: UtilityProcess;
  origin: string;
  path: string;
}

/** Keeps the server in a process of its own, on 127.0.0.1 and a port that stays the same, and starts it again when it crashes. */
export function createEmbeddedServer(options: EmbeddedServerOptions): EmbeddedServer {
  const { store, log } = options;
  let starting: Promise<Running> | undefined;
  let running: Running | undefined;
  let stopping: Promise<void> | undefined;
  /** The process, whether it listens yet or not. */
  let current: UtilityProcess | undefined;
  let isWanted = false;
  let crashes = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const fork = (port: number): UtilityProcess => {
    const child = forkServer(options, port);
    current = child;
    child.once('exit', () => {
      if (current === child) current = undefined;
    });
    return child;
  };

  const startOnce = async (): Promise<Running> => {
    const preferred = store.get().port ?? 0;
    const launched = await launch(fork(preferred)).catch((error: unknown) => {
      if (!(error instanceof PortTakenError) || preferred === 0 || !isWanted) throw error;
      log.warn('the port is taken; the server gets another', { port: preferred });
      return launch(fork(0));
    });
    store.change({ port: Number(new URL(launched.origin).port) });
    const startedAt = Date.now();
    launched.child.once('exit', (code) => {
      running = undefined;
      starting = undefined;
      if (!isWanted) return;
      crashes = Date.now() - startedAt > STEADY_MS ? 1 : crashes + 1;
      log.error('the server ended by itself', { code, crashes });
      options.onCrashed('The server on this computer stopped unexpectedly. It is being started again.');
      restartLater();
    });
    running = launched;
    return launched;
  };

  const restartLater = () => {
    timer = setTimeout(() => {
      starting = startOnce();
      starting.then(
        () => options.onRestarted(),
        (error: unknown) => {
          starting = undefined;
          crashes += 1;
          options.onCrashed(error instanceof Error ? error.message : String(error));
          if (isWanted) restartLater();
        },
      );
    }, restartDelay(crashes));
  };

  /** Asks the process at once: at the end of a Windows session there is no later. */
  const endAll = async (): Promise<void> => {
    if (current) await end(current);
    await starting?.catch(() => undefined);
    starting = undefined;
  };

  return {
    async start() {
      isWanted = true;
      clearTimeout(timer);
      // Two at once would write into one database.
      await stopping;
      if (!isWanted) throw new Error('The server on this computer is not in use any more.');
      starting ??= startOnce();
      try {
        return (await starting).origin;
      } catch (error) {
        starting = undefined;
        throw error;
      }
    },
    homePath: () => running?.path ?? '/',
    stop() {
      isWanted = false;
      clearTimeout(timer);
      stopping ??= endAll().finally(() => {
        stopping = undefined;
      });
      return stopping;
    },
  };
}

class PortTakenError extends Error {}

function forkServer({ entry, dataDir, store, onOutput }: EmbeddedServerOptions, port: number): UtilityProcess {
  const child = utilityProcess.fork(entry, [], {
    serviceName: 'Alertdesk server',
    stdio: 'pipe',
    env: {
      ...inherited(),
      HOST: store.get().isShared ? '0.0.0.0' : '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      // Nobody stands in front and sends requests elsewhere.
      DRAIN_SECONDS: '0',
    },
  });
  for (const stream of [child.stdout, child.stderr]) {
    // Whole lines, wherever the pipe cuts them.
    if (stream) createInterface({ input: stream }).on('line', (line) => line.trim() !== '' && onOutput(line));
  }
  return child;
}

/** Resolves when it listens. */
function launch(child: UtilityProcess): Promise<Running> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill();
      reject(new Error('The server on this computer did not start within a minute.'));
    }, START_TIMEOUT_MS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The server on this computer ended with code ${code} before it listened.`));
    });
    child.on('message', (message: unknown) => {
      const report: EmbeddedReport | undefined = embeddedReportSchema.safeParse(message).data;
      if (!report) return;
      clearTimeout(timer);
      if (report.type === 'listening') {
        resolve({ child, origin: `http://127.0.0.1:${new URL(report.url).port}`, path: report.path ?? '/' });
      } else {
        reject(report.isPortTaken ? new PortTakenError(report.message) : new Error(report.message));
      }
    });
  });
}

async function end(child: UtilityProcess): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const order: EmbeddedOrder = { type: 'stop' };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process, not a window
  child.postMessage(order);
  const cut = setTimeout(() => child.kill(), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(cut);
}
