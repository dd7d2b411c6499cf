import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '#backend/contract/source.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
let world: SourceWorld;
let source: Source;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  world = createSourceWorld(server, admin);
  ({ source, token } = await world.newSource());
});
afterAll(() => server.destroy());

interface Ask {
  method: 'GET' | 'POST';
  query?: string;
  headers?: Record<string, string>;
  body?: string;
}

const ask = (address: string, { method, query = '', headers = {}, body }: Ask) =>
  fetch(`${server.url}${address}${query}`, { method, headers, ...(body !== undefined && { body }) });

const CHALLENGE = 'c/1 2+ü';
const encoded = encodeURIComponent(CHALLENGE);

const ASKS: [sender: string, ask: Ask, type: string | null, body: string, header: string | null][] = [
  ['Microsoft Graph', { method: 'POST', query: `?validationToken=${encoded}` }, 'text/plain', CHALLENGE, null],
  [
    'Okta',
    { method: 'GET', headers: { 'x-okta-verification-challenge': 'Me_rShK8' } },
    'application/json',
    '{"verification":"Me_rShK8"}',
    null,
  ],
  ['Asana', { method: 'POST', headers: { 'x-hook-secret': 'b537207f' }, body: '{}' }, null, '', 'b537207f'],
  [
    'WebSub',
    { method: 'GET', query: `?hub.mode=subscribe&hub.topic=https%3A%2F%2Fa.example&hub.challenge=${encoded}` },
    'text/plain',
    CHALLENGE,
    null,
  ],
  ['Dropbox', { method: 'GET', query: `?challenge=${encoded}` }, 'text/plain', CHALLENGE, null],
];

test.each(ASKS)(
  '%s is answered with what it sent, and nothing becomes an alert',
  async (_, request, type, body, header) => {
    const before = await world.countAlerts();
    const response = await ask(`/in/${token}`, request);
    expect([response.status, await response.text()]).toEqual([200, body]);
    expect(response.headers.get('content-type')?.split(';')[0] ?? null).toBe(type);
    expect(response.headers.get('x-hook-secret')).toBe(header);
    const row = await world.expectNewest(source.id, { outcome: 'handshake', method: request.method, status: 200 });
    expect(JSON.stringify(row)).not.toContain(header ?? token);
    expect(await world.countAlerts()).toBe(before);
  },
);

test.each(ASKS)('%s is not answered where nobody has the address', async (_, request) => {
  for (const address of ['/in/adt_nobody-has-this-token', '/webhook']) {
    const response = await ask(address, request);
    const text = await response.text();
    expect(response.headers.get('x-hook-secret')).toBeNull();
    expect(text).not.toContain('Me_rShK8');
    expect(text).not.toContain(CHALLENGE);
  }
});

test('an alert that only looks like a question is an alert', async () => {
  const before = await world.countAlerts();
  const json = { 'Content-Type': 'application/json' };
  const body = '{"title":"Disk full on db-7"}';
  expect((await ask(`/in/${token}`, { method: 'POST', headers: { ...json, 'x-hook-secret': 's' }, body })).status).toBe(
    202,
  );
  expect((await ask(`/in/${token}`, { method: 'GET', query: '?title=Disk+full&challenge=1' })).status).toBe(202);
  expect(await world.countAlerts()).toBe(before + 2);
});

const secondsNow = () => String(Math.floor(Date.now() / 1000));
const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

const zoom = (address: string, secret: string, plainToken: string) => {
  const body = JSON.stringify({
    event: 'endpoint.url_validation',
    payload: { plainToken },
    event_ts: 1_654_503_849_680,
  });
  const seconds = secondsNow();
  return ask(address, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'x-zm-request-timestamp': seconds,
      'x-zm-signature': `v0=${hmac(secret, `v0:${seconds}:${body}`)}`,
    },
    body,
  });
};

test('Zoom gets its token signed under the secret of the source, if it proves that it has it', async () => {
  const own = await world.newSource();
  await admin.send('POST', `/api/sources/${own.source.id}/signing-secrets`, { secret: 'zoom-secret-token' });
  const answer = await zoom(`/in/${own.token}`, 'zoom-secret-token', 'qgg8vlvZRS6UYooatFL8Aw');
  expect(await answer.json()).toEqual({
    plainToken: 'qgg8vlvZRS6UYooatFL8Aw',
    encryptedToken: hmac('zoom-secret-token', 'qgg8vlvZRS6UYooatFL8Aw'),
  });
  await world.expectNewest(own.source.id, { outcome: 'handshake', status: 200 });
  expect((await zoom(`/in/${own.token}`, 'another secret', 'abc')).status).toBe(401);
  const forged = await zoom(`/in/${own.token}`, 'zoom-secret-token', 'v0:1:{"title":"x"}');
  expect(await forged.text()).not.toContain('encryptedToken');
  expect(await (await zoom(`/in/${token}`, 'x', 'abc')).text()).not.toContain('encryptedToken');
});
