/** `npm run dev`: the server as it is, and behind the same Koa the web app from its sources, with hot replacement. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ReactRefreshPlugin from '@pmmmwh/react-refresh-webpack-plugin';
import webpack, { type Configuration } from 'webpack';
import { main } from '#backend/main.ts';
import { serveSources } from './dev/serve-sources.ts';
import { PROJECT_DIR } from './ensure-web-build.ts';

const CONFIG = pathToFileURL(join(PROJECT_DIR, 'webpack.renderer.config.ts')).href;

type Configs = Record<'webConfig' | 'serviceWorkerConfig' | 'wallboardConfig', (mode: 'development') => Configuration>;
const { webConfig, serviceWorkerConfig, wallboardConfig }: Configs = await import(CONFIG);
const web = webConfig('development');
// Here and not in the configuration, which is also read where only what it takes to run is installed.
web.plugins?.push(new ReactRefreshPlugin({ overlay: false }));
const compiler = webpack([web, serviceWorkerConfig('development'), wallboardConfig('development')]);
if (!compiler) throw new Error('webpack refused its configuration.');
const sources = serveSources(compiler);
await main({ webApp: sources.middleware });
// A server that did not start has said why; the compiler that watches would keep the process alive.
if (process.exitCode) sources.close();
