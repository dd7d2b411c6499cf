import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * SHA-256 over the names and contents of files and folders, so that a fresh checkout or a touched file alone changes
 * nothing. Tests (`*.test.ts`, `*.test.tsx`) do not count; a name that does not exist counts as absent.
 *
 * @param root folder that the names are relative to
 * @param names files and folders, in an order that is part of the hash
 */
export async function hashFiles(root: string, names: readonly string[]): Promise<string> {
  const files = (await Promise.all(names.map((name) => listFiles(root, name)))).flat();
  const contents = await Promise.all(files.map((file) => readFile(join(root, file)).catch(() => undefined)));
  const hash = createHash('sha256');
  for (const [index, file] of files.entries()) {
    const content = contents[index];
    hash.update(`${file.split(sep).join('/')}\0${content?.length ?? 'absent'}\0`);
    if (content) hash.update(content);
  }
  return hash.digest('hex');
}

async function listFiles(root: string, name: string): Promise<string[]> {
  const entries = await readdir(join(root, name), { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (!entries) return [name];
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath.slice(root.length + 1), entry.name))
    .sort();
}
