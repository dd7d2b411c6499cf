import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { findProgram, orRequired } from './find-program.ts';

afterEach(() => vi.unstubAllEnvs());

async function folderWith(program: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-programs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, program), '');
  await chmod(join(folder, program), 0o755);
  return folder;
}

test('a program is the first of its names; what is missing is nothing', async () => {
  vi.stubEnv('TESTS_REQUIRE', '');
  const folder = await folderWith('second-choice');
  expect(findProgram(['first-choice', 'second-choice'], [folder])).toBe(join(folder, 'second-choice'));
  expect(findProgram(['first-choice'], [folder])).toBeUndefined();
});

test('what is required is found under that name, or is an error', async () => {
  vi.stubEnv('TESTS_REQUIRE', 'other, first-choice,galera');
  const folder = await folderWith('second-choice');
  const sentence = 'first-choice is not here, and TESTS_REQUIRE names it.';
  expect(() => findProgram(['first-choice'], [folder])).toThrow(sentence);
  expect(() => findProgram(['first-choice', 'second-choice'], [folder])).toThrow(sentence);
  expect(findProgram(['second-choice'], [folder])).toBe(join(folder, 'second-choice'));
  expect(() => orRequired('galera', undefined)).toThrow('galera');
  expect(orRequired('galera', 'there')).toBe('there');
});
