import { In } from 'typeorm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { CHANGE_CONNECTIONS } from '#backend/platform/database/transaction.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type MysqlProxy, startMysqlProxy } from '#tests/support/mysql-proxy.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

/** What a statement does, and to which tables. */
function nameOf(statement: string): string {
  const verb = /^\w+/.exec(statement)?.[0] ?? '';
  if (verb === 'START' || verb === 'COMMIT') return statement;
  const before = { UPDATE: /^UPDATE `?(\w+)/g, INSERT: /^INSERT INTO `?(\w+)/g }[verb] ?? /\bFROM `?(\w+)/g;
  return [verb, ...[...statement.matchAll(before)].map(([, table]) => table)].join(' ');
}

/** The transaction that updates this alert. */
const updating = (ended: readonly string[][], id: string): string[] =>
  ended.find((statements) => statements.some((one) => one.startsWith('UPDATE') && one.includes(id))) ?? [];

describe.runIf(process.env['TEST_DIALECT'] === 'mysql')('the change of one alert', () => {
  let proxy: MysqlProxy;
  let server: TestServer;
  let admin: TestClient;
  let folderId: string;
  beforeAll(async () => {
    server = await startTestServer(
      {},
      { isDatabasePatient: true },
      async (url) => (proxy = await startMysqlProxy(url)).url,
    );
    admin = await server.signedIn({ role: 'admin' });
    const folder = await admin.send('POST', '/api/folders', { name: 'Filed', color: 'blue' });
    ({ id: folderId } = (await folder.json()) as { id: string });
  });
  afterAll(async () => {
    await server.destroy();
    await proxy.stop();
  });

  /** The statements of the transaction that changes this alert. */
  async function statementsOf(id: string, method: string, path: string, body?: object): Promise<string[]> {
    const before = proxy.transactions().length;
    const { status } = await admin.send(method, path, body);
    expect([path, status]).toEqual([path, status === 204 ? 204 : 200]);
    const found = proxy
      .transactions()
      .slice(before)
      .find((statements) => statements.some((statement) => statement.includes(id)));
    return found?.map(nameOf) ?? [];
  }

  test('takes six statements where it is accepted, the first time and with a history', async () => {
    const [id = ''] = await insertAlerts(server.database, [{ customer: 'Nordwind', severity: 'critical' }]);
    const accepting = [
      'SELECT alert_history sessions alerts',
      'UPDATE alerts',
      'INSERT alert_history',
      'INSERT alert_counts',
      'INSERT changes',
      'COMMIT',
    ];
    expect(await statementsOf(id, 'POST', `/api/alerts/${id}/accept`)).toEqual(accepting);
    expect(await statementsOf(id, 'POST', `/api/alerts/${id}/unaccept`)).toEqual(accepting);
    expect(await statementsOf(id, 'POST', `/api/alerts/${id}/accept`)).toEqual(accepting);
  });

  test('is begun by a statement of its own where the session did not keep what was set', async () => {
    const own: MysqlProxy[] = [];
    const behind = await startTestServer({}, { isDatabasePatient: true }, async (url) => {
      const sharing = await startMysqlProxy(url);
      sharing.keepAutocommit();
      own.push(sharing);
      return sharing.url;
    });
    onTestFinished(async () => {
      await behind.destroy();
      for (const sharing of own) await sharing.stop();
    });
    const [id = ''] = await insertAlerts(behind.database, [{ customer: 'Nordwind' }]);
    const member = await behind.signedIn();
    expect((await member.send('POST', `/api/alerts/${id}/accept`)).status).toBe(200);
    expect(updating(own[0]?.transactions() ?? [], id).map(nameOf)).toEqual([
      'SELECT alert_history sessions alerts',
      'START TRANSACTION',
      'SELECT alert_history sessions alerts',
      'UPDATE alerts',
      'INSERT alert_history',
      'INSERT alert_counts',
      'INSERT changes',
      'COMMIT',
    ]);
  });

  test('is begun as every transaction while more are open than connections are kept for it', async () => {
    const count = CHANGE_CONNECTIONS + 2;
    const ids = await insertAlerts(
      server.database,
      Array.from({ length: count }, () => ({ customer: 'Nordwind' })),
    );
    const before = proxy.transactions().length;
    let accepted: Promise<Response[]> | undefined;
    await server.database.transaction(async (tx) => {
      await tx.lockRows(AlertEntity, { id: In(ids) }, ['id']);
      accepted = Promise.all(ids.map((id) => admin.send('POST', `/api/alerts/${id}/accept`)));
      await vi.waitUntil(
        async () => {
          const sql =
            'SELECT id FROM information_schema.PROCESSLIST WHERE db = DATABASE() AND id <> CONNECTION_ID() ' +
            "AND info LIKE '%FROM `alerts`%FOR UPDATE%'";
          // By the transaction itself, which the database would end if it rested for so long.
          return ((await tx.query(sql)) as unknown[]).length === count;
        },
        { timeout: 20_000 },
      );
    });
    expect((await accepted)?.map(({ status }) => status)).toEqual(ids.map(() => 200));
    const ended = proxy.transactions().slice(before);
    const lengths = ids.map((id) => updating(ended, id).length);
    expect(lengths.toSorted()).toEqual([6, 6, 6, 6, 7, 7]);
  });

  test('takes few more where more is written', async () => {
    const [id = ''] = await insertAlerts(server.database, [{ customer: 'Nordwind', severity: 'critical' }]);
    const colleague = await server.addUser({});
    const steps = [
      ['POST', `/api/alerts/${id}/accept`],
      ['PATCH', `/api/webhooks/${id}/status`, { status: 'in-progress' }],
      ['PATCH', `/api/webhooks/${id}/move`, { folderId }],
      ['POST', `/api/alerts/${id}/snooze`, { minutes: 60 }],
      ['POST', `/api/alerts/${id}/wake`],
      ['POST', `/api/alerts/${id}/unaccept`],
      ['POST', `/api/alerts/${id}/assign`, { userId: colleague.id }],
      ['DELETE', `/api/webhooks/${id}`],
    ] as const;
    const counts: [string, number][] = [];
    for (const [method, path, body] of steps) {
      const name = path.split('/').at(-1) ?? '';
      counts.push([name === id ? 'delete' : name, (await statementsOf(id, method, path, body)).length]);
    }
    expect(Object.fromEntries(counts)).toEqual({
      accept: 6,
      status: 6,
      move: 10,
      snooze: 7,
      wake: 7,
      unaccept: 7,
      assign: 8,
      delete: 9,
    });
  });
});
