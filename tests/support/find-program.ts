import { accessSync, constants, statSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

const EXTENSIONS = process.platform === 'win32' ? ['.exe', ''] : [''];

/** True when `path` is a file that may be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * What tests must find here, named in `TESTS_REQUIRE` and separated by commas: programs, `galera` (its library),
 * `small-disk` (the right to mount one) and `electron`. Tests that miss it fail there, and are skipped elsewhere.
 */
const isRequired = (name: string): boolean => (process.env['TESTS_REQUIRE'] ?? '').split(/[\s,]+/).includes(name);

/**
 * What was found, which decides whether a test runs.
 *
 * @throws {Error} when it was not found, and `TESTS_REQUIRE` names it
 */
export function orRequired<T>(name: string, found: T | undefined): T | undefined {
  if (found === undefined && isRequired(name)) throw new Error(`${name} is not here, and TESTS_REQUIRE names it.`);
  return found;
}

/**
 * First program of one of these names in PATH or, after it, in the other folders; undefined when there is none.
 *
 * @throws {Error} when `TESTS_REQUIRE` names one of them, and it is not that one
 */
export function findProgram(names: readonly string[], folders: readonly string[] = []): string | undefined {
  const places = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), ...folders];
  const found = names
    .flatMap((name) => places.flatMap((place) => EXTENSIONS.map((extension) => join(place, name + extension))))
    .find(isProgram);
  const isNamed = (name: string) => found !== undefined && basename(found, '.exe') === name;
  for (const name of names) orRequired(name, isNamed(name) ? found : undefined);
  return found;
}
