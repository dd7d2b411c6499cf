import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import Koa from 'koa';
import websockify from 'koa-websocket';
import { expect, onTestFinished, test } from 'vitest';
import { HTTP_LIMITS } from './http-server.ts';
import { createRequestGate, listen, stopListening } from './listen.ts';

/** More than Node lets wait by default (511), fewer than Linux does by default (4,096). */
const CONNECTIONS = 1_000;

/** Connects so often and writes how many were taken within a second: the first attempt, without those that follow. */
const CONNECT = `
  let taken = 0;
  const { connect } = require('node:net');
  for (let count = 0; count < ${CONNECTIONS}; count += 1) connect(Number(process.argv[1]), '127.0.0.1', () => (taken += 1)).on('error', () => {});
  // What is due comes before what was taken meanwhile; an immediate comes after it.
  setTimeout(() => setImmediate(() => { console.log(taken); process.exit(); }), 900);
`;

/** Starts a server on a port of its own, which ends with the test. */
async function startServer(port = 0) {
  const app = websockify(new Koa());
  const { server, others } = await listen(
    app,
    app.callback(),
    { host: '127.0.0.1', port },
    { path: '/ws' },
    HTTP_LIMITS,
  );
  onTestFinished(() => {
    app.ws.server?.close();
    server.closeAllConnections();
    for (const one of [server, ...others]) one.close();
  });
  return { server, port: (server.address() as AddressInfo).port };
}

const readMost = (): number => {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 0;
  }
};

test.runIf(readMost() > CONNECTIONS)('a thousand connections wait while the server is busy', async () => {
  const { port } = await startServer();
  // This process does nothing else until the other one ends.
  expect(Number(execFileSync(process.execPath, ['-e', CONNECT, String(port)]))).toBe(CONNECTIONS);
});

test.runIf(process.platform === 'linux')('a turn of the event loop accepts many connections', async () => {
  const { server, port } = await startServer();
  let accepted = 0;
  server.on('connection', () => (accepted += 1));
  const clients = Array.from({ length: 200 }, () => connect(port, '127.0.0.1'));
  onTestFinished(() => {
    for (const client of clients) client.destroy();
  });
  let turns = 0;
  for (; accepted < clients.length; turns += 1) await setImmediate();
  // One in each turn would take 200; the system shares them out among 64 sockets by chance.
  expect(turns).toBeLessThan(100);
});

test('a port on which another server of the same kind listens is refused', async () => {
  const { port } = await startServer();
  await expect(startServer(port)).rejects.toThrow(
    `Alertdesk cannot listen on 127.0.0.1:${port}: the port is occupied by another program. Set HOST or PORT.`,
  );
});

test('requests that wait for their turn are answered before a stop closes what is left', async () => {
  const app = websockify(new Koa());
  const waiting: ServerResponse[] = [];
  const gate = createRequestGate((_, response) => void waiting.push(response));
  const listening = await listen(app, gate.listener, { host: '127.0.0.1', port: 0 }, { path: '/ws' }, HTTP_LIMITS);
  const { port } = listening.server.address() as AddressInfo;
  const answers = [fetch(`http://127.0.0.1:${port}`), fetch(`http://127.0.0.1:${port}`)];
  await expect.poll(() => waiting.length).toBe(2);
  // Of eight seconds one is left.
  await stopListening(app, listening, gate, 7_000, () => {
    for (const response of waiting.splice(0)) response.writeHead(503, { Connection: 'close' }).end();
  });
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([503, 503]);
});
