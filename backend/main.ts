import process from 'node:process';
import { PRODUCT_NAME } from './contract/product.ts';
import { setupPath } from './contract/session.ts';
import { readConfig } from './config.ts';
import { readDotEnv } from './read-dot-env.ts';
import { createLogger } from './logger.ts';
import { StartError } from './start-error.ts';
import { startServer } from './server.ts';
import type { RunningServer, ServerParts } from './server-parts.ts';

/** A stop that takes longer than this is cut short: what was acknowledged is committed by then. */
const STOP_TIMEOUT_MS = 10_000;

/**
 * The process: read the configuration, start, stop on SIGINT or SIGTERM. A reason not to start is printed as one sentence,
 * with exit code 1.
 *
 * @param parts what development puts in the place of the product's own.
 */
export async function main(parts: ServerParts = {}): Promise<void> {
  try {
    readDotEnv();
    const config = readConfig(process.env);
    const logger = createLogger(config.logLevel);
    const server = await startServer(config, logger, parts);
    // First: whoever reads that the server runs may end it at once.
    stopOnSignal(server);
    process.stdout.write(notice(server, config.databaseUrl ? 'the database at DATABASE_URL' : config.dataDir));
    logger.info({ url: server.url }, 'listening');
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

function notice({ url, firstAdmin, setupToken }: RunningServer, data: string): string {
  const lines = ['', `${PRODUCT_NAME} is running at ${url}`, `Data is in ${data}`];
  if (firstAdmin) {
    lines.push('', 'First start: the administrator was created.', `  E-mail:   ${firstAdmin.email}`);
    lines.push(`  Password: ${firstAdmin.generatedPassword ?? 'as set in ADMIN_PASSWORD'}`);
    // The page shows the password to who has this address. A server on all interfaces is asked over loopback.
    const { port } = new URL(url);
    if (setupToken)
      lines.push(`  Sign in:  http://127.0.0.1:${port}${setupPath(setupToken)} (on this machine, for 24 hours)`);
  }
  return `${lines.join('\n')}\n\n`;
}

function stopOnSignal(server: RunningServer): void {
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

if (import.meta.main) await main();
