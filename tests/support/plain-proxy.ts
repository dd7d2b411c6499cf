import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findProgram } from './find-program.ts';

/** The installed nginx; undefined when there is none. */
export const NGINX = findProgram(['nginx'], ['/usr/sbin', '/usr/local/sbin']);

/**
 * A reverse proxy in front of `upstream` that is set up with nothing but its address: it adds no forwarding header and
 * asks the server under the server's own name, as nginx's bare `proxy_pass` does. It ends with the test.
 *
 * @returns the origin that the world would use
 */
export async function startPlainProxy(upstream: string): Promise<string> {
  const { host } = new URL(upstream);
  const forward = (incoming: IncomingMessage, answer: ServerResponse) => {
    const headers = { ...incoming.headers, host };
    const outgoing = request(upstream + incoming.url, { method: incoming.method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    incoming.pipe(outgoing);
  };
  const proxy = createServer(forward).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

/** The real nginx with a bare `proxy_pass` to `upstream`. It ends with the test. */
export async function startNginx(upstream: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-nginx-'));
  const port = await freePort();
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
     http { access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
       uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
       server { listen 127.0.0.1:${port}; location / { proxy_pass ${upstream}; } } }`,
  );
  const nginx = spawn(NGINX ?? 'nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const ended = once(nginx, 'exit');
  onTestFinished(async () => {
    nginx.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  while (!(await isListening(port))) await new Promise((resolve) => setTimeout(resolve, 10));
  return `http://127.0.0.1:${port}`;
}

/** A port that nothing listens on right now. */
export async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * A free port for a server that starts later, or more than once. It is below those that systems give to outgoing connections,
 * one of which could take it meanwhile.
 */
export async function freePortForLater(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const server = createTcpServer().listen(port, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return freePortForLater();
  server.close();
  await once(server, 'close');
  return port;
}

/** Whether something takes connections there. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
