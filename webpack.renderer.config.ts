import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrotliOptions, constants } from 'node:zlib';
import CompressionPlugin from 'compression-webpack-plugin';
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack, { type Compiler, type Configuration } from 'webpack';
import { LIBRARY_CUTS } from './scripts/web/library-cuts.ts';
import { KeepUsedStylesPlugin } from './scripts/web/keep-used-styles.ts';
import { STYLE_MODULE, styleClassName } from './renderer/styles/style-class-name.ts';

export type BuildMode = 'production' | 'development';

const ROOT = import.meta.dirname;
const RENDERER = join(ROOT, 'renderer');
const REACT_ROUTER = join(ROOT, 'node_modules', 'react-router', 'dist');
const PUBLIC = join(RENDERER, 'public');

/** The browsers that the build is for: those of the last two years, and Electron's. */
const TARGET = 'es2022';

/** Where pages look for the service worker. */
const WORKER_FILE = 'service-worker.js';

/** The wallboard's page. */
const WALLBOARD_PAGE = 'wallboard.html';

/** What is worth compressing beside the file; images are compressed already and source maps are rarely asked for. */
const COMPRESSIBLE = /\.(?:js|css|html|svg|webmanifest)$/;

/** Named exports, which webpack puts in place as constants: a class that a module does not have fails the build. */
const styleModules = {
  auto: STYLE_MODULE,
  namedExport: true,
  exportLocalsConvention: 'as-is',
  getLocalIdent: ({ resourcePath }: { resourcePath: string }, _template: string, local: string): string =>
    styleClassName(resourcePath, local),
};

/**
 * How the renderer's sources become modules: what the web build and the desktop build have in common. The `#…` paths
 * are those of "imports" in package.json, which webpack knows by itself.
 */
export function rendererBasis(mode: BuildMode): Configuration {
  const development = mode === 'development';
  return {
    mode,
    target: ['web', TARGET],
    context: ROOT,
    devtool: development ? 'cheap-module-source-map' : 'source-map',
    resolve: {
      extensions: ['.js'],
      // Its "exports" lead to the files with warnings for developers alone.
      alias: development ? {} : { 'react-router$': join(REACT_ROUTER, 'production', 'index.mjs') },
    },
    // Parts that are loaded later come by this Trusted Types policy, the only one that the server's pages have for scripts.
    output: { trustedTypes: { policyName: 'alertdesk' } },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          exclude: /node_modules/,
          parser: { exportsPresence: 'error' },
          use: [
            // Last comes first: esbuild takes the types away, then the refresh loader sees plain components.
            ...(development ? [join(ROOT, 'scripts', 'dev', 'react-refresh-loader.config.ts')] : []),
            { loader: 'esbuild-loader', options: { target: TARGET, jsx: 'automatic', jsxDev: development } },
          ],
        },
        {
          test: /\.css$/,
          use: [
            MiniCssExtractPlugin.loader,
            { loader: 'css-loader', options: { importLoaders: 0, modules: styleModules } },
          ],
          sideEffects: true,
        },
        { test: /\.(?:svg|png|woff2)$/, type: 'asset/resource' },
        ...(development ? [] : LIBRARY_CUTS).map(({ file, ...options }) => ({
          test: file,
          loader: join(ROOT, 'scripts', 'web', 'trim-library-loader.config.ts'),
          options,
        })),
      ],
    },
    plugins: [
      // Blueprint reads it as a global of its own.
      new webpack.DefinePlugin({ 'process.env.NODE_ENV': JSON.stringify(mode), NODE_ENV: JSON.stringify(mode) }),
      // Icons are imported as components, so Blueprint's loader of icons by name stays out, and all that it knows.
      new webpack.NormalModuleReplacementPlugin(/^\.\/iconLoader$/, join(RENDERER, 'ui', 'component-icons-only.ts')),
    ],
    optimization: {
      minimizer: [
        // Webpack's own terser for scripts: esbuild leaves what is unused inside of concatenated modules, a quarter of all.
        '...',
        new CssMinimizerPlugin({ minify: CssMinimizerPlugin.esbuildMinify }),
      ],
    },
    performance: { hints: false },
    // Blueprint's @charset is no longer a file's first rule; the server names the character set anyway.
    ignoreWarnings: [/@charset/],
  };
}

/**
 * The web app as the server gives it (`dist/web`): index.html, everything else hashed by content under assets/, each
 * file with its brotli and gzip twin. In development the same, unhashed, with hot replacement.
 */
export function webConfig(mode: BuildMode): Configuration {
  const development = mode === 'development';
  const basis = rendererBasis(mode);
  const name = (extension: string): string => `assets/[name]${development ? '' : '.[contenthash:8]'}${extension}`;
  return {
    ...basis,
    name: 'web',
    entry: {
      // Small and alone: it blocks the first paint.
      early: join(RENDERER, 'app', 'start-early.ts'),
      main: [
        ...(development ? ['webpack-hot-middleware/client?overlay=true&reload=true'] : []),
        join(RENDERER, 'app', 'entry.tsx'),
      ],
    },
    output: {
      ...basis.output,
      path: join(ROOT, 'dist', 'web'),
      publicPath: '/',
      filename: name('.js'),
      chunkFilename: name('.js'),
      assetModuleFilename: 'assets/[name].[hash:12][ext]',
    },
    plugins: [
      ...(basis.plugins ?? []),
      new MiniCssExtractPlugin({ filename: name('.css'), chunkFilename: name('.css') }),
      new HtmlWebpackPlugin({
        template: join(RENDERER, 'index.html'),
        // The template places the scripts itself: one that blocks, the others deferred.
        inject: false,
        minify: development ? false : { collapseWhitespace: true, removeComments: true },
      }),
      new PublicFilesPlugin(),
      ...(development
        ? [new webpack.HotModuleReplacementPlugin()]
        : [
            new KeepUsedStylesPlugin('main'),
            compileAtOnce(/^assets\/(?:main|second|third|login)\..*\.js$/),
            ...compression(),
          ]),
    ],
    optimization: {
      ...basis.optimization,
      // The shortest names that do: each class of a style module that several parts have is an export.
      mangleExports: development ? false : 'size',
      // The shortest for what is loaded first: modules are named by them wherever parts share one.
      moduleIds: development ? 'named' : 'size',
      // Two entries on one page with a runtime each would replace each other's modules when hot.
      runtimeChunk: development ? 'single' : false,
      splitChunks: {
        // The entry is one file: apart, libraries and the app share no words when they are compressed, and are 3 KB more.
        // So are the second, and the third, which comes after the first screen: of what later parts have as well, they have a
        // copy. To begin a fetch takes a slow phone 5 ms.
        chunks: (chunk) => !chunk.canBeInitial() && chunk.name !== 'second' && chunk.name !== 'third',
        cacheGroups: {
          // One file, in the order of the entry: it compresses better than one for Blueprint and one for the app.
          first: { type: 'css/mini-extract', name: 'first', chunks: 'initial', enforce: true },
          // Styles that several later parts have are in one file, which comes before the parts' own. As copies in each of
          // them they would come after the styles of the part that was opened before, and override these.
          styles: {
            type: 'css/mini-extract',
            name: 'shared',
            chunks: 'async',
            minChunks: 2,
            enforce: true,
          },
        },
      },
    },
  };
}

/**
 * The service worker beside the web app: one file under one name, which the browser itself looks for again. A build of its
 * own, because it has no page, nothing to load later, and nothing hot.
 */
export function serviceWorkerConfig(mode: BuildMode): Configuration {
  const basis = rendererBasis(mode);
  return {
    ...basis,
    name: 'service-worker',
    target: 'webworker',
    entry: { 'service-worker': join(RENDERER, 'service-worker', 'service-worker.ts') },
    output: { path: join(ROOT, 'dist', 'web'), publicPath: '/', filename: WORKER_FILE },
    module: {
      rules: [{ test: /\.ts$/, exclude: /node_modules/, loader: 'esbuild-loader', options: { target: TARGET } }],
    },
    plugins: [
      new webpack.DefinePlugin({ 'process.env.NODE_ENV': JSON.stringify(mode) }),
      ...(mode === 'development' ? [] : compression()),
    ],
  };
}

/**
 * The wallboard at `/wallboard`, a page of its own: nothing of it is in the web app's first load, and nothing of the web app
 * runs for weeks on a screen on the wall.
 */
export function wallboardConfig(mode: BuildMode): Configuration {
  const development = mode === 'development';
  const basis = rendererBasis(mode);
  const name = (extension: string): string => `assets/[name]${development ? '' : '.[contenthash:8]'}${extension}`;
  return {
    ...basis,
    name: 'wallboard',
    entry: { wallboard: join(RENDERER, 'features', 'wallboard', 'wallboard-entry.tsx') },
    output: { ...basis.output, path: join(ROOT, 'dist', 'web'), publicPath: '/', filename: name('.js') },
    plugins: [
      ...(basis.plugins ?? []),
      new MiniCssExtractPlugin({ filename: name('.css') }),
      new HtmlWebpackPlugin({
        filename: WALLBOARD_PAGE,
        template: join(RENDERER, WALLBOARD_PAGE),
        minify: development ? false : { collapseWhitespace: true, removeComments: true },
      }),
      ...(development ? [] : compression()),
    ],
  };
}

/**
 * Has V8 compile all functions of these files while they are read, beside the main thread. Otherwise it compiles most of them
 * when they are first called, and nearly all of these are called for the first screen and for what follows it at once.
 * https://v8.dev/blog/explicit-compile-hints
 */
const compileAtOnce = (include: RegExp) =>
  new webpack.BannerPlugin({
    banner: '//# allFunctionsCalledOnLoad',
    raw: true,
    include,
    // Behind the minifier, which takes comments away.
    stage: webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1,
  });

/** A brotli and a gzip twin of each file. */
const compression = () => [
  new CompressionPlugin({ test: COMPRESSIBLE, filename: '[path][base].gz', threshold: 512 }),
  new CompressionPlugin<BrotliOptions>({
    test: COMPRESSIBLE,
    filename: '[path][base].br',
    algorithm: 'brotliCompress',
    compressionOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } },
    threshold: 512,
  }),
];

/** Puts renderer/public into the build's root under its own names: icons and the manifest, which others refer to. */
class PublicFilesPlugin {
  apply(compiler: Compiler): void {
    const { Compilation, sources } = compiler.webpack;
    compiler.hooks.thisCompilation.tap('PublicFiles', (compilation) => {
      compilation.contextDependencies.add(PUBLIC);
      compilation.hooks.processAssets.tapPromise(
        { name: 'PublicFiles', stage: Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL },
        async () => {
          const files = await readdir(PUBLIC, { recursive: true, withFileTypes: true });
          await Promise.all(
            files
              .filter((file) => file.isFile())
              .map(async ({ parentPath, name }) => {
                const path = join(parentPath, name);
                const asset = path.slice(PUBLIC.length + 1).replaceAll('\\', '/');
                compilation.emitAsset(asset, new sources.RawSource(await readFile(path)));
              }),
          );
        },
      );
    });
  }
}
