import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { StartError } from '#backend/platform/logger/start-error.ts';

/** A key of 256 bits: in hexadecimal, or in base64 of either alphabet. */
const KEY = /^(?:[\da-f]{64}|[\w-]{43}|[A-Za-z\d+/]{43}=)$/i;
const ALLOWED = 'keys of 32 bytes in base64 or hexadecimal, the newest first, separated by commas or spaces';

const isKeys = (value: string): boolean => wordsOf(value).length > 0 && wordsOf(value).every((word) => KEY.test(word));
const wordsOf = (value: string): string[] => value.split(/[\s,]+/).filter((word) => word !== '');

/** Settings with what is allowed, for `readConfig`. */
export const secretsVariables = {
  SECRETS_KEY: [z.string().refine(isKeys), ALLOWED, undefined],
  SECRETS_KEY_FILE: [z.string().min(1), 'a path', undefined],
} as const;

/**
 * The keys outside the database, in base64url, the newest first; none where the key is kept with the other secrets.
 *
 * @throws {StartError} when both variables are set, or the file is not what it is to be; its content is not shown
 */
export function readSecretsKeys(keys: string | undefined, file: string | undefined): string[] {
  if (keys !== undefined && file !== undefined) {
    throw new StartError(
      'The environment variables SECRETS_KEY and SECRETS_KEY_FILE are both set: leave out one of them.',
    );
  }
  return wordsOf(keys ?? (file === undefined ? '' : readKeysFile(file))).map((word) =>
    Buffer.from(word, word.length === 64 ? 'hex' : 'base64').toString('base64url'),
  );
}

function readKeysFile(file: string): string {
  const named = `The file ${file} that SECRETS_KEY_FILE names`;
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${named} cannot be read (${(error as NodeJS.ErrnoException).code}).`, { cause: error });
  }
  if (!isKeys(content)) throw new StartError(`${named} is to hold ${ALLOWED}.`);
  return content;
}
