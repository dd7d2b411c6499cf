import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseEnv } from 'node:util';
import { StartError } from '#backend/platform/logger/start-error.ts';

/**
 * Takes variables from a file of lines such as `PORT=4400`; what the environment sets already stands. Without the file
 * nothing happens.
 *
 * @param advice what to do when it cannot be read, as the end of a sentence
 * @throws {StartError} when the file is there and cannot be read. Not by `process.loadEnvFile`, which reports every failure
 * as a missing file.
 */
export function readEnvFile(file: string, advice = ''): void {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new StartError(`The file ${file} cannot be read (${(error as Error).message})${advice}.`, { cause: error });
  }
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
}

/** Takes variables from `.env` in the working directory. @throws {StartError} see {@link readEnvFile} */
export const readDotEnv = (): void => readEnvFile('.env');
