/**
 * What tests give to Node to run the product in a process of its own. `npm test` builds the server first and sets
 * `TEST_BUILT=1`: then it is the built one, as `npm start` runs it, which starts in two thirds of the processor time. By
 * hand it is the sources, so that a change needs no build.
 */
import { join } from 'node:path';
import { PROJECT_DIR, SERVER_DIR } from '#scripts/ensure-web-build.ts';

const isBuilt = process.env['TEST_BUILT'] === '1';

/** The command line, before the name of a command. */
export const COMMAND_LINE = isBuilt
  ? join(SERVER_DIR, 'backend', 'alertdesk.mjs')
  : join(PROJECT_DIR, 'scripts', 'alertdesk.ts');

/** The server. */
export const SERVE: readonly string[] = isBuilt ? [COMMAND_LINE, 'serve'] : [join(PROJECT_DIR, 'backend', 'main.ts')];

/** The server that the desktop app embeds. */
export const EMBEDDED = isBuilt
  ? join(SERVER_DIR, 'backend', 'embedded.mjs')
  : join(PROJECT_DIR, 'backend', 'embedded.ts');
