import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DOWNLOADS } from './own-data-route.ts';
import { exportMember } from './export-lines.ts';
import { SessionEntity } from '#backend/identity/sessions/session-store.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

type Line = Record<string, unknown>;

let server: TestServer;
let key: string;
let anna: TestClient;
let ben: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.addApiKey();
});
beforeEach(async () => {
  anna = await server.signedIn({ displayName: 'Anna' });
  ben = await server.signedIn({ displayName: 'Ben', role: 'super_user' });
});
afterAll(() => server.destroy());

async function download(client: TestClient): Promise<Line[]> {
  const answer = await client.get('/api/auth/export');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="alertdesk-my-data.jsonl"');
  return (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

const ofType = (lines: Line[], type: string): Line[] => lines.filter((line) => line['type'] === type);

async function accepted(client: TestClient): Promise<string> {
  const { id } = await client.postAlert(key, { customer: 'Nordwind', type: 'noise' });
  await client.send('POST', `/api/alerts/${id}/accept`);
  return id;
}

async function filed(client: TestClient, id: string, name: string): Promise<void> {
  const folder = (await (await client.send('POST', '/api/folders', { name, color: 'red' })).json()) as { id: string };
  expect((await client.send('PATCH', `/api/webhooks/${id}/move`, { folderId: folder.id })).status).toBe(200);
}

describe('GET /api/auth/export', () => {
  test('has what is the member’s, and nothing of others', async () => {
    const [mine, his] = [await accepted(anna), await accepted(ben)];
    await filed(anna, mine, 'Mine');
    await anna.send('POST', `/api/alerts/${mine}/notes`, { text: 'By Anna' });
    await ben.send('POST', `/api/alerts/${his}/notes`, { text: 'By Ben' });
    await anna.send('POST', '/api/alert-types/mutes', { alertType: 'noise' });
    await anna.send('POST', '/api/auth/tokens', { name: 'Mine too', scope: 'read', expiresInDays: null });
    const lines = await download(anna);

    expect(lines[0]).toMatchObject({ type: 'export', scope: 'member', userId: anna.id });
    expect(ofType(lines, 'user')).toMatchObject([{ id: anna.id, displayName: 'Anna' }]);
    expect(ofType(lines, 'alert').map(({ id }) => id)).toEqual([mine]);
    expect(ofType(lines, 'history').map(({ action }) => action)).toContain('accepted');
    expect(ofType(lines, 'note').map(({ text }) => text)).toEqual(['By Anna']);
    expect(ofType(lines, 'folder').map(({ name }) => name)).toEqual(['Mine']);
    expect(ofType(lines, 'session')).toHaveLength(1);
    expect(ofType(lines, 'apiToken').map(({ name }) => name)).toEqual(['Mine too']);
    expect(ofType(lines, 'alertTypeMute').map(({ alertType }) => alertType)).toEqual(['noise']);
    expect(ofType(lines, 'audit').map(({ action }) => action)).toEqual(
      expect.arrayContaining(['signed_in', 'api_token_created', 'own_data_exported']),
    );
    expect(JSON.stringify(lines)).not.toContain(ben.id);
    expect(lines.at(-1)).toMatchObject({ type: 'end', lines: lines.length - 2 });
  });

  test('does not name the folders of whoever had the alert before', async () => {
    const id = await accepted(ben);
    await filed(ben, id, 'Private to Ben');
    await ben.send('POST', `/api/alerts/${id}/assign`, { userId: anna.id });
    const lines = await download(anna);
    expect(ofType(lines, 'alert').map((alert) => alert['id'])).toEqual([id]);
    expect(ofType(lines, 'history').length).toBeGreaterThan(2);
    expect(JSON.stringify(lines)).not.toContain('Private to Ben');
  });

  test('asks for a recent proof, and is in the audit trail', async () => {
    await server.database.transaction((tx) =>
      tx.getRepository(SessionEntity).update({ userId: anna.id }, { provedAt: null }),
    );
    const refused = await anna.get('/api/auth/export');
    expect(refused.status).toBe(403);
    expect(await refused.text()).toMatch(/Confirm/i);
    await anna.send('POST', '/api/auth/proof', { password: 'correct horse' });
    await download(anna);
    const admin = await server.signedIn({ role: 'admin' });
    const audit = (await (await admin.get('/api/audit?kind=exports&limit=500')).json()) as Line[];
    expect(audit.filter(({ action, actorId }) => action === 'own_data_exported' && actorId === anna.id)).toHaveLength(
      1,
    );
  });

  test('is answered some times in an hour, to each member', async () => {
    for (let count = 0; count < DOWNLOADS; count += 1) await download(anna);
    const refused = await anna.get('/api/auth/export');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await download(ben);
  });

  test('finds everything in long tables', async () => {
    const ids = await insertAlerts(
      server.database,
      Array.from({ length: 1_300 }, (_, number) => ({
        status: 'accepted' as const,
        ownerId: number % 2 === 0 ? anna.id : ben.id,
      })),
    );
    const others = Array.from(
      { length: 4_100 },
      (_, number) => [`${crypto.randomUUID()}`, number % 1_000 === 0] as const,
    );
    await server.database.transaction(async (tx) => {
      for (const [id, isOwn] of others) {
        await tx.query('INSERT INTO audit_log (id, action, actor_id, actor_name, created_at) VALUES (?, ?, ?, ?, ?)', [
          id,
          'signed_out',
          isOwn ? anna.id : ben.id,
          'x',
          1,
        ]);
      }
    });
    const lines = await download(anna);
    expect(ofType(lines, 'alert').map(({ id }) => id)).toEqual(ids.filter((_, number) => number % 2 === 0));
    expect(ofType(lines, 'audit').filter(({ action }) => action === 'signed_out')).toHaveLength(5);
  });
});

test('an administrator’s command writes the same lines of a member', async () => {
  await accepted(anna);
  const downloaded = await download(anna);
  let text = '';
  await server.database.snapshot(async (query) => {
    for await (const part of exportMember(query, server.database.dialect, anna.id, Date.now())) text += part.text;
  });
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  expect(lines[0]).toMatchObject({ scope: 'member', userId: anna.id });
  expect(lines.slice(1)).toEqual(downloaded.slice(1));
});
