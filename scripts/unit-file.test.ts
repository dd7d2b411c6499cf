import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { parseEnv } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { PROJECT_DIR } from './ensure-web-build.ts';

const read = (path: string) => readFile(join(PROJECT_DIR, path), 'utf8');

let unit: string;
let image: string;
let compose: string;
let page: string;
beforeAll(async () => {
  [unit, image, compose, page] = await Promise.all([
    read('deploy/alertdesk.service'),
    read('deploy/Containerfile'),
    read('deploy/compose.yaml'),
    read('docs/operations.md'),
  ]);
});

/** The words of a setting, such as `StateDirectory`, wherever a text sets it. */
const wordsOf = (text: string, setting: string): string[] =>
  [...text.matchAll(new RegExp(String.raw`^\s*${setting}=(.*)$`, 'gm'))].flatMap(([, words = '']) => words.split(' '));

test('what the page adds to the unit for port 25 is within the bounds that it sets', () => {
  const added = wordsOf(page, 'AmbientCapabilities');
  expect(added).toEqual(['CAP_NET_BIND_SERVICE']);
  expect([...wordsOf(unit, 'CapabilityBoundingSet'), ...wordsOf(page, 'CapabilityBoundingSet')]).toEqual(
    expect.arrayContaining(added),
  );
  // Without new privileges, capabilities of files do not count.
  expect(unit).toContain('NoNewPrivileges=yes');
  expect(page).not.toContain('setcap');
});

test('the folders of the page can be written by the unit and by the image', () => {
  const folders = [...new Set(page.match(/\/var\/lib\/alertdesk[\w-]*/g))];
  expect(folders).toEqual(expect.arrayContaining(['/var/lib/alertdesk', '/var/lib/alertdesk-archive']));
  const writable = wordsOf(unit, 'StateDirectory').map((name) => `/var/lib/${name}`);
  const [, made = ''] = /install -d -o node \S+ \S+ -m 0700 (.*)/.exec(image) ?? [];
  const [, volumes = ''] = /^VOLUME (.*)/m.exec(image) ?? [];
  for (const folder of folders) {
    expect([writable, made.split(' '), volumes.split(' ')]).toEqual(
      [0, 1, 2].map(() => expect.arrayContaining([folder]) as unknown),
    );
  }
});

test('the servers of compose.yaml keep the archive in a volume with a name', () => {
  const [, servers = '', volumes = ''] = /^x-alertdesk:(.*)^services:.*^volumes:(.*)/ms.exec(compose) ?? [];
  expect(servers).toMatch(/^ {2}volumes:\n {4}- archive:\/var\/lib\/alertdesk-archive$/m);
  expect(volumes).toMatch(/^ {2}archive:$/m);
});

test('the .env of compose.yaml, written as it says, has every variable that it asks for', () => {
  const [, lines = ''] = /`\.env` with\n(.*?)^# then run/ms.exec(compose) ?? [];
  const variables = parseEnv(lines.replaceAll(/^# +/gm, ''));
  expect(new Set(Object.values(variables))).toEqual(new Set(['alerts.example.com', '…']));
  const asked = [...compose.matchAll(/\$\{([A-Z_]+):\?\}/g)].map(([, name]) => name);
  expect(new Set(Object.keys(variables))).toEqual(new Set(asked));
});

/** The exit code of the image's health check beside a server that answers so. */
async function checkHealth(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const [, command = '[]'] = /HEALTHCHECK[^[]*(\[.*\])$/m.exec(image) ?? [];
  const [, ...args] = JSON.parse(command) as string[];
  const { port } = server.address() as AddressInfo;
  const check = spawn(process.execPath, args, { env: { ...process.env, PORT: String(port) } });
  const [code] = (await once(check, 'exit')) as [number];
  return code;
}

test('the image’s health check asks the server where PORT says that it listens', async () => {
  const asked: (string | undefined)[] = [];
  const isAlive = await checkHealth((request, response) => {
    asked.push(request.url);
    response.end();
  });
  expect([isAlive, asked]).toEqual([0, ['/healthz']]);
  expect(await checkHealth((_request, response) => response.writeHead(500).end())).toBe(1);
});

test('the image’s health check passes beside a server that ALLOWED_HOSTS has answer to its public name alone', async () => {
  expect(await checkHealth((_request, response) => response.writeHead(421).end())).toBe(0);
});
