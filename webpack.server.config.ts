import { join } from 'node:path';
import webpack, { type Configuration } from 'webpack';

const ROOT = import.meta.dirname;

const EMBEDDED = join(ROOT, 'backend', 'embedded.ts');

/** Node 24, as Electron brings it. */
const TARGET = 'es2024';

/** Find their binary or their files beside themselves, so they ship as packages (`scripts/desktop/shipped-files.ts`). */
const SHIPPED = ['better-sqlite3', 'bcrypt', 'swagger-ui-dist'];

/**
 * The server as it ships: the command line, what the desktop app embeds, and what both load, its threads among them.
 * Where the backend reads files by path, the folder beside is laid out like the project's, so `import.meta.url` stays
 * what it is.
 */
export function serverConfig(): Configuration {
  return {
    name: 'server',
    mode: 'production',
    target: 'node24',
    context: ROOT,
    entry: { alertdesk: join(ROOT, 'scripts', 'alertdesk.ts'), embedded: EMBEDDED },
    output: {
      path: join(ROOT, 'dist', 'server', 'backend'),
      filename: '[name].mjs',
      chunkFilename: 'part-[id].mjs',
      module: true,
      library: { type: 'module' },
      clean: true,
    },
    experiments: { outputModule: true },
    externalsType: 'module',
    externals: SHIPPED,
    module: {
      parser: { javascript: { importMeta: false, url: false, worker: false, createRequire: false } },
      rules: [
        { test: /\.ts$/, exclude: /node_modules/, use: [{ loader: 'esbuild-loader', options: { target: TARGET } }] },
        // Where threads are started, which only modules of this name do: their files become bundles of their own.
        {
          test: /[\\/][\w-]+-thread\.ts$/,
          parser: { importMeta: true, url: true, worker: ['Worker from node:worker_threads'] },
        },
      ],
    },
    // Of modules that ask: of the others the command line, which does not, starts one.
    plugins: [
      new webpack.DefinePlugin({
        'import.meta.main': webpack.DefinePlugin.runtimeValue(({ module }) => String(module.resource === EMBEDDED)),
      }),
    ],
    // As it is written, without a map: a stack trace in the log names functions, and TypeORM looks at names of classes.
    optimization: { minimize: false },
    performance: { hints: false },
    // Libraries ask for what they do without when it is missing: other databases' drivers, faster parts of ws.
    ignoreWarnings: [{ module: /node_modules/ }],
  };
}
