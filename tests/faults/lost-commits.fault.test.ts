import { createMailSubjects } from '#backend/identity/users/account-link.ts';
import { afterAll, beforeAll, expect, test, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { startReturns } from '#backend/alerts/commands/forgotten.ts';
import { sweep } from '#backend/transfer/retention/retention.ts';
import { wakeDue } from '#backend/alerts/commands/waking.ts';
import { createCountedEntries } from '#backend/identity/audit/counted-entries.ts';
import { auditEntrySchema } from '#backend/contract/audit-entry.ts';
import { deliveryListSchema } from '#backend/contract/delivery.ts';
import { createEventBus } from '#backend/platform/live/event-bus.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { MailEntity, sendDue } from '#backend/platform/mail/mail-queue.ts';
import { importTo, insertAlerts } from '#tests/support/insert-alerts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { type MysqlProxy, startMysqlProxy } from '#tests/support/mysql-proxy.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const isMysql = process.env['TEST_DIALECT'] === 'mysql';
const DAY_MS = 86_400_000;
const never = new AbortController().signal;

let proxy: MysqlProxy;
let server: TestServer;
let admin: TestClient;
let world: SourceWorld;
beforeAll(async () => {
  if (!isMysql) return;
  server = await startTestServer(
    {},
    { isDatabasePatient: true },
    async (url) => (proxy = await startMysqlProxy(url)).url,
  );
  admin = await server.signedIn({ role: 'admin' });
  world = createSourceWorld(server, admin);
});
afterAll(async () => {
  await server?.destroy();
  await proxy?.stop();
});

/** A background job's dependencies, and what a page is sent of what it does to an alert. */
async function jobs(id: string) {
  const page = await listenLive(admin);
  onTestFinished(() => page.socket.terminate());
  const events = createEventBus((error) => expect.unreachable(String(error)));
  const reported = () => page.events.filter((event) => event.type !== 'hello' && JSON.stringify(event).includes(id));
  return { reported, deps: { database: server.database, events, logger: createLogger('silent') } };
}

const trail = async () => z.array(auditEntrySchema).parse(await (await admin.get('/api/audit?limit=500')).json());

// The answer to a commit is cut off, and the commit is made: nobody knows, and everything comes again.
test.runIf(isMysql)('the delivery log goes on, with each delivery once and its counters right', async () => {
  const { source, token } = await world.newSource();
  const { id } = source;
  const list = async () => deliveryListSchema.parse(await (await admin.get(`/api/sources/${id}/deliveries`)).json());
  const post = (title: string) => world.send(`/in/${token}`, { body: JSON.stringify({ title }) });
  await post('Before');
  await waitFor(async () => expect(await list()).toHaveLength(1));
  const lost = proxy.loseCommitOf('INSERT INTO deliver');
  await post('Lost');
  await lost;
  await post('After');
  await waitFor(async () => expect((await list()).map(({ summary }) => summary)).toContain('After'));
  await post('Later');
  await waitFor(async () => expect(await list()).toHaveLength(4));
  const totals: { kind: string; amount: unknown }[] = await server.database.reads.query(
    'SELECT kind, amount FROM delivery_totals WHERE source_id = ? ORDER BY kind',
    [id],
  );
  const rows = await world.logged({ sourceId: id });
  expect(totals.map(({ amount }) => Number(amount))).toEqual([rows.reduce((sum, { bytes }) => sum + bytes, 0), 4]);
  const [hours]: { n: unknown }[] = await server.database.reads.query(
    'SELECT SUM(deliveries) AS n FROM delivery_hours WHERE source_id = ?',
    [id],
  );
  expect(Number(hours?.n)).toBe(4);
});

test.runIf(isMysql)('an alert is a 503, and there once when it is sent again under its key', async () => {
  const key = await server.addApiKey();
  const post = () => admin.post(key, { title: 'Lost alert' }, { 'Idempotency-Key': 'one' });
  const lost = proxy.loseCommitOf('Lost alert');
  expect((await post()).status).toBe(503);
  await lost;
  expect((await post()).status).toBe(202);
  const { reads } = server.database;
  expect(await reads.query("SELECT id FROM alerts WHERE title = 'Lost alert'")).toHaveLength(1);
});

test.runIf(isMysql)(
  'pages are sent what a lost answer hid: an alert, and what a colleague did, and fetch nothing again',
  async () => {
    const key = await server.addApiKey();
    const [id = ''] = await insertAlerts(server.database, [{}]);
    const page = await listenLive(admin);
    const count = (type: string) => page.events.filter((event) => event.type === type).length;
    let lost = proxy.loseCommitOf('Hidden alert');
    expect((await admin.post(key, { title: 'Hidden alert' })).status).toBe(503);
    await lost;
    await waitFor(() => expect(count('new_alert')).toBe(1));
    expect((await admin.alerts('/api/alerts/inbox')).map(({ title }) => title)).toContain('Hidden alert');

    lost = proxy.loseCommitOf('UPDATE `alerts`');
    expect((await admin.send('POST', `/api/alerts/${id}/accept`)).status).toBe(503);
    await lost;
    await waitFor(() => expect(count('alert_accepted')).toBe(1));
    expect(count('hello')).toBe(1);
    expect((await admin.alerts('/api/alerts/mine')).map((alert) => alert.id)).toContain(id);
    page.socket.close();
  },
);

test.runIf(isMysql)('repetitions of a denial are counted once', async () => {
  const { id, email } = await server.addUser();
  const log = createCountedEntries(server.database, 60_000);
  const entry = {
    author: { id, name: email, ip: '127.0.0.1' },
    action: 'refused',
    subject: 'GET /api/auth/users',
  } as const;
  for (let count = 0; count < 3; count += 1) await log.add('call', entry);
  const lost = proxy.loseCommitOf(id);
  await expect(log.flush(true)).rejects.toThrow(/lost|reset|closed/i);
  await lost;
  await log.add('call', entry);
  await log.flush(true);
  const times = (await trail()).filter(({ actorId }) => actorId === id).map((one) => one.times);
  expect(times.reduce((sum, count) => sum + count, 0)).toBe(4);
});

test.runIf(isMysql)('a snoozed alert that woke is reported', async () => {
  const now = Date.now() + DAY_MS;
  const [id = ''] = await insertAlerts(server.database, [{}]);
  await admin.send('POST', `/api/alerts/${id}/snooze`, { minutes: 60 });
  const { reported, deps } = await jobs(id);
  const lost = proxy.loseCommitOf(id);
  await wakeDue({ ...deps, now: () => now }, never).catch(() => undefined);
  await lost;
  await wakeDue({ ...deps, now: () => now + 1 }, never);
  await waitFor(() => expect(reported()).toMatchObject([{ type: 'alert_updated', reason: 'woken', alert: { id } }]));
});

test.runIf(isMysql)('a forgotten alert that returned is reported to its owner', async () => {
  const [id = ''] = await insertAlerts(server.database, [
    { status: 'accepted', ownerId: admin.id, touchedAt: Date.now() },
  ]);
  const { reported, deps } = await jobs(id);
  const lost = proxy.loseCommitOf(id);
  const returns = startReturns({ ...deps, hours: 1, now: () => Date.now() + DAY_MS });
  await lost;
  await waitFor(() =>
    expect(reported().map(({ type }) => type)).toEqual(expect.arrayContaining(['alerts_changed', 'alerts_returned'])),
  );
  expect(reported()).toHaveLength(2);
  await returns.stop();
});

test.runIf(isMysql)('an old alert that was deleted is reported, and the audit trail counts it', async () => {
  const old = Date.now() - 30 * DAY_MS;
  const [id = ''] = await insertAlerts(server.database, [
    { id: '00000000-0000-7000-8000-000000000001', status: 'completed', ownerId: admin.id, receivedAt: old },
  ]);
  const { reported, deps } = await jobs(id);
  const lost = proxy.loseCommitOf(id);
  expect(await sweep({ ...deps, days: 7 }, never)).toBe(1);
  await lost;
  await waitFor(() => expect(reported()).toEqual([{ type: 'alert_deleted', alertId: id }]));
  const entries = (await trail()).filter(({ action }) => action === 'alerts_expired');
  expect(entries.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^1 completed alert /)]);
});

test.runIf(isMysql)('a mail is sent once', async () => {
  const { database } = server;
  const sealed = { seal: (plain: string) => plain, open: (text: string) => text };
  const mail = { to: 'someone@example.com', subject: 'Lost', text: 'Lost' };
  const moment = Date.now();
  const row = { linkId: null, userId: null, attempts: 0, nextAt: 0, expiresAt: moment + DAY_MS, createdAt: moment };
  const id = '00000000-0000-7000-8000-000000000002';
  await database.transaction((tx) => tx.getRepository(MailEntity).insert({ id, sealed: JSON.stringify(mail), ...row }));
  const sent: unknown[] = [];
  const transport = {
    send: async (one: unknown) => {
      sent.push(one);
      return [];
    },
  };
  const deps = {
    database,
    logger: createLogger('silent'),
    sealing: sealed,
    transport,
    subjects: createMailSubjects(database),
    retriesMs: [0, 0, 0],
  };
  // First the answer to the claim is lost, then the one to its end.
  for (const statement of ['UPDATE `mails`', 'DELETE FROM `mails`']) {
    const lost = proxy.loseCommitOf(statement);
    await sendDue(deps as unknown as Parameters<typeof sendDue>[0], never).catch(() => undefined);
    await lost;
  }
  await sendDue(deps as unknown as Parameters<typeof sendDue>[0], never);
  expect(sent).toHaveLength(1);
  expect(await database.reads.getRepository(MailEntity).countBy({ id })).toBe(0);
});

test.runIf(isMysql)('an import that is sent again stores each alert once, and the audit trail names it', async () => {
  const { source } = await world.newSource();
  const { path, body } = importTo(source.id);
  const lost = proxy.loseCommitOf('Disk full');
  expect((await admin.send('POST', path, body)).status).toBe(503);
  await lost;
  expect((await admin.send('POST', path, body)).status).toBe(200);
  const { reads } = server.database;
  expect(await reads.query('SELECT id FROM alerts WHERE source_id = ?', [source.id])).toHaveLength(1);
  expect((await trail()).filter(({ action }) => action === 'alerts_imported')).toHaveLength(1);
});
