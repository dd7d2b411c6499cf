import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ViewEntity } from '#backend/alerts/views/view.ts';
import {
  type Configuration,
  type ConfigurationPlan,
  SECTION_NAMES,
  configurationPlanSchema,
  configurationSchema,
} from '#backend/contract/configuration.ts';
import { problemSchema } from '#backend/contract/problem.ts';
import { SessionEntity } from '#backend/identity/sessions/session-store.ts';
import { HeartbeatEntity } from '#backend/intake/heartbeats/heartbeat-entities.ts';
import { Complaint } from '#scripts/complaint.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { untilQueued } from '#tests/support/until-queued.ts';
import { configure } from './main.ts';

let server: TestServer;
let admin: TestClient;
let dir: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'alertdesk-configure-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
  await apply(Object.fromEntries(SECTION_NAMES.map((name) => [name, []])));
});
afterAll(() => server.destroy());

const AS_JSON = { Accept: 'application/json' };
const planOf = async (configuration: object): Promise<ConfigurationPlan> =>
  configurationPlanSchema.parse(await (await admin.send('POST', '/api/configuration/plan', configuration)).json());
const send = (configuration: object, { changes }: ConfigurationPlan) =>
  admin.send('POST', '/api/configuration', { configuration, expected: changes }, AS_JSON);
const apply = async (configuration: object): Promise<void> => {
  expect((await send(configuration, await planOf(configuration))).status).toBe(200);
};
const read = async (): Promise<Configuration> =>
  configurationSchema.parse(await (await admin.get('/api/configuration')).json());

test('a search of a view that is not understood is one mistake of several, each with its line', async () => {
  const file = join(dir, 'alertdesk.yaml');
  await apply({ views: [{ name: 'There', list: 'inbox' }] });
  await writeFile(
    file,
    `rules:
  - name: Noise
    search: severity:loud
    actions: { severity: low }
views:
  - name: There
    list: inbox
    search: severity:terrible
  - name: New
    list: inbox
    search: severity:awful
`,
  );
  const environment = { ALERTDESK_EMAIL: admin.session?.email, ALERTDESK_PASSWORD: TEST_PASSWORD };
  const surroundings = { environment, print: () => undefined, question: undefined };
  const said = await configure([file, '--yes', '--url', server.url], surroundings).catch((error: unknown) => error);
  expect(said).toBeInstanceOf(Complaint);
  const lines = (said as Complaint).message.split('\n');
  expect(lines.slice(0, 3).map((line) => line.slice(file.length))).toEqual([
    expect.stringMatching(/^:3:\d+: rules "Noise", search: severity: takes/),
    expect.stringMatching(/^:8:\d+: views "There", search: severity: takes/),
    expect.stringMatching(/^:11:\d+: views "New", search: severity: takes/),
  ]);
  expect(lines.slice(3)).toEqual(['Nothing was changed.']);
  expect(await read()).toMatchObject({ rules: [], views: [{ name: 'There', search: '' }] });
});

test('a source that requires a signature without its secret is wrong where the secret belongs', async () => {
  const file = join(dir, 'alertdesk.yaml');
  await writeFile(
    file,
    'sources:\n  - name: Hub\n    auth: { key: true, basic: true, token: true, signature: github }\n',
  );
  const environment = { ALERTDESK_EMAIL: admin.session?.email, ALERTDESK_PASSWORD: TEST_PASSWORD };
  const surroundings = { environment, print: () => undefined, question: undefined };
  const args = [file, '--yes', '--url', server.url, '--secrets', join(dir, 'secrets')];
  const said = await configure(args, surroundings).catch((error: unknown) => error);
  expect((said as Complaint).message.slice(file.length)).toMatch(
    /^:2:\d+: sources "Hub", signingSecret: Add the signing secret first/,
  );
});

test('a plan that was read for longer than a proof lasts is applied: the command gives the password again', async () => {
  const file = join(dir, 'alertdesk.yaml');
  await writeFile(file, 'groups:\n  - name: Night\n    members: []\n');
  const other = await server.signedIn({ role: 'admin' });
  const environment = { ALERTDESK_EMAIL: other.session?.email, ALERTDESK_PASSWORD: TEST_PASSWORD };
  const question = async (): Promise<string> => {
    await server.database.transaction((tx) =>
      tx.getRepository(SessionEntity).update({ userId: other.id }, { provedAt: 0 }),
    );
    return 'yes';
  };
  const surroundings = { environment, print: () => undefined, question };
  expect(await configure([file, '--url', server.url], surroundings)).toBe(0);
  expect(await read()).toMatchObject({ groups: [{ name: 'Night' }] });
});

/** Runs a configuration while somebody else deletes what it changes, after it has read it where the database has it wait. */
async function runWhileDeleted(
  wanted: object,
  entity: typeof ViewEntity | typeof HeartbeatEntity,
  name: string,
): Promise<Response> {
  const plan = await planOf(wanted);
  const begun = Promise.withResolvers<void>();
  const answer = begun.promise.then(() => send(wanted, plan));
  await server.database.transaction(async (tx) => {
    const rows = tx.getRepository<{ id: string; name: string }>(entity);
    const { id } = await rows.findOneByOrFail({ name });
    await tx.lockRows<{ id: string }>(entity, { id });
    begun.resolve();
    await untilQueued(server.database, `%FROM \`${rows.metadata.tableName}\`%FOR UPDATE`);
    await rows.delete({ id });
  });
  return answer;
}

test.each([
  ['a view that it changes', { views: [{ name: 'Fleeting', list: 'inbox', search: 'disk' }] }, ViewEntity, 'view'],
  ['a heartbeat that it deletes', { heartbeats: [] }, HeartbeatEntity, 'heartbeat'],
] as const)(
  '%s is deleted while it runs: nothing is applied, and the answer names it',
  async (_, wanted, entity, noun) => {
    await apply({
      views: [{ name: 'Fleeting', list: 'inbox' }],
      heartbeats: [{ name: 'Fleeting', schedule: { kind: 'interval', everySeconds: 300 }, graceSeconds: 60 }],
    });
    const answer = await runWhileDeleted({ ...wanted, groups: [{ name: 'New', members: [] }] }, entity, 'Fleeting');
    expect(answer.status).toBe(409);
    expect(problemSchema.parse(await answer.json()).detail).toBe(
      `Somebody has changed this since the plan was made: the ${noun} "Fleeting". Nothing was applied. Make the plan again.`,
    );
    expect(await read()).toMatchObject({ groups: [] });
  },
);
