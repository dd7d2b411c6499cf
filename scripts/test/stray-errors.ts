import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError } from 'vitest/node';
import { describeTest } from './counts.ts';

/** Names the file that {@link StrayErrors} writes. */
export const STRAY_ERRORS_FILE = 'STRAY_ERRORS_FILE';

/**
 * Writes what was thrown outside of every test, as a promise that nobody waited for, into the file that the environment names:
 * an array of sentences. Vitest then ends with 1 although no test failed, and its JSON report says nothing of it.
 */
/* oxlint-disable-next-line import/no-default-export -- Vitest takes a reporter from there. */
export default class StrayErrors implements Reporter {
  onTestRunEnd(_modules: unknown, errors: readonly SerializedError[]): void {
    const file = process.env[STRAY_ERRORS_FILE];
    if (file !== undefined) writeFileSync(file, JSON.stringify(errors.map(describeStray)));
  }
}

/** The file and, where it is known, the test during which it was thrown, its first line, and where in the code. */
function describeStray(error: SerializedError): string {
  const { message, stack, VITEST_TEST_PATH: path, VITEST_TEST_NAME: name } = error;
  const [, at = ''] = /\n\s+at (.*)/.exec(stack ?? '') ?? [];
  const during = [name ?? []].flat().map(String);
  return `${describeTest(String(path ?? 'outside of every file'), during, message)} (${at})`;
}
