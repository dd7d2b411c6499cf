import fs from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from './store.ts';

async function memoryFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-store-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'desktop.json');
}

const never = (error: unknown) => expect.unreachable(String(error));

test('what was changed is there at the next start', async () => {
  const file = await memoryFile();
  openStore(file, never).change({ port: 4711, server: { kind: 'team-server', url: 'https://alerts.example.com' } });
  const { port, server, isShared } = openStore(file, never).get();
  expect({ port, server, isShared }).toEqual({
    port: 4711,
    server: { kind: 'team-server', url: 'https://alerts.example.com' },
    isShared: false,
  });
});

test('a file that is not there is an empty memory', async () => {
  expect(openStore(await memoryFile(), never).get()).toMatchObject({ server: null, port: null, isShared: false });
});

test.each(['', 'no JSON', '[]', 'null', '"text"', '{ "port": 4711, }'])(
  'a file with %j is an empty memory, which is reported, and what was in it stays beside it',
  async (content) => {
    const file = await memoryFile();
    await writeFile(file, content);
    const errors: unknown[] = [];
    const store = openStore(file, (error) => errors.push(error));
    expect(store.get()).toMatchObject({ server: null, port: null, isShared: false });
    expect(errors).toHaveLength(1);
    store.change({ isShared: true });
    expect(await readFile(`${file}.damaged`, 'utf8')).toBe(content);
    expect(openStore(file, never).get().isShared).toBe(true);
  },
);

test('an editor may begin the file with a byte order mark', async () => {
  const file = await memoryFile();
  await writeFile(file, `\uFEFF${JSON.stringify({ pinnedCertificates: { 'alerts.example.com': 'sha256/x' } })}`);
  expect(openStore(file, never).get().pinnedCertificates).toEqual({ 'alerts.example.com': 'sha256/x' });
});

test('a part that cannot be read is forgotten, the others are kept', async () => {
  const file = await memoryFile();
  await writeFile(
    file,
    JSON.stringify({ port: 99_999, isShared: true, server: { kind: 'team-server', url: 'http://evil' } }),
  );
  expect(openStore(file, never).get()).toMatchObject({ port: null, isShared: true, server: null });
});

test('what was changed is on the disk before it takes the place of what was there', async () => {
  const file = await memoryFile();
  await writeFile(file, '{}');
  const flushed: [string, string][] = [];
  const flush = vi.spyOn(fs, 'fsyncSync').mockImplementation(() => {
    flushed.push([fs.readFileSync(`${file}.new`, 'utf8'), fs.readFileSync(file, 'utf8')]);
  });
  onTestFinished(() => flush.mockRestore());
  openStore(file, never).change({ port: 4711 });
  // Else a power cut leaves the new name with nothing behind it.
  expect(flushed).toEqual([[expect.stringContaining('4711') as string, '{}']]);
});

test('a memory that cannot be written is reported, and the app goes on with it', async () => {
  const file = await memoryFile();
  await writeFile(file, '{}');
  const errors: unknown[] = [];
  const store = openStore(join(file, 'below-a-file.json'), (error) => errors.push(error));
  store.change({ port: 4711 });
  expect(errors).toHaveLength(1);
  expect(store.get().port).toBe(4711);
  expect(await readFile(file, 'utf8')).toBe('{}');
});
