import { once } from 'node:events';
import { type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type RawConnection, openRawConnection } from '#tests/support/raw-connection.ts';
import { HTTP_LIMITS, type HttpLimits, createHttpServer } from './http-server.ts';

const HOUR_MS = 60 * 60_000;

/**
 * The limit that a test is about is short. The others come much later than a test may take, so a connection that is cut was cut
 * by that limit, however busy the machine is.
 */
const LIMITS: HttpLimits = { headersMs: 300, requestMs: HOUR_MS, unreadMs: HOUR_MS, checkMs: 50 };
const SHORT_MS = 700;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(listener: RequestListener, limits: Partial<HttpLimits> = {}): Promise<string> {
  const server = createHttpServer(listener, '/ws', { ...LIMITS, ...limits });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers with the method, the path, and the body. */
const echo: RequestListener = (request, response) => {
  let body = '';
  request
    .on('data', (data) => (body += String(data)))
    .on('end', () => {
      response.end(`${request.method} ${request.url} ${body}`);
    });
};

const echoPieces: RequestListener = async (request, response) => {
  let body = '';
  for await (const piece of request) body += String(piece);
  response.end(`${request.method} ${request.url} ${body}`);
};

async function ask(url: string, text: string): Promise<RawConnection> {
  const connection = await openRawConnection(url);
  connection.socket.write(text);
  return connection;
}

/** Answers without end; `response` is the first answer, once it waits for its client. */
function pour(): { listener: RequestListener; response: Promise<ServerResponse> } {
  const { promise: response, resolve } = Promise.withResolvers<ServerResponse>();
  const listener: RequestListener = (_request, answer) => {
    const more = () => {
      while (!answer.destroyed && answer.write('x'.repeat(64 * 1024)));
    };
    answer.on('drain', more);
    more();
    resolve(answer);
  };
  return { listener, response };
}

test('a connection is kept for the next request for longer than a proxy keeps it, and says so', async () => {
  const answer = await fetch(await serve(echo), { method: 'POST', body: 'x' });
  expect(answer.headers.get('keep-alive')).toBe('timeout=65');
});

test('in production: 10 s for headers, 30 s for requests and unread answers, each checked within 2 s', () => {
  expect(HTTP_LIMITS).toMatchObject({ headersMs: 10_000, requestMs: 30_000, unreadMs: 30_000 });
  expect(HTTP_LIMITS.checkMs).toBeLessThanOrEqual(1_000);
});

describe('an offered upgrade', () => {
  test.each([
    ['POST', '/webhook', 'h2c'],
    ['POST', '/webhook', 'websocket'],
    ['POST', '/ws', 'h2c'],
    ['GET', '/webhook', 'TLS/1.2'],
  ])('is ignored on %s %s to %s: the request is answered, body included', async (method, path, protocol) => {
    const connection = await ask(
      await serve(echo),
      `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\n` +
        'HTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Length: 5\r\n\r\nhello',
    );
    expect(await connection.receives(/hello$/)).toMatch(new RegExp(`^HTTP/1\\.1 200 [^]*${method} ${path} hello$`));
    // The connection goes on as one of HTTP/1.1.
    connection.socket.write('GET /next HTTP/1.1\r\nHost: a\r\n\r\n');
    await connection.receives(/GET \/next/);
    connection.socket.destroy();
  });

  test('is taken on /ws to WebSocket', async () => {
    const url = await serve(echo);
    servers[0]?.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
    const connection = await ask(
      url,
      'GET /ws?batch=1 HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n',
    );
    expect(await connection.receives(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 101 /);
  });
});

describe('a slow client', () => {
  test.each([
    ['nothing', ''],
    ['half of its headers', 'GET / HTTP/1.1\r\nHost: a\r\nX-'],
  ])('that sends %s is cut at the limit for headers', async (_what, text) => {
    const connection = await ask(await serve(echo), text);
    const after = await connection.closed();
    expect(connection.received()).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
    expect(after).toBeGreaterThanOrEqual(LIMITS.headersMs);
  });

  test('that drips its headers is cut at the same limit', async () => {
    const connection = await ask(await serve(echo), 'GET / HTTP/1.1\r\nHost: a\r\n');
    const drip = setInterval(() => connection.socket.write('X-A: b\r\n'), 50);
    const after = await connection.closed();
    clearInterval(drip);
    expect(after).toBeGreaterThanOrEqual(LIMITS.headersMs);
  });

  test('that drips its body is cut at the limit for requests', async () => {
    const url = await serve(echo, { requestMs: SHORT_MS });
    const connection = await ask(url, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n');
    const drip = setInterval(() => connection.socket.write('.'), 50);
    const after = await connection.closed();
    clearInterval(drip);
    expect(after).toBeGreaterThanOrEqual(SHORT_MS);
  });
});

describe('an answer', () => {
  test('that nobody reads is cut at the limit', async () => {
    const { listener, response } = pour();
    const connection = await openRawConnection(await serve(listener, { unreadMs: SHORT_MS }));
    connection.socket.pause();
    connection.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const answer = await response;
    const startedAt = performance.now();
    await once(answer, 'close');
    const after = performance.now() - startedAt;
    expect(after).toBeGreaterThanOrEqual(SHORT_MS - LIMITS.checkMs);
    connection.socket.destroy();
  });

  test('that is read slowly is not cut', async () => {
    const { listener, response } = pour();
    const unreadMs = 3_000;
    const connection = await openRawConnection(await serve(listener, { unreadMs }));
    const { socket } = connection;
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const answer = await response;
    const startedAt = performance.now();
    // Several reads within each limit, over more than two limits.
    for (let read = 0; performance.now() - startedAt < 2.5 * unreadMs; read += 1) {
      socket.resume();
      const before = answer.socket?.bytesWritten ?? 0;
      await expect.poll(() => answer.socket?.bytesWritten ?? 0, { interval: 5 }).toBeGreaterThan(before);
      socket.pause();
      await new Promise((resolve) => setTimeout(resolve, unreadMs / 3));
    }
    expect(answer.destroyed).toBe(false);
    socket.destroy();
    await once(answer, 'close');
  });
});

describe('Expect: 100-continue', () => {
  const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n';

  test('is answered with an error before the body, where the body is not read', async () => {
    const url = await serve((_request, response) => {
      response.statusCode = 401;
      response.end('no');
    });
    const connection = await ask(url, HEAD);
    await connection.closed();
    expect(connection.received()).toMatch(/^HTTP\/1\.1 401 /);
    expect(connection.received()).not.toContain('100 Continue');
  });

  test.each([
    ['as it comes', echo],
    ['piece by piece', echoPieces],
  ])('goes on when the body is read %s, on a connection that stays', async (_, listener) => {
    const connection = await ask(await serve(listener), HEAD);
    await connection.receives(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    connection.socket.write('hello');
    expect(await connection.receives(/hello$/)).toMatch(/HTTP\/1\.1 200 [^]*POST \/ hello$/);
    connection.socket.write('GET /next HTTP/1.1\r\nHost: a\r\n\r\n');
    await connection.receives(/GET \/next/);
    connection.socket.destroy();
  });
});
