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

test('a repeating window whose last time has passed is left out, and another is made', async () => {
  const startsAt = new Date(Date.now() - 60 * MINUTE_MS).toISOString().replace(/\.\d+/, '');
  const until = startsAt.replaceAll(/[-:]/g, '');
  const began = (name: string, rrule: string) => ({ ...soon(name), startsAt, rrule });
  const maintenanceWindows = [
    began('Counted', 'FREQ=DAILY;COUNT=1'),
    began('Until', `FREQ=DAILY;UNTIL=${until}`),
    began('Nightly', 'FREQ=DAILY'),
  ];
  expect(named(await planOf({ maintenanceWindows }))).toEqual(['create Nightly']);
});

test('a repeating window with a rule that none can have is wrong, and not over', async () => {
  const wanted = { maintenanceWindows: [{ ...soon('Wrong'), rrule: 'FREQ=NEVER' }] };
  const answer = await admin.send('POST', '/api/configuration/plan', wanted);
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('maintenanceWindows.0.rrule')]);
});

test('a window that was never on is wrong, and not over, with the words of the app', async () => {
  const yesterday = new Date(Date.now() - 24 * 60 * MINUTE_MS).toISOString().slice(0, 10).replaceAll('-', '');
  const wanted = { ...soon('Updates'), rrule: `FREQ=DAILY;UNTIL=${yesterday}` };
  const made = await admin.send('POST', '/api/maintenance/windows', wanted);
  const said = 'By this rule it is never on again.';
  expect([made.status, await made.text()]).toEqual([422, expect.stringContaining(said)]);
  const answer = await admin.send('POST', '/api/configuration/plan', { maintenanceWindows: [wanted] });
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(said)]);
});

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
