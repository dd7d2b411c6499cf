import process from 'node:process';
import { StartError } from './start-error.ts';

/**
 * Takes variables from `.env` in the working directory; what the environment sets already stands.
 *
 * @throws {StartError} when the file is there and cannot be read.
 */
export function readDotEnv(): void {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new StartError(`The file .env cannot be read (${(error as Error).message}).`, { cause: error });
    }
  }
}
