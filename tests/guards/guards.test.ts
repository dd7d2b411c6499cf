import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { GUARDS } from './guards.ts';

test.each(GUARDS)('the guard against $name stands in $file once, and its tests are there', async (guard) => {
  const text = await readFile(join(PROJECT_DIR, guard.file), 'utf8');
  expect(text.split(guard.code)).toHaveLength(2);
  for (const file of guard.tests) await access(join(PROJECT_DIR, file));
});
