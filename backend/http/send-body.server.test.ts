import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alertListSchema } from '#backend/contract/alert.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let member: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  member = await server.signedIn();
  const payload = JSON.stringify({ summary: 'Disk almost full', labels: { severity: 'warning', team: 'storage' } });
  await insertAlerts(
    server.database,
    Array.from({ length: 100 }, () => ({ payload })),
  );
});
afterAll(() => server.destroy());

/** fetch decompresses by itself; this does not. */
async function ask(path: string, headers: Record<string, string>, method = 'GET') {
  const asked = request(server.url + path, { method, headers: { Cookie: member.cookieHeader, ...headers } }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

const INBOX = '/api/alerts/inbox?limit=100';

describe('an answer of the API', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
  ])('is compressed for who accepts %s: by %s', async (accepted, encoding, decompress) => {
    const plain = await ask(INBOX, {});
    const { headers, body } = await ask(INBOX, { 'Accept-Encoding': accepted });
    expect(headers).toMatchObject({ 'content-encoding': encoding, vary: expect.stringContaining('Accept-Encoding') });
    expect(body.length).toBeLessThan(plain.body.length / 4);
    expect(decompress(body).equals(plain.body)).toBe(true);
  });

  test.each(['', 'identity', 'zstd', 'br;q=0, gzip;q=0'])('is plain for who accepts %j', async (accepted) => {
    const { headers, body } = await ask(INBOX, { 'Accept-Encoding': accepted });
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.vary).toContain('Accept-Encoding');
    expect(alertListSchema.parse(JSON.parse(body.toString()))).toHaveLength(100);
  });

  test('is plain when it is short', async () => {
    const { headers } = await ask('/api/auth/session', { 'Accept-Encoding': 'br' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(Number(headers['content-length'])).toBeLessThan(1024);
  });

  test('has no body for HEAD', async () => {
    const { status, body } = await ask(INBOX, { 'Accept-Encoding': 'br' }, 'HEAD');
    expect([status, body.length]).toEqual([200, 0]);
  });

  test('is not sent again in any coding when it has not changed', async () => {
    const first = await ask('/api/openapi.json', { 'Accept-Encoding': 'br' });
    expect(first.headers['content-encoding']).toBe('br');
    const etag = String(first.headers.etag);
    // The same mark for every coding: a weak one (RFC 9110 section 8.8.1).
    expect(etag).toMatch(/^W\//);
    const plain = await ask('/api/openapi.json', {});
    expect(plain.headers.etag).toBe(etag);
    const again = await ask('/api/openapi.json', { 'Accept-Encoding': 'gzip', 'If-None-Match': etag });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect(again.headers.vary).toContain('Accept-Encoding');
  });
});

test('what is compressed already is left as it is', async () => {
  const { headers, body } = await ask('/api/docs/swagger-ui-bundle.js', { 'Accept-Encoding': 'gzip, br' });
  expect(headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(body).toString()).toContain('SwaggerUI');
});

test('a long file that is sent plain says how long it is', async () => {
  const { headers, body } = await ask('/api/docs/swagger-ui-bundle.js', {});
  expect(Number(headers['content-length'])).toBe(body.length);
});

test('the answer to a webhook is plain', async () => {
  const asked = request(`${server.url}/webhook`, {
    method: 'POST',
    headers: { 'X-Webhook-Auth': await server.addApiKey(), 'Accept-Encoding': 'br' },
  }).end('{"customer":"Nordwind"}');
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  expect([response.statusCode, response.headers['content-encoding']]).toEqual([202, undefined]);
});
