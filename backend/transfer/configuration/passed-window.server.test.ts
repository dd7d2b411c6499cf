import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type ConfigurationPlan, configurationPlanSchema } from '#backend/contract/configuration.ts';
import { windowListSchema } from '#backend/contract/maintenance.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

const MINUTE_MS = 60_000;

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterEach(() => void vi.useRealTimers());
afterAll(() => server.destroy());

const planOf = async (configuration: object): Promise<ConfigurationPlan> =>
  configurationPlanSchema.parse(
    await (await must(admin.send('POST', '/api/configuration/plan', configuration))).json(),
  );
const apply = (configuration: object, { changes }: ConfigurationPlan) =>
  must(admin.send('POST', '/api/configuration', { configuration, expected: changes }));
const windows = async () => windowListSchema.parse(await (await admin.get('/api/maintenance/windows')).json());

/** A window of a minute that begins in a minute. */
const soon = (name: string) => ({
  name,
  search: '',
  startsAt: new Date(Date.now() + MINUTE_MS).toISOString(),
  minutes: 1,
  timeZone: 'Europe/Berlin',
});
const waitMinutes = (minutes: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * MINUTE_MS });
const named = ({ changes }: ConfigurationPlan) => changes.map(({ action, name }) => `${action} ${name}`);

test('a window whose time passes between plan and run is left out, and the rest is applied', async () => {
  const wanted = { maintenanceWindows: [soon('Move')], groups: [{ name: 'Night', members: [] }] };
  const plan = await planOf(wanted);
  expect(named(plan)).toEqual(['create Move', 'create Night']);
  waitMinutes(3);
  await apply(wanted, plan);
  expect(await windows()).toEqual([]);
  expect(named(await planOf(wanted))).toEqual([]);
});

test('a window that has passed is left as it is, however it was changed in the app', async () => {
  const wanted = { maintenanceWindows: [soon('Move')], groups: [] as object[] };
  await apply(wanted, await planOf(wanted));
  const [made] = await windows();
  await must(admin.send('PATCH', `/api/maintenance/windows/${made?.id}`, { minutes: 2 }));
  const plan = await planOf(wanted);
  expect(named(plan)).toEqual(['change Move']);
  waitMinutes(4);
  await apply(wanted, plan);
  wanted.groups.push({ name: 'Day', members: [] });
  const late = await planOf(wanted);
  expect(named(late)).toEqual(['create Day']);
  await apply(wanted, late);
  expect(await windows()).toMatchObject([{ name: 'Move', minutes: 2 }]);
});
