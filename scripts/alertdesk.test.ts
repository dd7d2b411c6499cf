import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { COMMAND_LINE } from '#tests/support/product-commands.ts';
import { PROJECT_DIR } from './ensure-web-build.ts';

test('docs/operations.md lists every command, in the order in which the command line does', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND_LINE]);
  const calls = [...stdout.matchAll(/^npm (?:run )?(\S+) /gm)].map(([, name]) => name);
  const commands = calls.map((name) => (name === 'start' ? 'serve' : name));
  const page = await readFile(join(PROJECT_DIR, 'docs/operations.md'), 'utf8');
  const [, list = ''] = /without more lists them: ([^.]*)\./.exec(page) ?? [];
  expect([...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(commands);
});
