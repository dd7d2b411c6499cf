import { createInterface } from 'node:readline';
import { type UtilityProcess, utilityProcess } from 'electron';
import type { EmbeddedOrder } from '#backend/contract/embedded.ts';
import type { UpdateProgress } from '#electron/contract/server-choice.ts';
import type { Log } from '#electron/logs/logs.ts';
import type { Store } from '#electron/store.ts';
import { inherited, restartDelay } from './embedded-options.ts';
import { PortTakenError, type Running, whenListening } from './when-listening.ts';

/** How long the server may take to stop before it is ended, in milliseconds. */
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
  /** It brings an older database up to date before it listens. */
  onUpdating: (progress: UpdateProgress) => void;
  /** It crashed and runs again. */
  onRestarted: () => void;
  /** It crashed; the sentence says so. It is tried again later. */
  onCrashed: (reason: string) => void;
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
    // Without a listener Electron shows an error box of its own. The process ends next, and is started again by its exit.
    // The third argument, a report, holds the environment.
    child.on('error', (type, location) => log.error('the server ran into a fatal error', { type, location }));
    child.once('exit', () => {
      if (current === child) current = undefined;
    });
    return child;
  };

  const startOnce = async (): Promise<Running> => {
    const preferred = store.get().port ?? 0;
    const launched = await whenListening(fork(preferred), options.onUpdating).catch((error: unknown) => {
      if (!(error instanceof PortTakenError) || preferred === 0 || !isWanted) throw error;
      log.warn('the port is taken; the server gets another', { port: preferred });
      return whenListening(fork(0), options.onUpdating);
    });
    store.change({ port: Number(new URL(launched.origin).port) });
    const startedAt = Date.now();
    launched.child.once('exit', (code) => {
      running = undefined;
      starting = undefined;
      // Its end was asked for, whether it was chosen again since or not.
      if (!isWanted || stopping) return;
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

async function end(child: UtilityProcess): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const order: EmbeddedOrder = { type: 'stop' };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process, not a window
  child.postMessage(order);
  const cut = setTimeout(() => child.kill(), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(cut);
}
