import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseEnv } from 'node:util';
import { StartError } from '#backend/platform/logger/start-error.ts';

/** Stands for a `#` that no blank precedes: a character that no setting has. */
const MARK = '\u{E000}';

/**
 * Takes variables from a file of lines such as `PORT=4400`; what the environment sets already stands. Without the file
 * nothing happens.
 *
 * @param advice what to do when it cannot be read, as the end of a sentence
 * @throws {StartError} when the file is there and cannot be read, or a value is cut by a `#` that was meant to be part of it:
 * systemd reads the same file and does not cut it. Not by `process.loadEnvFile`, which reports every failure
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
  const marked = parseEnv(text.replaceAll(/(?<=\S)#/g, MARK));
  for (const [name, value = ''] of Object.entries(parseEnv(text))) {
    if (process.env[name] !== undefined) continue;
    if ((marked[name] ?? value).replaceAll(MARK, '#') !== value) {
      throw new StartError(
        `The file ${file} has a # in the value of ${name}, which ends the value there; put it in quotes, or a blank before a comment.`,
      );
    }
    process.env[name] = value;
  }
}

/** Takes variables from `.env` in the working directory. @throws {StartError} see {@link readEnvFile} */
export const readDotEnv = (): void => readEnvFile('.env');
