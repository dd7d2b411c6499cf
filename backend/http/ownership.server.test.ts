import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPasswords } from '#backend/identity/users/passwords.ts';
import { runUserCli } from '#backend/identity/accounts/user-cli.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

/** What stands in the owner's things, and must not stand in an answer to somebody who may not see them. */
const PRIVATE = 'Kept to themselves';

let server: TestServer;
let key: string;
let actors: Record<'owner' | 'another' | 'admin' | 'superUser', TestClient>;

beforeAll(async () => {
  server = await startTestServer();
  key = await server.addApiKey();
  actors = {
    owner: await server.signedIn(),
    another: await server.signedIn(),
    admin: await server.signedIn({ role: 'admin' }),
    superUser: await server.signedIn({ role: 'super_user' }),
  };
});
afterAll(() => server.destroy());

/** Things to call something on, each made again for one call. */
const make = {
  async pending() {
    return (await actors.owner.postAlert(key, { customer: PRIVATE })).id;
  },
  async accepted() {
    const id = await make.pending();
    await actors.owner.send('POST', `/api/alerts/${id}/accept`);
    return id;
  },
  async filed() {
    const [id, folderId] = [await make.accepted(), await make.folder()];
    await actors.owner.send('PATCH', `/api/webhooks/${id}/move`, { folderId });
    return id;
  },
  async folder() {
    const folder = { name: `${PRIVATE} ${crypto.randomUUID()}`, color: 'red' };
    return folderSchema.parse(await (await actors.owner.send('POST', '/api/folders', folder)).json()).id;
  },
};

/** A call on one thing, with the exact status for its owner, another member, an administrator and a super user. */
type Row = [string, keyof typeof make, [number, number, number, number], unknown?];

const CALLS: Row[] = [
  ['GET /api/alerts/ID', 'pending', [200, 200, 200, 200]],
  ['GET /api/alerts/ID/history', 'pending', [200, 200, 200, 200]],
  ['POST /api/alerts/ID/accept', 'pending', [200, 200, 200, 200]],
  ['POST /api/alerts/ID/unaccept', 'pending', [200, 200, 200, 200]],
  ['PATCH /api/webhooks/ID/status', 'pending', [409, 409, 409, 409], { status: 'completed' }],
  ['PATCH /api/webhooks/ID/move', 'pending', [409, 409, 409, 409], { folderId: null }],
  ['DELETE /api/webhooks/ID', 'pending', [204, 204, 204, 204]],
  ['GET /api/alerts/ID', 'accepted', [200, 404, 200, 200]],
  ['GET /api/alerts/ID/history', 'accepted', [200, 404, 200, 200]],
  ['POST /api/alerts/ID/accept', 'accepted', [200, 409, 409, 409]],
  ['POST /api/alerts/ID/unaccept', 'accepted', [200, 404, 200, 200]],
  ['PATCH /api/webhooks/ID/status', 'accepted', [200, 404, 403, 403], { status: 'completed' }],
  ['PATCH /api/webhooks/ID/move', 'accepted', [200, 404, 403, 403], { folderId: null }],
  ['DELETE /api/webhooks/ID', 'accepted', [403, 404, 204, 204]],
  ['GET /api/alerts/ID', 'filed', [200, 404, 200, 200]],
  ['GET /api/alerts/ID/history', 'filed', [200, 404, 200, 200]],
  ['POST /api/alerts/ID/unaccept', 'filed', [200, 404, 200, 200]],
  ['DELETE /api/webhooks/ID', 'filed', [403, 404, 204, 204]],
  ['GET /api/alerts/ID/notes', 'accepted', [200, 404, 200, 200]],
  ['GET /api/alerts/ID/people', 'accepted', [200, 404, 200, 200]],
  ['POST /api/alerts/ID/notes', 'accepted', [201, 404, 201, 201], { text: 'Seen' }],
  ['GET /api/alerts/folder/ID', 'folder', [200, 404, 404, 404]],
  ['GET /api/alerts/facets?list=folder&folderId=ID', 'folder', [200, 404, 404, 404]],
  ['GET /api/alerts/progress?list=folder&folderId=ID&since=2026-11-01T00:00:00Z', 'folder', [200, 404, 404, 404]],
  ['GET /api/alerts/severities?list=folder&folderId=ID', 'folder', [200, 404, 404, 404]],
  ['DELETE /api/folders/ID', 'folder', [204, 404, 404, 404]],
];

/** Everything stored, but for what every call leaves: times of last use, and the audit trail's entry of a denied request. */
async function everythingStored(): Promise<string> {
  const { reads } = server.database;
  const tables = ['users', 'alerts', 'alert_history', 'alert_counts', 'folders', 'customers', 'alert_types'];
  const rows = await Promise.all(tables.map((table) => reads.query(`SELECT * FROM ${table} ORDER BY 1, 2`)));
  return JSON.stringify(rows);
}

const send = (client: TestClient, call: string, id: string, body: unknown) => {
  const [method = '', path = ''] = call.replace('ID', id).split(' ');
  return method === 'GET' ? client.get(path) : client.send(method, path, body);
};

describe.each(CALLS)('%s on what is %s', (call, thing, statuses, body) => {
  test.each(['owner', 'another', 'admin', 'superUser'] as const)('by the %s', async (name) => {
    const id = await make[thing]();
    const before = await everythingStored();
    const response = await send(actors[name], call, id, body);
    const text = await response.text();
    const expected = statuses[Object.keys(actors).indexOf(name)];
    expect([response.status, text]).toEqual([expected, text]);
    const isRefused = response.status >= 400;
    expect(isRefused && text.includes(PRIVATE)).toBe(false);
    expect(isRefused ? await everythingStored() : before).toBe(before);
  });
});

test('what is somebody’s own is not taken into somebody else’s', async () => {
  const folder = await make.folder();
  const { id } = await actors.another.postAlert(key);
  await actors.another.send('POST', `/api/alerts/${id}/accept`);
  const move = await actors.another.send('PATCH', `/api/webhooks/${id}/move`, { folderId: folder });
  expect([move.status, await move.text()]).toEqual([404, 'This folder no longer exists.']);
  const inside = await actors.another.send('POST', '/api/folders', { name: 'Inside', color: 'red', parentId: folder });
  expect(inside.status).toBe(404);
});

test('an administrator who is one no more is let in to nothing of it', async () => {
  const demoted = await server.signedIn({ role: 'admin' });
  const email = demoted.session?.email ?? '';
  const alert = await make.accepted();
  expect((await demoted.get('/api/auth/users')).status).toBe(200);
  await runUserCli({ database: server.database, passwords: createPasswords(4) }, ['set-role', email, 'user']);
  expect((await demoted.get('/api/auth/users')).status).toBe(401);
  await demoted.signIn(email, 'correct horse');
  for (const path of ['/api/auth/users', '/api/api-keys', '/api/audit', '/api/alerts/all', '/api/alerts/stats']) {
    expect([path, (await demoted.get(path)).status]).toEqual([path, 403]);
  }
  expect((await demoted.get(`/api/alerts/${alert}/history`)).status).toBe(404);
});
