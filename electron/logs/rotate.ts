import { renameSync, rmSync } from 'node:fs';
import { join, parse } from 'node:path';

/** What a file is renamed to: `main.log` → `main.1.log` → `main.2.log` …; the last of `count` is dropped. */
export function rotation(file: string, count: number): { drop: string; moves: [from: string, to: string][] } {
  const { dir, name, ext } = parse(file);
  const old = (age: number) => (age === 0 ? file : join(dir, `${name}.${age}${ext}`));
  const ages = Array.from({ length: count }, (_, index) => count - 1 - index);
  return { drop: old(count), moves: ages.map((age) => [old(age), old(age + 1)]) };
}

/** Makes room for a new file at `file`, and keeps the `count` before it. */
export function rotate(file: string, count: number): void {
  const { drop, moves } = rotation(file, count);
  rmSync(drop, { force: true });
  for (const [from, to] of moves) {
    try {
      renameSync(from, to);
    } catch (error) {
      // There are not that many yet.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
