import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

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

/** First program of one of these names in PATH or, after it, in the other folders; undefined when there is none. */
export function findProgram(names: readonly string[], folders: readonly string[] = []): string | undefined {
  const places = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), ...folders];
  return names
    .flatMap((name) => places.flatMap((place) => EXTENSIONS.map((extension) => join(place, name + extension))))
    .find(isProgram);
}
