import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WEBHOOK_MAX_BYTES } from '#backend/contract/webhook.ts';
import { problemSchema } from '#backend/contract/problem.ts';
import { openRawConnection } from '#tests/support/raw-connection.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

/** fetch sets Host by itself; this does not. */
const statusUnderHost = (host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(`${server.url}/healthz`, { headers: { Host: host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

describe('health', () => {
  test('is reported without sign-in', async () => {
    const health = await server.anonymous().get('/healthz');
    expect(await health.json()).toEqual({ product: 'Alertdesk', version: '1.0.3', status: 'ok' });
    expect((await server.anonymous().get('/readyz')).status).toBe(200);
  });

  test('readiness fails when the database is away', async () => {
    const own = await startTestServer();
    await own.database.close();
    const response = await own.anonymous().get('/readyz');
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await own.anonymous().get('/healthz')).status).toBe(200);
  });
});

test('a stop fails readiness first, and answers everything else until the listener closes', async () => {
  const own = await startTestServer({ DRAIN_SECONDS: '3' });
  const key = await own.addApiKey();
  const stopped = own.stop();
  const readiness = await own.anonymous().get('/readyz');
  expect([readiness.status, await readiness.text()]).toEqual([503, 'The server is stopping.']);
  const answered = await own.anonymous().get('/healthz');
  expect([answered.status, answered.headers.get('Connection')]).toEqual([200, 'close']);
  expect((await own.anonymous().post(key, { customer: 'Late' })).status).toBe(202);
  await stopped;
  await expect(own.anonymous().get('/healthz')).rejects.toThrow('fetch failed');
  await own.destroy();
});

test('requests that came while the process was busy are answered, although the listener closes next', async () => {
  const own = await startTestServer({ DRAIN_SECONDS: '1' });
  const key = await own.addApiKey();
  // They connect from a thread of their own, while this one, and the server in it, does nothing else.
  const sender = new Worker(
    `const { connect } = require('node:net');
     const { parentPort, workerData: { port, text } } = require('node:worker_threads');
     const send = () => new Promise((resolve) => {
       const socket = connect(port, '127.0.0.1', () => socket.write(text));
       let answer = '';
       socket.on('data', (data) => (answer += data));
       socket.on('error', (error) => (answer += error.code));
       socket.on('close', () => resolve(answer));
     });
     parentPort.once('message', async () => parentPort.postMessage(await Promise.all(Array.from({ length: 5 }, send))));
     parentPort.postMessage('ready');`,
    {
      eval: true,
      workerData: {
        port: Number(new URL(own.url).port),
        text:
          `POST /webhook HTTP/1.1\r\nHost: localhost\r\nX-Webhook-Auth: ${key}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
      },
    },
  );
  await once(sender, 'message');
  const answered = once(sender, 'message');
  const stopping = own.stop();
  await delay(400);
  // From here the event loop goes on with its timers, of which the stop is one, before it accepts anything.
  await setImmediate();
  sender.postMessage('send', []);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900);
  const [answers] = (await answered) as [string[]];
  expect(answers).toHaveLength(5);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 202 [^]*\r\nConnection: close\r\n/);
  await stopping;
  await own.destroy();
  await sender.terminate();
});

describe('failures', () => {
  test('are one plain sentence', async () => {
    const response = await server.anonymous().get('/api/nowhere');
    expect(response.status).toBe(404);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/);
    expect(await response.text()).toBe('There is no call GET /api/nowhere.');
  });

  test.each(['application/json', 'application/problem+json'])('are problem+json for who accepts %s', async (accept) => {
    const response = await server.anonymous().send('POST', '/api/auth/login', { email: 7 }, { Accept: accept });
    expect(response.status).toBe(422);
    expect(response.headers.get('Content-Type')).toMatch(/^application\/problem\+json/);
    const problem = problemSchema.parse(await response.json());
    expect(problem).toMatchObject({ status: 422, type: 'urn:alertdesk:problem:unacceptable-input' });
    expect(problem.errors?.map(({ path }) => path)).toEqual(['email', 'password']);
  });

  test.each(['/api/alerts/%', '/api/alerts/%ff/accept', '/%00', '/api/alerts/inbox?%'])(
    '%s is no server error',
    async (path) => {
      const response = await server.anonymous().get(path);
      expect(response.status).toBeLessThan(500);
      await response.text();
    },
  );

  test('a body beyond what the API takes is 413', async () => {
    const response = await server.anonymous().send('POST', '/api/auth/login', { email: 'x'.repeat(70_000) });
    expect(response.status).toBe(413);
  });

  test('unknown fields are ignored, `__proto__` included', async () => {
    const user = await server.addUser();
    const response = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `{"email":"${user.email}","password":"correct horse","role":"admin","__proto__":{"role":"admin"}}`,
    });
    expect(await response.json()).toMatchObject({ role: 'user' });
  });
});

describe('a request’s id', () => {
  test('is made, or taken over from the proxy in front', async () => {
    const made = (await server.anonymous().get('/api/nowhere')).headers.get('X-Request-Id');
    expect(made).toMatch(/^[0-9a-f-]{36}$/);
    const given = await server.anonymous().get('/healthz', { 'X-Request-Id': 'edge-42.a_b' });
    expect(given.headers.get('X-Request-Id')).toBe('edge-42.a_b');
  });

  test.each(['x'.repeat(65), 'a b', '{"level":50}'])('%j is not taken over', async (id) => {
    const response = await server.anonymous().get('/healthz', { 'X-Request-Id': id });
    expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('host names', () => {
  test.each(['localhost', '127.0.0.1:4400', '[::1]:4400', '10.1.2.3', 'LOCALHOST.'])('%s is answered', async (host) => {
    expect(await statusUnderHost(host)).toBe(200);
  });

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example'])('%s is not', async (host) => {
    expect(await statusUnderHost(host)).toBe(421);
  });
});

/** Sends the head of a POST to the webhook. */
async function begin(key: string, headers: string) {
  const connection = await openRawConnection(server.url);
  connection.socket.write(`POST /webhook HTTP/1.1\r\nHost: localhost\r\nX-Webhook-Auth: ${key}\r\n${headers}\r\n\r\n`);
  return connection;
}

describe('a webhook', () => {
  test('is taken from a client that offers HTTP/2, as Java’s does', async () => {
    const connection = await begin(
      await server.addApiKey(),
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Length: 16',
    );
    connection.socket.write('{"customer":"J"}');
    expect(await connection.receives(/"receivedAt"/)).toMatch(/^HTTP\/1\.1 202 /);
    connection.socket.destroy();
  });

  test('is asked for its body when a client waits for that', async () => {
    const connection = await begin(await server.addApiKey(), 'Expect: 100-continue\r\nContent-Length: 16');
    await connection.receives(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    connection.socket.write('{"customer":"J"}');
    expect(await connection.receives(/"receivedAt"/)).toMatch(/HTTP\/1\.1 202 /);
    connection.socket.destroy();
  });

  test('with a wrong key is refused before its body', async () => {
    const connection = await begin('ad_wrong', 'Expect: 100-continue\r\nContent-Length: 16');
    await connection.closed();
    expect(connection.received()).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('that is too large is refused before its body', async () => {
    const length = `Expect: 100-continue\r\nContent-Length: ${WEBHOOK_MAX_BYTES + 1}`;
    const connection = await begin(await server.addApiKey(), length);
    await connection.closed();
    expect(connection.received()).toMatch(/^HTTP\/1\.1 413 /);
  });
});

/** What every answer says, whoever gives it. */
const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

describe('answers over https', () => {
  let own: TestServer;
  let key: string;
  beforeAll(async () => {
    own = await startTestServer({ PUBLIC_URL: 'https://alerts.example.com' });
    key = await own.addApiKey();
  });
  afterAll(() => own.destroy());

  test.each([
    ['an alert that was taken', '/webhook', {}, '{}', 202],
    ['a wrong key', '/webhook', { 'X-Webhook-Auth': 'ad_wrong' }, '{}', 401],
    ['a token that is not valid', '/in/adt_wrong', { 'X-Webhook-Auth': '' }, '{}', 401],
    ['a body that is not JSON', '/webhook', {}, '{', 400],
    ['a foreign host', '/webhook', { Host: 'evil.example' }, '{}', 421],
    ['an unknown call', '/api/nowhere', {}, '{}', 404],
    ['a call without a sign-in', '/api/folders', {}, '{}', 401],
    ['a body that is not acceptable', '/api/auth/login', {}, '{}', 422],
    ['a page that cannot be changed', '/settings', {}, '{}', 404],
  ] satisfies [string, string, Record<string, string>, string, number][])(
    'are not sniffed, not cached and never asked for by http: %s',
    async (_, path, headers, body, status) => {
      const answer = await postTo(own.url + path, { 'X-Webhook-Auth': key, ...headers }, body);
      expect(answer.statusCode).toBe(status);
      expect(answer.headers).toMatchObject({ ...EVERYWHERE, 'cache-control': 'no-store' });
    },
  );

  test('a session of an earlier release gets the cookie under its new name, and loses the old one', async () => {
    const member = await own.signedIn();
    const token = member.cookies.get('__Host-csrf-token') ?? '';
    member.cookies.set('csrf-token', token).delete('__Host-csrf-token');
    expect((await member.send('POST', '/api/folders', { name: 'Before', color: 'blue' })).status).toBe(201);
    const renewed = (await member.get('/api/auth/session')).headers.getSetCookie();
    expect(renewed.map((cookie) => cookie.replace(/expires=[^;]*/, 'expires'))).toEqual([
      `__Host-csrf-token=${token}; path=/; expires; samesite=lax; secure`,
      'csrf-token=; path=/; expires; samesite=lax; secure',
    ]);
    expect([...member.cookies.keys()].toSorted()).toEqual(['__Host-csrf-token', '__Host-device', '__Host-sid']);
    expect((await member.get('/api/auth/session')).headers.getSetCookie()).toEqual([]);
    expect((await member.send('POST', '/api/folders', { name: 'After', color: 'blue' })).status).toBe(201);
  });
});

const postTo = (url: string, headers: Record<string, string>, body: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const all = { 'Content-Type': 'application/json', ...headers };
    request(url, { method: 'POST', headers: all }, (response) => resolve(response.resume()))
      .on('error', reject)
      .end(body);
  });

test('pages may do little more than load our own files', async () => {
  const headers = (await server.anonymous().get('/healthz')).headers;
  const policy =
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";
  const types = "require-trusted-types-for 'script'; trusted-types alertdesk alertdesk-worker";
  const reports = 'report-to csp; report-uri /api/csp-reports';
  expect(headers.get('Content-Security-Policy')).toBe(`${policy}; ${types}; ${reports}`);
  expect(headers.get('Reporting-Endpoints')).toBe('csp="/api/csp-reports"');
  expect(headers.get('Permissions-Policy')).toMatch(/\bcamera=\(\), .*\bgeolocation=\(\).*\bmicrophone=\(\)/);
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  for (const name of ['Cross-Origin-Opener-Policy', 'Cross-Origin-Resource-Policy', 'Referrer-Policy']) {
    expect(headers.get(name)).toBe('same-origin');
  }
  expect(headers.get('Strict-Transport-Security')).toBeNull();
  // Swagger UI writes markup; its styles and scripts are files all the same.
  const docs = (await server.anonymous().get('/api/docs')).headers.get('Content-Security-Policy');
  expect(docs).toBe(`${policy}; ${reports}`);
});

test('pages of another origin read nothing: no CORS header is sent, whatever they ask', async () => {
  const asked = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
  for (const path of ['/healthz', '/api/auth/options', '/webhook', '/in/adt_wrong']) {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const { headers } = await server.anonymous().send(method, path, undefined, asked);
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  }
});

test('what the API answers is kept by no cache', async () => {
  const member = await server.signedIn();
  expect((await member.get('/api/auth/session')).headers.get('Cache-Control')).toBe('no-store');
});
