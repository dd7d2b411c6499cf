import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe.runIf(process.env['TEST_DIALECT'] === 'mysql')('the change of one alert', () => {
  let proxy: MysqlProxy;
  let server: TestServer;
  let admin: TestClient;
  let folderId: string;
  beforeAll(async () => {
    server = await startTestServer({}, {}, async (url) => (proxy = await startMysqlProxy(url)).url);
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

  test('takes seven statements where it is accepted, the first time and with a history', async () => {
    const [id = ''] = await insertAlerts(server.database, [{ customer: 'Nordwind', severity: 'critical' }]);
    const accepting = [
      'START TRANSACTION',
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
      accept: 7,
      status: 7,
      move: 10,
      snooze: 8,
      wake: 8,
      unaccept: 8,
      assign: 8,
      delete: 10,
    });
  });
});
