import { expect, onTestFinished, test } from 'vitest';
import { ruleDryRunSchema } from '#backend/contract/rule.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type MysqlProxy, startMysqlProxy } from '#tests/support/mysql-proxy.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

/** How much later each answer of the database comes, in milliseconds: connecting alone takes several. */
const SLOW_MS = 300;

test.runIf(process.env['TEST_DIALECT'] === 'mysql')(
  'a dry run judges the newest alerts also where the database takes seconds to be reached',
  async () => {
    let proxy: MysqlProxy | undefined;
    const server = await startTestServer(
      {},
      { isDatabasePatient: true },
      async (url) => (proxy = await startMysqlProxy(url)).url,
    );
    onTestFinished(async () => {
      await server.destroy();
      await proxy?.stop();
    });
    const admin = await server.signedIn({ role: 'admin' });
    await insertAlerts(
      server.database,
      Array.from({ length: 30 }, () => ({ customer: 'Nordwind', severity: 'critical' as const })),
    );
    const rule = { search: 'customer:Nordwind', actions: { severity: 'low' }, isOn: true };
    proxy?.delay(SLOW_MS);
    const answer = await must(admin.send('POST', '/api/rules/dry-run', { rule }));
    proxy?.delay(0);
    expect(ruleDryRunSchema.parse(await answer.json())).toMatchObject({ total: 30, judged: 30, changed: 30 });
  },
);
