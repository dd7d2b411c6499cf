import process from 'node:process';
import { readConfig } from './server/config.ts';
import { type EmbeddedReport, embeddedOrderSchema } from './contract/embedded.ts';
import { setupPath } from './contract/session.ts';
import { type Logger, createLogger } from './platform/logger/logger.ts';
import type { RunningServer, ServerParts } from './server/server-parts.ts';
import { endProcess } from './server/stop-in-order.ts';
import { StartError } from './platform/logger/start-error.ts';

/** The channel to the process that started this one, as Electron's utility processes have it. */
interface ParentPort {
  postMessage(message: EmbeddedReport): void;
  on(event: 'message', listener: (message: { data: unknown }) => void): void;
}

/**
 * The server inside the desktop app: configured by the environment alone, reports where it listens, stops when asked to.
 * When the app around it is gone, it is ended with it.
 */
export async function main(parts: ServerParts = {}): Promise<void> {
  const { parentPort } = process as unknown as { parentPort?: ParentPort };
  if (!parentPort) throw new Error('The embedded server is started by the desktop app only; run npm start instead.');
  // Electron would warn and go on, with whatever the rejection has left undone. As in Node, it ends the process; the app
  // starts it again.
  process.on('unhandledRejection', (reason) => {
    throw reason;
  });
  let running: { server: RunningServer; logger: Logger } | undefined;
  parentPort.on('message', ({ data }) => {
    if (embeddedOrderSchema.safeParse(data).data?.type !== 'stop') return;
    // Nothing was acknowledged before it listens, and migrations go on at the next start where they were.
    if (!running) process.exit(0);
    const { server, logger } = running;
    endProcess(logger, () => server.stop());
  });
  try {
    const config = readConfig(process.env);
    const logger = createLogger(config.logLevel);
    const onMigrated = (done: number, total: number) => report(parentPort, { type: 'updating', done, total });
    // Loaded apart: a built server has it in common with the command line.
    const { startServer } = await import('./server/server.ts');
    const server = await startServer(config, logger, { onMigrated, ...parts });
    running = { server, logger };
    logger.info({ url: server.url }, 'listening');
    const path = server.setupToken && setupPath(server.setupToken);
    report(parentPort, { type: 'listening', url: server.url, ...(path && { path }) });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    report(parentPort, { type: 'failed', isPortTaken: isPortTaken(error.cause), message: error.message });
    process.exitCode = 1;
    // The port would keep the process alive, waiting for orders.
    setImmediate(() => process.exit());
  }
}

/**
 * Whether another port would do. Windows refuses with EACCES one that it has reserved, as for virtual machines at each of
 * its starts, or that a program has for itself alone.
 */
function isPortTaken(cause: unknown): boolean {
  const { code = '', syscall } = (cause ?? {}) as NodeJS.ErrnoException;
  return syscall === 'listen' && TAKEN.has(code);
}

const TAKEN = new Set(['EADDRINUSE', 'EACCES']);

function report(port: ParentPort, message: EmbeddedReport): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process, not a window
  port.postMessage(message);
}

if (import.meta.main) await main();
