import { expect, onTestFinished, test } from 'vitest';
import { alertListSchema } from '#backend/contract/alert.ts';
import { ruleDryRunSchema } from '#backend/contract/rule.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type MysqlProxy, startMysqlProxy } from '#tests/support/mysql-proxy.ts';
import { makeRule, newRule } from '#tests/support/rule-calls.ts';
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

test('a dry run says what a rule does whose alerts another rule would assign to a disabled member', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  const admin = await server.signedIn({ role: 'admin' });
  const disabled = await server.signedIn({ displayName: 'Ann Ashby' });
  const search = 'customer:Nordwind';
  await makeRule({ admin }, { search, actions: { assigneeId: disabled.id } });
  await must(admin.send('PATCH', `/api/auth/users/${disabled.id}/toggle-active`));
  const apiKey = await server.addApiKey();
  await admin.postAlert(apiKey, { customer: 'Nordwind', title: 'First' });

  const snoozing = newRule({ search, actions: { snoozeMinutes: 60 } });
  const tried = await must(admin.send('POST', '/api/rules/dry-run', { rule: { ...snoozing, isOn: true } }));
  expect(ruleDryRunSchema.parse(await tried.json())).toMatchObject({
    changed: 1,
    fewerNotifications: 1,
    byKind: { quiet: 1, people: 0 },
    examples: [{ before: { notify: 'usual' }, after: { snoozeMinutes: 60 } }],
  });
  await must(admin.send('POST', '/api/rules', snoozing));
  await admin.postAlert(apiKey, { customer: 'Nordwind', title: 'Second' });
  const alerts = alertListSchema.parse(await (await admin.get('/api/alerts/all')).json());
  expect(alerts.map(({ title, snoozedUntil }) => [title, snoozedUntil === undefined])).toEqual([
    ['Second', false],
    ['First', true],
  ]);
});
