import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveryListSchema, mappingPreviewSchema } from '#backend/contract/delivery.ts';
import type { Mapping } from '#backend/contract/mapping.ts';
import { type Source, sourceSchema, sourceWithSecretsSchema } from '#backend/contract/source.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

async function addSource(mapping: Mapping): Promise<{ source: Source; key: string }> {
  const settings = { mapping };
  const answer = await admin.send('POST', '/api/sources', { name: crypto.randomUUID(), adapter: 'generic', settings });
  const { source, plain } = sourceWithSecretsSchema.parse(await answer.json());
  return { source, key: plain.key ?? '' };
}

const logOf = async (id: string) =>
  deliveryListSchema.parse(await (await admin.get(`/api/sources/${id}/deliveries`)).json());

const NO_STAGING = { name: 'staging', path: 'env', test: 'is', value: 'staging' } as const;

test('a mapping splits, names, grades, resolves and leaves out, and the log says so', async () => {
  const { source, key } = await addSource({
    title: '{{name}} is {{status}}',
    dedupKey: 'name',
    state: 'status',
    severity: 'level',
    values: {
      state: { rows: [{ from: 'up', to: 'resolved' }], otherwise: 'firing' },
      severity: { rows: [{ from: '1', to: 'critical' }] },
    },
    split: 'checks',
    noAlertWhen: [NO_STAGING],
  });
  const checks = [
    { name: 'shop', status: 'sideways', level: 1 },
    { name: 'mail', status: 'down' },
    { name: 'lab', status: 'down', env: 'staging' },
  ];
  await admin.postAlert(key, { checks });
  await expect.poll(async () => (await logOf(source.id)).length).toBe(1);
  expect((await logOf(source.id))[0]).toMatchObject({
    outcome: 'new',
    summary: 'shop is sideways · 1 left out: staging',
    newAlerts: 2,
  });
  await admin.postAlert(key, { checks: [{ name: 'shop', status: 'up' }] });
  await admin.postAlert(key, { checks: [checks[2]] });
  await expect.poll(async () => (await logOf(source.id)).length).toBe(3);
  const [ignored, resolved] = await logOf(source.id);
  expect(ignored).toMatchObject({ outcome: 'ignored', summary: 'No alert when: staging', alerts: 0 });
  expect(resolved).toMatchObject({ outcome: 'resolved' });
  const open = (await (await admin.get('/api/alerts/inbox')).json()) as { title: string }[];
  expect(open.map(({ title }) => title)).toEqual(['mail is down']);
});

test('what past deliveries would become is shown, and nothing is stored', async () => {
  const { source, key } = await addSource({});
  for (const env of ['prod', 'staging']) {
    await admin.postAlert(key, { title: 'Disk full', env, items: [{ title: 'A' }, { title: 'B' }] });
  }
  await expect.poll(async () => (await logOf(source.id)).length).toBe(2);
  const preview = async (mapping: Mapping) => {
    const answer = await admin.send('POST', `/api/sources/${source.id}/mapping-preview`, { mapping });
    expect(answer.status).toBe(200);
    return mappingPreviewSchema.parse(await answer.json());
  };
  expect(await preview({})).toMatchObject({ differ: 0, notRead: 0 });
  const renamed = await preview({ title: '{{title}} in {{env}}', noAlertWhen: [NO_STAGING] });
  expect(renamed.differ).toBe(2);
  expect(renamed.deliveries).toMatchObject([
    { saved: { alerts: 1 }, draft: { alerts: 0, ignored: 'No alert when: staging' }, changed: [] },
    { saved: { title: 'Disk full' }, draft: { alerts: 1, title: 'Disk full in prod' }, changed: ['title'] },
  ]);
  expect((await preview({ split: 'items' })).deliveries[0]!.draft).toMatchObject({ alerts: 2, title: 'A' });
  // A part with an error is left out.
  expect(await preview({ title: '{{title' })).toMatchObject({ differ: 0 });
  expect(await logOf(source.id)).toHaveLength(2);
  expect(
    (
      await server
        .signedIn({ role: 'user' })
        .then((member) => member.send('POST', `/api/sources/${source.id}/mapping-preview`, { mapping: {} }))
    ).status,
  ).toBe(403);
});

test('a mapping of as many characters as there may be is previewed and saved in any script', async () => {
  const { source } = await addSource({});
  const mapping = {
    title: 'name',
    values: { title: { rows: Array.from({ length: 100 }, (_, n) => ({ from: `${n}`, to: '警'.repeat(290) })) } },
  };
  const preview = await admin.send('POST', `/api/sources/${source.id}/mapping-preview`, { mapping });
  const saved = await admin.send('PATCH', `/api/sources/${source.id}`, { settings: { mapping } });
  const made = await admin.send('POST', '/api/sources', { name: crypto.randomUUID(), settings: { mapping } });
  expect([preview.status, saved.status, made.status]).toEqual([200, 200, 201]);
});

test('a mapping with an error is not saved, and the answer says where', async () => {
  const { source } = await addSource({ title: 'message' });
  const save = (mapping: object) => admin.send('PATCH', `/api/sources/${source.id}`, { settings: { mapping } });
  const refused = await save({ title: '{{a', noAlertWhen: [{ ...NO_STAGING, path: 'a[' }] });
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('title: Line 1, character 1: {{ is not closed.');
  const rows = Array.from({ length: 100 }, (_, n) => ({ from: `${n}`, to: 'x'.repeat(300) }));
  for (const mapping of [
    { values: { title: { rows: [...rows, { from: 'a', to: 'b' }] } } },
    { title: 't', customer: 'c', values: { title: { rows }, customer: { rows } } },
    { noAlertWhen: [{ ...NO_STAGING, test: 'regex' }] },
    { noAlertWhen: Array.from({ length: 21 }, () => NO_STAGING) },
    { note: 'x' },
  ]) {
    expect((await save(mapping)).status).toBeGreaterThanOrEqual(400);
    expect((await save(mapping)).status).toBeLessThan(500);
  }
  const now = sourceSchema.parse(await (await admin.get(`/api/sources/${source.id}`)).json());
  expect(now.settings.mapping).toEqual({ title: 'message' });
});
