import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';

const PACKAGE = join(PROJECT_DIR, 'node_modules', 'electron');

/** Path of Electron's binary where its package keeps it, or where ELECTRON_OVERRIDE_DIST_PATH says; undefined when it is not here. */
export function findElectron(): string | undefined {
  const pathFile = join(PACKAGE, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(PACKAGE, 'dist');
  const binary = join(folder, readFileSync(pathFile, 'utf8').trim());
  return existsSync(binary) ? binary : undefined;
}
