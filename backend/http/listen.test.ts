import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import websockify from 'koa-websocket';
import { expect, test } from 'vitest';
import { HTTP_LIMITS } from './http-server.ts';
import { listen } from './listen.ts';

/** More than Node lets wait by default (511), fewer than Linux does by default (4,096). */
const CONNECTIONS = 1_000;

/** Connects so often and writes how many were taken within a second: the first attempt, without those that follow. */
const CONNECT = `
  let taken = 0;
  const { connect } = require('node:net');
  for (let count = 0; count < ${CONNECTIONS}; count += 1) connect(Number(process.argv[1]), '127.0.0.1', () => (taken += 1)).on('error', () => {});
  setTimeout(() => { console.log(taken); process.exit(); }, 900);
`;

const readMost = (): number => {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 0;
  }
};

test.runIf(readMost() > CONNECTIONS)('a thousand connections wait while the server is busy', async () => {
  const app = websockify(new Koa());
  const sockets = { path: '/ws' };
  const server = await listen(app, app.callback(), { host: '127.0.0.1', port: 0 }, sockets, HTTP_LIMITS);
  try {
    const { port } = server.address() as AddressInfo;
    // This process does nothing else until the other one ends.
    expect(Number(execFileSync(process.execPath, ['-e', CONNECT, String(port)]))).toBe(CONNECTIONS);
  } finally {
    app.ws.server?.close();
    server.closeAllConnections();
    server.close();
  }
});
