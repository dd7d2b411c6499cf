import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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

test.each(['', 'no JSON', '[]', 'null', '"text"'])('a file that holds %j is an empty memory', async (content) => {
  const file = await memoryFile();
  await writeFile(file, content);
  expect(openStore(file, never).get()).toMatchObject({ server: null, port: null, isShared: false });
});

test('a part that cannot be read is forgotten, the others are kept', async () => {
  const file = await memoryFile();
  await writeFile(
    file,
    JSON.stringify({ port: 99_999, isShared: true, server: { kind: 'team-server', url: 'http://evil' } }),
  );
  expect(openStore(file, never).get()).toMatchObject({ port: null, isShared: true, server: null });
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
