import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readEnvFile } from './read-dot-env.ts';

/** Reads a file with these lines. What it sets ends with the test. */
async function readLines(...lines: string[]): Promise<Record<string, string | undefined>> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-env-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'alertdesk.env');
  await writeFile(file, `${lines.join('\n')}\n`);
  for (const name of ['PASSWORD_OF_TEST', 'TOKEN_OF_TEST']) vi.stubEnv(name, undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  readEnvFile(file);
  return { password: process.env['PASSWORD_OF_TEST'], token: process.env['TOKEN_OF_TEST'] };
}

test.each([
  'PASSWORD_OF_TEST=Sommer2026#Bad',
  'PASSWORD_OF_TEST=#Sommer2026',
  'PASSWORD_OF_TEST = Sommer#2026 # its comment',
])('a value that a # cuts is refused, and not shown: %s', async (line) => {
  await expect(readLines('TOKEN_OF_TEST=1', line)).rejects.toThrow(
    /alertdesk\.env has a # in the value of PASSWORD_OF_TEST, .* quotes/u,
  );
  await expect(readLines(line)).rejects.not.toThrow(/Sommer/u);
});

test('a # in quotes is part of the value, one after a blank begins a comment, and comments have any', async () => {
  const read = await readLines(
    '## Settings#of=the test',
    'PASSWORD_OF_TEST="Sommer2026#Bad" # in quotes, see page#2',
    "TOKEN_OF_TEST='a#b'",
  );
  expect(read).toEqual({ password: 'Sommer2026#Bad', token: 'a#b' });
  expect(await readLines('PASSWORD_OF_TEST=plain # as page#2 says', '#TOKEN_OF_TEST=a#b')).toEqual({
    password: 'plain',
    token: undefined,
  });
});
