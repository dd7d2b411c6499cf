import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serveWebBuild } from './web-build.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let folder: string;
let server: TestServer;
let builds = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alertdesk-web-'));
  server = await startTestServer({}, { webApp: serveWebBuild(folder) });
});
afterEach(async () => {
  await server.destroy();
  await rm(folder, { recursive: true });
});

async function build(page: string, asset: string): Promise<void> {
  await rm(join(folder, 'assets'), { recursive: true, force: true });
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(join(folder, 'assets', asset), 'plain');
  await writeFile(join(folder, 'assets', `${asset}.gz`), gzipSync('compressed'));
  // Two builds of one second differ all the same.
  builds += 1;
  await utimes(join(folder, 'index.html'), 1_763_700_000 + builds, 1_763_700_000 + builds);
}

const get = (path: string, headers: Record<string, string> = {}) => server.anonymous().get(path, headers);

test('without a build it says what to do', async () => {
  const response = await get('/');
  expect(response.status).toBe(404);
  expect(await response.text()).toMatch(/npm run build/);
});

test('every path without a file is the app, checked each time; hashed assets are kept for a year', async () => {
  await build('<p>page</p>', 'main.1a2b.js');
  for (const path of ['/', '/my-alerts', '/folder/01a1fce3']) {
    const response = await get(path);
    expect(await response.text()).toBe('<p>page</p>');
    expect(response.headers.get('Cache-Control')).toBe('no-cache');
    expect(response.headers.get('Content-Security-Policy')).toMatch(/default-src 'self'/);
  }
  const asset = await get('/assets/main.1a2b.js', { 'Accept-Encoding': 'gzip' });
  expect(await asset.text()).toBe('compressed');
  expect(asset.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
});

test.each(['/assets/gone.js', '/assets/', '/favicon.gone.ico'])('%s is 404, not the app', async (path) => {
  await build('<p>page</p>', 'main.1a2b.js');
  expect((await get(path)).status).toBe(404);
});

test('a new build is served at once, whole', async () => {
  await build('<p>first</p>', 'main.1111.js');
  await (await get('/')).text();
  await build('<p>a second one, which is longer</p>', 'main.2222.js');
  expect(await (await get('/')).text()).toBe('<p>a second one, which is longer</p>');
  expect((await get('/assets/main.2222.js')).status).toBe(200);
  expect((await get('/assets/main.1111.js')).status).toBe(404);
});

test('nothing can be posted to it', async () => {
  await build('<p>page</p>', 'main.1a2b.js');
  expect((await server.anonymous().send('POST', '/my-alerts', {})).status).toBe(404);
});
