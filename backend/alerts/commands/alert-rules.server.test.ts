import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { alertSchema } from '#backend/contract/alert.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';
import { AlertEntity, type PresentableAlert, presentAlert } from '#backend/alerts/alert/alert.ts';

let server: TestServer;
let anna: TestClient;
let ben: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn({ displayName: 'Anna' });
  ben = await server.signedIn({ displayName: 'Ben' });
  admin = await server.signedIn({ displayName: 'Ada', role: 'admin' });
});
afterAll(() => server.destroy());

const pending = async () => (await insertAlerts(server.database, [{ title: 'Disk full' }]))[0] ?? '';
async function ownedBy(member: TestClient): Promise<string> {
  const id = await pending();
  await must(member.send('POST', `/api/alerts/${id}/accept`));
  return id;
}
const folderOf = async (member: TestClient) => {
  const body = { name: crypto.randomUUID(), color: 'red' };
  return folderSchema.parse(await (await member.send('POST', '/api/folders', body)).json()).id;
};
const move = (by: TestClient, id: string, folderId: string | null) =>
  by.send('PATCH', `/api/webhooks/${id}/move`, { folderId });
const stored = (id: string) => server.database.reads.getRepository(AlertEntity).findOneByOrFail({ id });

const assign = (by: TestClient, id: string, to: TestClient) =>
  must(by.send('POST', `/api/alerts/${id}/assign`, { userId: to.id }));
const present = (alert: PresentableAlert, owner: string | null = null) =>
  alertSchema.parse(JSON.parse(presentAlert(alert, owner)));

describe('an alert is filed', () => {
  test('when it was accepted, and not before', async () => {
    const [id, folderId] = [await pending(), await folderOf(anna)];
    const refused = await move(anna, id, folderId);
    expect([refused.status, await refused.text()]).toEqual([409, 'Accept this alert before you move it to a folder.']);
    expect((await stored(id)).folderId).toBeNull();
    await must(anna.send('POST', `/api/alerts/${id}/accept`));
    await must(move(anna, id, folderId));
    expect((await stored(id)).folderId).toBe(folderId);
    await must(move(anna, id, null));
    expect((await stored(id)).folderId).toBeNull();
  });

  test('by its owner alone, in a folder of their own', async () => {
    const id = await ownedBy(anna);
    const [bens, adas] = [await folderOf(ben), await folderOf(admin)];
    expect((await move(ben, id, bens)).status).toBe(404);
    expect((await move(admin, id, adas)).status).toBe(403);
    expect((await move(anna, id, bens)).status).toBe(404);
    expect((await stored(id)).folderId).toBeNull();
  });
});

test('the audit trail says whose alert an administrator gave to whom, and nothing of what is one’s own to give', async () => {
  const [annas, own] = [await ownedBy(anna), await ownedBy(admin)];
  await assign(admin, annas, ben);
  await assign(admin, own, ben);
  await assign(anna, await ownedBy(anna), ben);
  const entries = await server.database.reads.getRepository(AuditEntity).findBy({ action: 'alerts_handed_over' });
  expect(entries.map(({ actorId, subject, detail }) => [actorId, subject, detail])).toEqual([
    [admin.id, `${anna.session?.email} → ${ben.session?.email}`, `alert ${annas}`],
  ]);
});

test('all alerts of a member go to another one, never to themselves', async () => {
  const id = await ownedBy(anna);
  const handOver = (userId: string) => admin.send('POST', `/api/auth/users/${anna.id}/hand-over`, { userId });
  const refused = await handOver(anna.id);
  expect([refused.status, await refused.text()]).toEqual([409, 'They already have these alerts.']);
  await must(handOver(ben.id));
  expect((await stored(id)).ownerId).toBe(ben.id);
});

test('an alert is presented with what it has, and with nothing that it has not', async () => {
  const bare: PresentableAlert = await stored(await pending());
  const plain = present(bare);
  for (const field of ['ownerId', 'folderId', 'resolvedAt', 'snoozedUntil', 'wokenAt', 'assignment', 'touchedAt'])
    expect(plain).not.toHaveProperty(field);
  const at = Date.parse('2026-01-15T12:00:00Z');
  const times = { resolvedAt: at, wokenAt: at, touchedAt: at, snoozedUntil: at, lastSeenAt: at };
  const iso = '2026-01-15T12:00:00.000Z';
  const full = {
    ...bare,
    ...times,
    status: 'accepted' as const,
    ownerId: anna.id,
    folderId: 'f',
    state: 'resolved' as const,
  };
  expect(present(full, 'Anna')).toMatchObject({
    ownerId: anna.id,
    ownerName: 'Anna',
    folderId: 'f',
    resolvedAt: iso,
    wokenAt: iso,
    touchedAt: iso,
    snoozedUntil: iso,
    lastSeenAt: iso,
  });
});
