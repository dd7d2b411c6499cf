/** `npm run dev`: the server as it is, and behind the same Koa the web app from its sources, with hot replacement. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import webpack, { type Configuration } from 'webpack';
import { main } from '#backend/main.ts';
import { serveSources } from './dev/serve-sources.ts';
import { PROJECT_DIR } from './ensure-web-build.ts';

const CONFIG = pathToFileURL(join(PROJECT_DIR, 'webpack.renderer.config.ts')).href;

type Configs = Record<'webConfig' | 'serviceWorkerConfig', (mode: 'development') => Configuration>;
const { webConfig, serviceWorkerConfig }: Configs = await import(CONFIG);
const compiler = webpack([webConfig('development'), serviceWorkerConfig('development')]);
if (!compiler) throw new Error('webpack refused its configuration.');
const sources = serveSources(compiler);
await main({ webApp: sources.middleware });
// A server that did not start has said why; the compiler that watches would keep the process alive.
if (process.exitCode) sources.close();
