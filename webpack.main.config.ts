import { join } from 'node:path';
import { EsbuildPlugin } from 'esbuild-loader';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import type { Configuration } from 'webpack';
import { type BuildMode, rendererBasis } from './webpack.renderer.config.ts';

const ROOT = import.meta.dirname;
const ELECTRON = join(ROOT, 'electron');

/** Where the desktop app's bundles go: main.cjs, preload.cjs, server-page/. */
export const DESKTOP_BUILD_DIR = join(ROOT, 'dist', 'desktop');

/** Electron 45 carries Node 24 and its Chromium. */
const TARGET = 'es2024';

const scripts = (mode: BuildMode, name: string, entry: string, target: Configuration['target']): Configuration => ({
  name,
  mode,
  ...(target === undefined ? {} : { target }),
  context: ROOT,
  entry: { [name]: join(ELECTRON, entry) },
  devtool: 'source-map',
  output: { path: DESKTOP_BUILD_DIR, filename: '[name].cjs', library: { type: 'commonjs2' } },
  resolve: { extensions: ['.ts', '.js', '.json'] },
  module: {
    rules: [
      { test: /\.ts$/, exclude: /node_modules/, loader: 'esbuild-loader', options: { target: TARGET } },
      // Packages that say they are modules may still leave out extensions.
      { test: /\.m?js$/, resolve: { fullySpecified: false } },
    ],
  },
  // The folder that a bundle lies in when it runs, not the one that its sources came from.
  node: { __dirname: false, __filename: false },
  // Readable stacks in logs are worth more than a few kilobytes on a disk.
  optimization: { minimize: false },
  performance: { hints: false },
});

/** The main process, in one file. */
export const mainConfig = (mode: BuildMode): Configuration => scripts(mode, 'main', 'main.ts', 'electron-main');

/** What every page runs first, sandboxed: it may require nothing but Electron's own. */
export const preloadConfig = (mode: BuildMode): Configuration =>
  scripts(mode, 'preload', 'preload.ts', 'electron-preload');

/** The app's own page about the server, built as the web app is. */
export function serverPageConfig(mode: BuildMode): Configuration {
  const basis = rendererBasis(mode);
  return {
    ...basis,
    name: 'server-page',
    entry: {
      theme: join(ROOT, 'renderer', 'app', 'apply-theme-early.ts'),
      page: join(ROOT, 'renderer', 'desktop', 'server-page', 'entry.tsx'),
    },
    output: {
      ...basis.output,
      path: join(DESKTOP_BUILD_DIR, 'server-page'),
      publicPath: '/',
      filename: '[name].js',
      clean: true,
    },
    plugins: [
      ...(basis.plugins ?? []),
      new MiniCssExtractPlugin({ filename: '[name].css' }),
      new HtmlWebpackPlugin({
        template: join(ROOT, 'renderer', 'desktop', 'server-page', 'index.html'),
        inject: false,
        minify: false,
      }),
    ],
    // It lies on the disk: terser's last few kilobytes took most of the build.
    optimization: { minimizer: [new EsbuildPlugin({ target: TARGET, css: true })] },
  };
}

/** Everything that the desktop app is made of, but the embedded server. */
export const desktopConfigs = (mode: BuildMode): Configuration[] => [
  mainConfig(mode),
  preloadConfig(mode),
  serverPageConfig(mode),
];
