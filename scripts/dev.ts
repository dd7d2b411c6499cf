/** `npm run dev`: the server as it is, and behind the same Koa the web app from its sources, with hot replacement. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import webpack, { type Configuration } from 'webpack';
import { readConfig } from '#backend/config.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { createLogger } from '#backend/logger.ts';
import { startServer } from '#backend/server.ts';
import { StartError } from '#backend/start-error.ts';
import { serveSources } from './dev/serve-sources.ts';
import { PROJECT_DIR } from './ensure-web-build.ts';

const CONFIG = pathToFileURL(join(PROJECT_DIR, 'webpack.renderer.config.ts')).href;

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const { webConfig }: { webConfig: (mode: 'development') => Configuration } = await import(CONFIG);
  const compiler = webpack(webConfig('development'));
  if (!compiler) throw new Error('webpack refused its configuration.');
  const sources = serveSources(compiler);
  const server = await startServer(config, createLogger(config.logLevel), { webApp: sources.middleware });
  console.log(`${PRODUCT_NAME} (development) is running at ${server.url}; the first page waits for the first build.`);
  if (server.firstAdmin) {
    const { email, generatedPassword } = server.firstAdmin;
    console.log(`Administrator: ${email}, password: ${generatedPassword ?? 'as set in ADMIN_PASSWORD'}`);
  }

  const stop = async (): Promise<void> => {
    sources.close();
    await server.stop();
    process.exit(0);
  };
  process.once('SIGINT', () => void stop());
  process.once('SIGTERM', () => void stop());
}

try {
  await main();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exit(1);
}
