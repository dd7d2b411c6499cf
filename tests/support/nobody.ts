import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { COMMAND_LINE } from './product-commands.ts';

/** Another user than root, who owns nothing: nobody, on Debian and most others. */
export const NOBODY = { uid: 65_534, gid: 65_534 };

/** Whether this process may run the product as {@link NOBODY}: it is root, and Node and the project lie where everybody may look. */
export function canRunAsNobody(): boolean {
  if (process.getuid?.() !== 0) return false;
  const read = 'require("node:fs").accessSync(process.argv[1])';
  return spawnSync(process.execPath, ['-e', read, COMMAND_LINE], { ...NOBODY, cwd: '/' }).status === 0;
}
