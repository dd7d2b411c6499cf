import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AlertImportResult, type ImportedAlert, alertImportResultSchema } from '#backend/contract/alert-import.ts';
import { AlertEntity, type StoredAlert } from '#backend/alerts/alert/alert.ts';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const BEGAN = '2026-09-01T08:00:00.000Z';

let server: TestServer;
let admin: TestClient;
let anna: TestClient;
let sourceId: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin', displayName: 'Admin' });
  anna = await server.signedIn({ displayName: 'Anna' });
});
beforeEach(async () => {
  const made = await admin.send('POST', '/api/sources', { name: crypto.randomUUID(), adapter: 'opsgenie' });
  sourceId = sourceWithSecretsSchema.parse(await made.json()).source.id;
});
afterEach(() => expectTrueCounts(server.database));
afterAll(() => server.destroy());

const alertWith = (change: Partial<ImportedAlert> = {}): ImportedAlert => ({
  dedupKey: 'disk',
  title: 'Disk full',
  severity: 'high',
  createdAt: BEGAN,
  payload: { message: 'Disk full', tags: ['db'] },
  ...change,
});

const post = (alerts: ImportedAlert[], more: { isDryRun?: boolean } = {}) =>
  admin.send('POST', `/api/sources/${sourceId}/import`, { system: 'Opsgenie', alerts, ...more });

async function imported(alerts: ImportedAlert[], more: { isDryRun?: boolean } = {}): Promise<AlertImportResult> {
  const answer = await post(alerts, more);
  expect([answer.status, answer.status === 200 || (await answer.text())]).toEqual([200, true]);
  return alertImportResultSchema.parse(await answer.json());
}

const stored = (): Promise<StoredAlert[]> =>
  server.database.reads.getRepository(AlertEntity).find({ where: { sourceId }, order: { id: 'ASC' } });

const historyOf = async (id: string) =>
  (await (await admin.get(`/api/alerts/${id}/history`)).json()) as Record<string, unknown>[];

describe('importing alerts', () => {
  test('keeps payloads as they are written, with every digit and in their order', async () => {
    const payload = '{"b":820982911946154508, "1":1.10,"message":"Disk full \\u2014 web-1"}';
    const { payload: _, ...alert } = alertWith();
    const send = (text: string) =>
      admin.sendText(
        'POST',
        `/api/sources/${sourceId}/import`,
        `{"system":"Other","alerts":[${JSON.stringify(alert).slice(0, -1)},"payload":${text}}]}`,
      );
    expect((await send(payload)).status).toBe(200);
    expect((await stored()).map((row) => row.payload)).toEqual([payload]);
    expect((await send(`{"a":${'['.repeat(64)}${']'.repeat(64)}}`)).status).toBe(422);
  });

  test('stores them with the time at which they began, as every other alert', async () => {
    const [result] = await imported([
      alertWith({ customer: ' Nordwind \n AG ', alertType: 'disk', link: 'https://x.example' }),
    ]);
    expect(result).toMatchObject({ outcome: 'new', isOwned: false });
    expect(await stored()).toMatchObject([
      {
        id: result?.alertId,
        receivedAt: Date.parse(BEGAN),
        status: 'pending',
        title: 'Disk full',
        severity: 'high',
        state: 'firing',
        customer: 'Nordwind AG',
        sender: 'opsgenie',
        dedupKey: 'disk',
        url: 'https://x.example',
        payload: '{"message":"Disk full","tags":["db"]}',
      },
    ]);
    expect(await historyOf(result?.alertId ?? '')).toMatchObject([{ action: 'received', createdAt: BEGAN }]);
    const entries = await server.database.reads.getRepository(AuditEntity).findBy({ action: 'alerts_imported' });
    expect(entries.at(-1)?.subject).toMatch(/: 1 from Opsgenie$/);
  });

  test('gives an alert without a title the one that its payload names', async () => {
    await imported([alertWith({ title: null, payload: { check: { name: 'Webshop' }, state: 'down' } })]);
    expect((await stored()).map(({ title }) => title)).toEqual(['Webshop is down']);
  });

  test('takes no link but one that begins with http:// or https://', async () => {
    const links = [
      'javascript:alert(1)',
      ' JavaScript:alert(1)',
      'data:text/html,x',
      '//x.example',
      'file:///etc/passwd',
    ];
    await imported([...links, ' https://x.example/1 '].map((link) => alertWith({ link, dedupKey: link })));
    expect((await stored()).map(({ url }) => url)).toEqual([...links.map(() => '/import'), 'https://x.example/1']);
  });

  test('stores each dedup key once: in one call, again, and when it is completed', async () => {
    const first = await imported([alertWith(), alertWith({ title: 'The same' }), alertWith({ dedupKey: 'cpu' })]);
    expect(first.map(({ outcome }) => outcome)).toEqual(['new', 'known', 'new']);
    const id = first[0]?.alertId ?? '';
    await admin.send('POST', `/api/alerts/${id}/accept`);
    await admin.send('PATCH', `/api/webhooks/${id}/status`, { status: 'completed' });
    const again = await imported([alertWith({ ownerId: anna.id }), alertWith({ dedupKey: 'cpu' })]);
    expect(again).toMatchObject([
      { outcome: 'known', alertId: id, isOwned: false },
      { outcome: 'known', alertId: first[2]?.alertId },
    ]);
    expect(await stored()).toMatchObject([
      { status: 'completed', occurrences: 1, ownerId: admin.id },
      { status: 'pending', occurrences: 1 },
    ]);
  });

  test('takes a dedup key with spaces behind it for the one without', async () => {
    const [spaced] = await imported([alertWith({ dedupKey: 'disk ' })]);
    expect(spaced?.outcome).toBe('new');
    expect(await imported([alertWith(), alertWith({ dedupKey: 'disk  ' }), alertWith({ dedupKey: 'disk' })])).toEqual(
      Array.from({ length: 3 }, () => ({ ...spaced, outcome: 'known' })),
    );
    expect((await imported([alertWith({ dedupKey: 'DISK ' })]))[0]?.outcome).toBe('new');
    expect((await imported([alertWith({ dedupKey: '  ' })]))[0]?.outcome).toBe('new');
    expect((await imported([alertWith({ dedupKey: ' ' })], { isDryRun: true }))[0]?.outcome).toBe('known');
    expect((await stored()).map(({ dedupKey }) => dedupKey)).toEqual([
      'disk',
      'DISK',
      expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    ]);
  });

  test('stores each dedup key once when the same import runs many times at once', async () => {
    const alerts = Array.from({ length: 20 }, (_, number) => alertWith({ dedupKey: `k${number}`, ownerId: anna.id }));
    const runs = await Promise.all(Array.from({ length: 6 }, () => imported(alerts)));
    const all = await stored();
    expect(all.map(({ dedupKey }) => dedupKey).toSorted()).toEqual(alerts.map(({ dedupKey }) => dedupKey).toSorted());
    expect(runs.flat().filter(({ outcome }) => outcome === 'new')).toHaveLength(20);
    expect(all.every(({ ownerId, occurrences }) => ownerId === anna.id && occurrences === 1)).toBe(true);
    const entries = await historyOf(all[0]?.id ?? '');
    expect(entries.filter(({ action }) => action !== 'received')).toHaveLength(1);
  });

  test('gives an acknowledged alert to its owner, and says in its history where it is from', async () => {
    const [result] = await imported([alertWith({ state: 'acknowledged', ownerId: anna.id })]);
    expect(result?.isOwned).toBe(true);
    expect(await stored()).toMatchObject([{ status: 'accepted', state: 'acknowledged', ownerId: anna.id }]);
    expect(await historyOf(result?.alertId ?? '')).toMatchObject([
      { action: 'assigned', assigneeName: 'Anna', userDisplayName: 'Admin', note: 'Imported from Opsgenie.' },
      { action: 'received' },
    ]);
  });

  test('gives an alert to an owner who was missing, unless somebody has changed it', async () => {
    const both = [alertWith(), alertWith({ dedupKey: 'cpu' })];
    const [first, second] = await imported(
      both.map(({ dedupKey }) => alertWith({ dedupKey, ownerId: crypto.randomUUID() })),
    );
    expect([first?.isOwned, second?.isOwned]).toEqual([false, false]);
    await admin.send('POST', `/api/alerts/${second?.alertId}/accept`);
    await admin.send('POST', `/api/alerts/${second?.alertId}/unaccept`);
    const again = await imported(both.map(({ dedupKey }) => alertWith({ dedupKey, ownerId: anna.id })));
    expect(again).toMatchObject([
      { outcome: 'known', isOwned: true },
      { outcome: 'known', isOwned: false },
    ]);
    expect(await stored()).toMatchObject([{ ownerId: anna.id }, { ownerId: null, status: 'pending' }]);
  });

  test('gives nothing to who is disabled', async () => {
    const gone = await server.addUser({ isActive: false });
    expect(await imported([alertWith({ ownerId: gone.id })], { isDryRun: true })).toMatchObject([{ isOwned: false }]);
    expect(await imported([alertWith({ ownerId: gone.id })])).toMatchObject([{ outcome: 'new', isOwned: false }]);
    expect(await stored()).toMatchObject([{ ownerId: null }]);
  });

  test('notifies nobody, and open pages have the alerts', async () => {
    const live = await listenLive(anna);
    const [result] = await imported([alertWith({ ownerId: anna.id })]);
    await waitFor(() => expect(live.events.map(({ type }) => type)).toContain('lists_changed'));
    const event = live.events.find(({ type }) => type === 'new_alert');
    expect(event).toMatchObject({ alert: { id: result?.alertId }, quiet: true });
    expect(live.events.filter(({ type }) => type === 'member_notified' || type === 'alerts_changed')).toEqual([]);
    live.socket.close();
  });

  test('stores nothing in a dry run, and says what would be', async () => {
    await imported([alertWith()]);
    const results = await imported(
      [alertWith(), alertWith({ dedupKey: 'cpu', ownerId: anna.id }), alertWith({ dedupKey: 'cpu' })],
      { isDryRun: true },
    );
    expect(results.map(({ outcome, isOwned }) => [outcome, isOwned])).toEqual([
      ['known', false],
      ['new', true],
      ['known', false],
    ]);
    expect(await stored()).toHaveLength(1);
  });

  test.each([
    ['no alerts', { alerts: [] }],
    ['101 alerts', { alerts: Array.from({ length: 101 }, () => alertWith()) }],
    ['a time that is none', { alerts: [alertWith({ createdAt: 'yesterday' })] }],
    ['no dedup key', { alerts: [alertWith({ dedupKey: '' })] }],
  ])('refuses %s', async (_what, body) => {
    const answer = await admin.send('POST', `/api/sources/${sourceId}/import`, { system: 'Opsgenie', ...body });
    expect(answer.status).toBe(422);
    expect(await stored()).toEqual([]);
  });

  test('bounds long texts, and counts the future as now', async () => {
    const before = Date.now();
    await imported([
      alertWith({ dedupKey: 'k'.repeat(500), title: 'x'.repeat(500), createdAt: '2099-01-01T00:00:00Z' }),
    ]);
    const [alert] = await stored();
    expect(alert?.title).toHaveLength(300);
    expect(alert?.dedupKey).toMatch(/^sha256:/);
    expect(alert?.receivedAt).toBeGreaterThanOrEqual(before);
    expect(alert?.receivedAt).toBeLessThanOrEqual(Date.now());
    expect(await imported([alertWith({ dedupKey: 'k'.repeat(500) })])).toMatchObject([{ outcome: 'known' }]);
  });

  test('is a 404 for a source that does not exist', async () => {
    sourceId = crypto.randomUUID();
    expect((await post([alertWith()])).status).toBe(404);
  });
});
