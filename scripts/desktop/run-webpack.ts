import webpack, { type Configuration } from 'webpack';

const ERRORS_ONLY = { all: false, errors: true, errorsCount: true, moduleTrace: true, colors: false };

/**
 * Builds one bundle.
 *
 * @throws {Error} with readable errors when it could not be built.
 */
export async function runWebpack(config: Configuration): Promise<void> {
  const compiler = webpack(config);
  if (!compiler) throw new Error(`webpack refused the configuration ${config.name ?? ''}.`);
  await new Promise<void>((resolve, reject) => {
    compiler.run((failure, stats) => {
      compiler.close(() => {
        if (failure) reject(failure);
        else if (stats?.hasErrors() === true) reject(new Error(stats.toString(ERRORS_ONLY)));
        else resolve();
      });
    });
  });
}
