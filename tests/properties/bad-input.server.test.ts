import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { FolderEntity } from '#backend/alerts/alert/folder.ts';
import { auditEntrySchema } from '#backend/contract/audit-entry.ts';
import { folderListSchema } from '#backend/contract/folder.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { sendRaw } from './send-raw.ts';

/** Bad input never gives a 5xx: examples of it, each with the answer that is right. */
let server: TestServer;
let admin: TestClient;
let apiKey: string;
beforeAll(async () => {
  server = await startTestServer({ TRUST_PROXY: '1' });
  apiKey = await server.addApiKey();
});
beforeEach(async () => {
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

const NOTHING = '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80';
const LONG = 'x'.repeat(10_000);

/** Sends the text as it stands. */
const send = (method: string, target: string, text?: string, headers: [string, string][] = []) =>
  sendRaw(server.url, {
    method,
    target,
    headers: [
      ['Cookie', admin.cookieHeader],
      ['X-CSRF-Token', admin.cookies.get('csrf-token') ?? ''],
      ['Content-Type', 'application/json'],
      ...headers,
    ],
    body: text === undefined ? undefined : Buffer.from(text),
  });

describe('a body', () => {
  test.each([
    ['of the wrong type', '[]', 422],
    ['that is null', 'null', 422],
    ['that is a text', '"folder"', 422],
    ['that is empty', '', 400],
    ['that is no JSON', '{"name":}', 400],
    ['with a field of the wrong type', '{"name":{"toString":1},"color":"blue"}', 422],
    ['with an array for a text', '{"name":["a"],"color":"blue"}', 422],
    ['with a field too long', `{"name":"${LONG}","color":"blue"}`, 422],
    ['with a huge number', '{"name":"n","color":"blue","order":1e999}', 422],
    ['with a number of 400 digits', `{"name":"n","color":"blue","order":${'9'.repeat(400)}}`, 422],
    ['with a number too large for a column', '{"name":"n","color":"blue","order":2147483648}', 422],
    ['with an id of 10,000 characters', `{"name":"n","color":"blue","parentId":"${LONG}"}`, 422],
    ['nested 5,000 levels deep', `{"name":${'['.repeat(5000)}${']'.repeat(5000)},"color":"blue"}`, 422],
    [
      'nested 5,000 levels deep where nothing is read',
      `{"name":"deep","color":"blue","x":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      201,
    ],
    ['with NUL in a name', String.raw`{"name":"a\u0000b","color":"blue"}`, 201],
    ['with half a character in a name', String.raw`{"name":"\ud800","color":"blue"}`, 201],
    ['with a field twice', '{"name":"first","name":"second","color":"blue"}', 201],
    [
      'with `__proto__`',
      '{"name":"proto","color":"blue","__proto__":{"ownerId":"x"},"constructor":{"prototype":{}}}',
      201,
    ],
  ])('%s', async (_what, text, status) => {
    const answer = await send('POST', '/api/folders', text);
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([status, expect.any(String)]);
    expect(folderListSchema.parse(await (await admin.get('/api/folders')).json())).toHaveLength(status === 201 ? 1 : 0);
  });

  test('nested as deep as a body can be in any field of any call is judged', () => {
    const deep: unknown = JSON.parse('['.repeat(30_000) + ']'.repeat(30_000));
    const judged = server.endpoints.flatMap(({ method, path, body }) => {
      if (!body) return [];
      const { properties = {} } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any', metadata: z.registry() });
      return Object.keys(properties).map((field) => {
        const judge = () => body.safeParse({ [field]: deep }).error?.issues.map(({ message }) => message);
        expect(judge, `${field} of ${method} ${path}`).not.toThrow();
        return field;
      });
    });
    expect(judged).toContain('password');
  });

  test('of more than 64 KiB is too large, and the next request is answered', async () => {
    expect((await send('POST', '/api/folders', `{"name":"${'x'.repeat(70_000)}"}`)).status).toBe(413);
    expect((await admin.get('/api/folders')).status).toBe(200);
  });

  test('of unknown fields stores none of them', async () => {
    const owner = (await server.addUser()).id;
    const answer = await send(
      'POST',
      '/api/folders',
      `{"name":"Mine","color":"blue","id":"${NOTHING}","ownerId":"${owner}","createdAt":0,"alertCount":7}`,
    );
    expect(answer.status).toBe(201);
    const [stored] = await server.database.reads.getRepository(FolderEntity).findBy({ ownerId: admin.id });
    expect(stored).toMatchObject({ name: 'Mine', ownerId: admin.id });
    expect(stored?.id).not.toBe(NOTHING);
    expect(stored?.createdAt).toBeGreaterThan(0);
  });
});

describe('an address', () => {
  test.each([
    ['an id of 10,000 characters', `/api/alerts/${LONG}/history`, 400],
    ['%00', '/api/alerts/%00/history', 400],
    ['an id with %00 in it', `/api/alerts/${NOTHING}%00/history`, 400],
    ['%ff', '/api/alerts/%ff/history', 400],
    ['half an escape', '/api/alerts/%/history', 400],
    ['an overlong slash', '/api/alerts/%c0%af/history', 400],
    ['a slash as %2f', '/api/alerts/..%2f..%2fetc/history', 400],
    ['an id that is a method', '/api/alerts/__proto__/history', 400],
    ['a list for a number', '/api/alerts/inbox?limit=1&limit=2', 400],
    ['a field of a parameter', '/api/alerts/inbox?limit[a]=1', 200],
    ['`__proto__` as parameter', '/api/alerts/inbox?__proto__=1&constructor=2', 200],
    ['a number beyond all bounds', '/api/alerts/inbox?limit=1e999', 400],
    ['a number of 400 digits', `/api/alerts/inbox?limit=${'9'.repeat(400)}`, 400],
    ['a number that is none', '/api/alerts/inbox?limit=ten', 400],
    ['no number', '/api/alerts/inbox?limit=', 400],
    ['%00 in a filter', '/api/alerts/inbox?customer=%00', 200],
    ['half a character in a filter', '/api/alerts/inbox?customer=%ed%a0%80', 200],
    ['a broken escape in a filter', '/api/alerts/inbox?customer=%zz', 200],
    ['a filter of 10,000 characters', `/api/alerts/inbox?customer=${LONG}`, 400],
    ['a cursor that is none', "/api/alerts/inbox?before=' OR 1=1 --".replaceAll(' ', '%20'), 400],
    ['nothing but a question mark', '/api/alerts/inbox?', 200],
    ['a thousand parameters', `/api/alerts/inbox?${'a=1&'.repeat(1000)}`, 200],
  ])('with %s', async (_what, target, status) => {
    const answer = await send('GET', target);
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([status, expect.any(String)]);
    server.checker.check(answer);
  });

  test.each([
    ['%00', '/api/alert-types/mutes/%00', 204],
    ['half a character', '/api/alert-types/mutes/%ed%a0%80', 204],
    ['a type of 10,000 characters', `/api/alert-types/mutes/${LONG}`, 400],
  ])('of a name that is text: %s', async (_what, target, status) => {
    expect((await send('DELETE', target)).status).toBe(status);
  });

  test('longer than Node.js reads is refused, and the next request is answered', async () => {
    const status = await statusOf(`GET /healthz?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect(status).toBe(431);
    expect((await admin.get('/healthz')).status).toBe(200);
  });
});

describe('headers', () => {
  test.each<[string, [string, string][], number]>([
    ['Content-Type twice', [['Content-Type', 'text/plain']], 201],
    ['an unknown encoding', [['Content-Encoding', 'br']], 415],
    [
      'an encoding twice',
      [
        ['Content-Encoding', 'identity'],
        ['Content-Encoding', 'gzip'],
      ],
      415,
    ],
    ['the CSRF token twice', [['X-CSRF-Token', 'x']], 403],
    ['a second session', [['Cookie', 'sid=another']], 201],
    ['`__proto__`', [['__proto__', 'x']], 201],
    ['an Accept that is no list', [['Accept', ';;;=,']], 201],
    ['an Accept-Encoding that is none', [['Accept-Encoding', '\u00FF;q=x']], 201],
    ['If-None-Match', [['If-None-Match', '*']], 201],
    ['Expect that nobody meets', [['X-HTTP-Method-Override', 'DELETE']], 201],
  ])('%s', async (_what, headers, status) => {
    const answer = await send('POST', '/api/folders', '{"name":"Headers","color":"blue"}', headers);
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([status, expect.any(String)]);
  });

  test.each([
    [
      'two lengths',
      'POST /webhook HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      400,
    ],
    [
      'length and chunks',
      'POST /webhook HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
      400,
    ],
    ['a length that is none', 'POST /webhook HTTP/1.1\r\nHost: localhost\r\nContent-Length: two\r\n\r\n{}', 400],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['a Host that is none', 'GET /healthz HTTP/1.1\r\nHost: \u0001\r\n\r\n', 400],
    ['an empty Host', 'GET /healthz HTTP/1.1\r\nHost:\r\n\r\n', 421],
    ['an address instead of a path', 'GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', 200],
    ['no path', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n', 404],
    ['TRACE', 'TRACE /api/auth/session HTTP/1.1\r\nHost: localhost\r\n\r\n', 404],
    ['TRACE at an address of senders', 'TRACE /webhook HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
    ['an unknown method', 'BREW /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
  ])('%s', async (_what, text, status) => {
    expect(await statusOf(text)).toBe(status);
    expect((await admin.get('/healthz')).status).toBe(200);
  });

  test('X-Forwarded-For with no address in it is not believed', async () => {
    const { email } = await server.addUser();
    const answer = await send('POST', '/api/auth/login', `{"email":"${email}","password":"wrong"}`, [
      ['X-Forwarded-For', LONG],
    ]);
    expect(answer.status).toBe(401);
    const entries = z.array(auditEntrySchema).parse(await (await admin.get('/api/audit')).json());
    expect(entries.find(({ actorName }) => actorName === email)).toMatchObject({ ip: '127.0.0.1' });
  });
});

describe('an alert', () => {
  test.each([
    ['with NUL', String.raw`{"customer":"a\u0000b","type":"\u0000"}`],
    ['with half characters', String.raw`{"customer":"\ud800","type":"\udfff","url":"https://x/\ud800"}`],
    ['with `__proto__`', '{"__proto__":{"customer":"x"},"constructor":1,"extraData":{"__proto__":2}}'],
    ['with huge numbers', `{"customer":1e999,"type":${'1'.repeat(400)},"n":-0}`],
    ['64 levels deep', `${'['.repeat(64)}${']'.repeat(64)}`],
    ['with a customer of 100,000 characters', `{"customer":"${'👍'.repeat(50_000)}"}`],
    ['that is a number', '1e400'],
  ])('%s is stored as it came', async (_what, text) => {
    expect((await admin.post(apiKey, text)).status).toBe(202);
    expect(await (await admin.get('/api/alerts/inbox?limit=1')).text()).toContain(text);
  });
});

/** The status that a request gets which no HTTP client would send. */
function statusOf(text: string): Promise<number> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1'))?.[1]));
    });
    socket.once('error', reject);
  });
}
