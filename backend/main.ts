import cluster from 'node:cluster';
import process from 'node:process';
import { PRODUCT_NAME } from './contract/product.ts';
import { setupPath } from './contract/session.ts';
import { localOriginOf } from './http/origin.ts';
import { type Config, SETTING_NAMES, readConfig } from './server/config.ts';
import { findMisspelled } from './server/misspelled-settings.ts';
import { readDotEnv } from './server/read-dot-env.ts';
import { endProcess } from './server/stop-in-order.ts';
import { type Logger, createLogger } from './platform/logger/logger.ts';
import { StartError } from './platform/logger/start-error.ts';
import type { ServerParts } from './server/server-parts.ts';
import type { StartedServer } from './server/workers/messages.ts';
import { type WorkerLink, linkToPrimary } from './server/workers/worker.ts';

/**
 * The process: read the configuration, start, stop on SIGINT or SIGTERM. A reason not to start is printed as one sentence,
 * with exit code 1. With `WORKERS` it starts as many processes of this kind, and serves nothing itself.
 *
 * @param parts what development puts in the place of the product's own.
 */
export async function main(parts: ServerParts = {}): Promise<void> {
  try {
    readDotEnv();
    const config = readConfig(process.env);
    const primary = linkToPrimary();
    const logger = createLogger(config.logLevel, primary?.name);
    // Once, and not by each worker.
    for (const setting of primary ? [] : findMisspelled(process.env, SETTING_NAMES)) {
      logger.warn(setting, 'a variable that is no setting is ignored, and looks like a misspelled one');
    }
    if (primary || config.workers === 1) return await serve(config, logger, parts, primary);
    if (Object.keys(parts).length > 0) {
      throw new StartError('The environment variable WORKERS is for "npm start"; leave it out here.');
    }
    await serveByWorkers(config, logger);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    // Its connection with the primary process would keep a worker alive.
    if (cluster.isWorker) process.exit();
  }
}

async function serve(
  config: Config,
  logger: Logger,
  parts: ServerParts,
  primary: WorkerLink | undefined,
): Promise<void> {
  // Not loaded by a process that only starts workers: it would take as much memory as one of them.
  const { startServer } = await import('./server/server.ts');
  const server = await startServer(config, logger, primary ? { ...parts, scrape: primary.scrape } : parts);
  let isStopping = false;
  const stop = (options: { isReplaced?: boolean }) => {
    if (isStopping) return;
    isStopping = true;
    endProcess(logger, () => server.stop(options).then(() => primary?.leave(server)));
  };
  // First: whoever reads that the server runs may end it at once.
  onStopSignal(() => stop({}));
  process.on('SIGUSR2', () => logger.warn('nothing is replaced: only the first process of several has workers'));
  if (!primary) process.stdout.write(notice(server, config));
  logger.info({ url: server.url }, 'listening');
  primary?.serve(server, stop);
}

async function serveByWorkers(config: Config, logger: Logger): Promise<void> {
  const { startWorkers } = await import('./server/workers/primary.ts');
  const workers = startWorkers(config.workers, logger);
  onStopSignal(workers.stop);
  process.on('SIGUSR2', () => void workers.replace());
  const started = await workers.started;
  if (started) {
    process.stdout.write(notice(started, config));
    logger.info({ url: started.url, workers: config.workers }, 'listening');
  }
  process.exitCode = await workers.ended;
}

function notice({ url, firstAdmin, setupToken }: StartedServer, config: Config): string {
  const { databaseUrl, dataDir, workers } = config;
  const data = databaseUrl ? 'the database at DATABASE_URL' : dataDir;
  const lines = ['', `${PRODUCT_NAME} is running at ${url}`, `Data is in ${data}`];
  if (workers > 1) lines.push(`Served by ${workers} workers`);
  if (firstAdmin) {
    lines.push('', 'First start: the administrator was created.', `  E-mail:   ${firstAdmin.email}`);
    lines.push(`  Password: ${firstAdmin.generatedPassword ?? 'as set in ADMIN_PASSWORD'}`);
    // The page shows the password to who has this address.
    const origin = localOriginOf(url, config);
    if (setupToken && origin) {
      lines.push(`  Sign in:  ${origin}${setupPath(setupToken)} (on this machine, for 24 hours)`);
    }
  }
  return `${lines.join('\n')}\n\n`;
}

function onStopSignal(stop: () => void): void {
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

if (import.meta.main) await main();
