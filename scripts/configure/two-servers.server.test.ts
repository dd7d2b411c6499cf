import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ConfigurationPlan,
  configurationPlanSchema,
  configurationResultSchema,
} from '#backend/contract/configuration.ts';
import type { Alert } from '#backend/contract/alert.ts';
import { type TestRedis, hasCluster, startRedis } from '#tests/support/redis.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

const planAt = async (admin: TestClient, configuration: object): Promise<ConfigurationPlan> => {
  const answer = await admin.send('POST', '/api/configuration/plan', configuration);
  if (answer.status !== 200) throw new Error(await answer.text());
  return configurationPlanSchema.parse(await answer.json());
};
const runAt = (admin: TestClient, configuration: object, { changes }: ConfigurationPlan): Promise<Response> =>
  admin.send('POST', '/api/configuration', { configuration, expected: changes });

describe.skipIf(!hasCluster)('two servers', () => {
  let redis: TestRedis;
  let one: TestServer;
  let other: TestServer;
  /** The same administrator at each of them. */
  let admins: { one: TestClient; other: TestClient };
  beforeAll(async () => {
    redis = await startRedis();
    one = await startTestServer({ REDIS_URL: redis.url });
    other = await one.startSecond();
    const admin = await one.signedIn({ role: 'admin' });
    admins = { one: admin, other: admin.at(other.url) };
  });
  afterAll(async () => {
    await other?.stop();
    await one?.destroy();
    await redis?.stop();
  });

  test('of two runs of one plan, each at another server, one is applied', async () => {
    for (let round = 0; round < 5; round += 1) {
      const wanted = {
        sources: [{ name: `Race ${round}` }],
        groups: [{ name: `Night ${round}`, members: [] }],
        views: [{ name: `View ${round}`, list: 'inbox', search: 'severity:critical' }],
      };
      const plans = [await planAt(admins.one, wanted), await planAt(admins.other, wanted)] as const;
      expect(plans[1].changes).toEqual(plans[0].changes);
      const answers = await Promise.all([runAt(admins.one, wanted, plans[0]), runAt(admins.other, wanted, plans[1])]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      for (const admin of Object.values(admins)) expect((await planAt(admin, wanted)).changes).toEqual([]);
    }
  });

  test('what is applied at one decides about what arrives at the other', async () => {
    const wanted = {
      sources: [{ name: 'Grafana' }],
      rules: [{ name: 'Updates are low', search: 'type:update', actions: { severity: 'low' } }],
      maintenanceWindows: [
        {
          name: 'Now',
          search: 'type:restart',
          startsAt: new Date().toISOString(),
          minutes: 30,
          timeZone: 'Europe/Berlin',
        },
      ],
    };
    const answer = await runAt(admins.one, wanted, await planAt(admins.one, wanted));
    const { secrets } = configurationResultSchema.parse(await answer.json());
    const key = secrets.find(({ section }) => section === 'sources')?.key ?? '';
    const post = async (alertType: string): Promise<Alert | undefined> => {
      expect((await other.anonymous().post(key, { alertType, severity: 'critical' })).status).toBe(202);
      return (await admins.other.alerts('/api/alerts/inbox')).find((alert) => alert.alertType === alertType);
    };
    await expect.poll(async () => (await other.anonymous().post(key, { alertType: 'probe' })).status).toBe(202);
    await expect.poll(async () => (await post('update'))?.severity).toBe('low');
    await expect.poll(async () => (await post('restart'))?.quietBy?.name).toBe('Now');

    const none = { sources: [], rules: [] };
    expect((await runAt(admins.other, none, await planAt(admins.other, none))).status).toBe(200);
    await expect.poll(async () => (await one.anonymous().post(key, { alertType: 'late' })).status).toBe(401);
  });
});
