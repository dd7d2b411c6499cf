import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { REACT_DOM_CUTS } from './react-dom-cuts.ts';

const REACT_DOM = join(PROJECT_DIR, 'node_modules', 'react-dom', 'cjs', 'react-dom-client.production.js');

const Findings = z.object({ diagnostics: z.array(z.object({ code: z.string(), message: z.string() })) });

/** The names that a script uses and does not declare, as the linter finds them; what it cannot read is one of them. */
async function undeclaredIn(source: string): Promise<Set<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-cuts-'));
  try {
    await writeFile(join(folder, 'script.js'), source);
    const program = join(PROJECT_DIR, 'node_modules', 'oxlint', 'bin', 'oxlint');
    const args = [program, '--allow=all', '--deny=no-undef', '--format=json', 'script.js'];
    // It ends with 1 when it finds something.
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 24 }, (_error, stdout) => resolve(stdout));
    });
    return new Set(Findings.parse(JSON.parse(output)).diagnostics.map(({ message }) => message));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('what is left of React declares all that it names, so that no cut took a variable away from another part', async () => {
  const whole = await readFile(REACT_DOM, 'utf8');
  const cut = REACT_DOM_CUTS.cuts.reduce((text, { find, replace }) => text.replaceAll(find, replace), whole);
  expect(cut.length).toBeLessThan(whole.length);
  const [before, after] = await Promise.all([undeclaredIn(whole), undeclaredIn(cut)]);
  expect(before.size).toBeGreaterThan(0);
  expect([...after].filter((name) => !before.has(name))).toEqual([]);
});
