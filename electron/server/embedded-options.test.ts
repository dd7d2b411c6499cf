import { join } from 'node:path';
import { expect, test } from 'vitest';
import { embeddedEntry } from './embedded-options.ts';

test('the embedded server lies beside the bundle, and outside of the archive', () => {
  const end = join('server', 'backend', 'embedded.mjs');
  expect(embeddedEntry(join('/project', 'dist', 'desktop'))).toBe(join('/project', 'dist', 'desktop', end));
  expect(embeddedEntry(join('/opt/Alertdesk/resources/app.asar', 'dist', 'desktop'))).toBe(
    join('/opt/Alertdesk/resources/app.asar.unpacked', 'dist', 'desktop', end),
  );
});
