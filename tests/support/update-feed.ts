import { readFile, writeFile } from 'node:fs/promises';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buildBlockMap } from 'app-builder-lib/out/targets/blockmap/blockmap.js';

/** A releases page on this machine, as the updater's generic provider reads it. */
export interface UpdateFeed {
  url: string;
  /** What was asked for, in order. */
  requests: string[];
  /** How many bytes of installers were sent. */
  sentBytes(): number;
  /** Offers a version on a channel: its installer, the blockmap beside it, and the file that names both. */
  offer(version: string, installer: Buffer, channel?: 'latest' | 'beta'): Promise<void>;
  /** Answers the installer of a version with something else than what its checksum is of. */
  tamper(version: string, installer: Buffer): void;
  /** Every answer has this status from now on. */
  breakWith(status: number): void;
  /** Answers nothing until the returned function is called. */
  delay(): () => void;
  close(): Promise<void>;
}

/** Starts one in `folder`, with nothing on offer. */
export async function startUpdateFeed(folder: string): Promise<UpdateFeed> {
  const files = new Map<string, Buffer>();
  const requests: string[] = [];
  let brokenWith: number | undefined;
  let sentBytes = 0;
  let delayed: Promise<void> | undefined;
  const answer = (path: string, request: IncomingMessage, response: ServerResponse): void => {
    // The file is named after the system, and tests run on any.
    const file = files.get(path.replace(/^(latest|beta)-\w+(?:-\w+)?\.yml$/, '$1.yml'));
    const status = brokenWith ?? (file ? 200 : 404);
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (status !== 200 || !file) {
      response.writeHead(status).end();
      return;
    }
    const part = from === undefined ? file : file.subarray(Number(from), Number(to) + 1);
    if (path.endsWith('.exe')) sentBytes += part.length;
    const range = from === undefined ? {} : { 'content-range': `bytes ${from}-${to}/${file.length}` };
    response.writeHead(from === undefined ? 200 : 206, { ...range, 'content-length': part.length }).end(part);
  };
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://feed').pathname.slice(1);
    requests.push(path);
    if (delayed) void delayed.then(() => answer(path, request, response));
    else answer(path, request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    sentBytes: () => sentBytes,
    async offer(version, installer, channel = 'latest') {
      const name = `Alertdesk-Setup-${version}.exe`;
      const path = join(folder, name);
      await writeFile(path, installer);
      const { sha512, size } = await buildBlockMap(path, 'gzip', `${path}.blockmap`);
      files.set(name, installer);
      files.set(`${name}.blockmap`, await readFile(`${path}.blockmap`));
      const info = updateInfo(version, name, sha512, size);
      await writeFile(join(folder, `${channel}.yml`), info);
      files.set(`${channel}.yml`, Buffer.from(info));
    },
    tamper: (version, installer) => void files.set(`Alertdesk-Setup-${version}.exe`, installer),
    breakWith(status) {
      brokenWith = status;
    },
    delay() {
      const { promise, resolve } = Promise.withResolvers<void>();
      delayed = promise;
      return () => {
        delayed = undefined;
        resolve();
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What electron-builder writes as `latest.yml`. */
const updateInfo = (version: string, name: string, sha512: string, size = 0): string => `version: ${version}
files:
  - url: ${name}
    sha512: ${sha512}
    size: ${size}
path: ${name}
sha512: ${sha512}
releaseDate: '2025-10-01T00:00:00.000Z'
`;
