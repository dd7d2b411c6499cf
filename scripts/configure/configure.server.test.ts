import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Configuration,
  type ConfigurationPlan,
  SECTION_NAMES,
  configurationPlanSchema,
  configurationResultSchema,
  configurationSchema,
} from '#backend/contract/configuration.ts';
import { createdApiTokenSchema } from '#backend/contract/api-token.ts';
import { problemSchema } from '#backend/contract/problem.ts';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { Complaint } from '#scripts/complaint.ts';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { configure } from './main.ts';

let server: TestServer;
let admin: TestClient;
let dir: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin', displayName: 'Ann Ashby' });
});
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'alertdesk-configure-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
  await apply(Object.fromEntries(SECTION_NAMES.map((name) => [name, []])));
});
afterAll(() => server.destroy());

const SECRETS = {
  CHAT_URL: 'https://hooks.slack.com/services/T0/B0/canary4711',
  GRAFANA_SECRET: 'a secret of 24 letters',
};

/** Runs the command against the server, as the administrator. @param answer to its question; nobody is there without */
const run = async (args: string[], answer?: string | (() => Promise<string>)) => {
  const printed: string[] = [];
  const environment = {
    ...SECRETS,
    ALERTDESK_EMAIL: admin.session?.email,
    ALERTDESK_PASSWORD: TEST_PASSWORD,
  };
  const question = async (text: string) => {
    printed.push(text);
    return typeof answer === 'string' ? answer : (answer?.() ?? '');
  };
  const surroundings = {
    environment,
    print: (line: string) => void printed.push(line),
    question: answer === undefined ? undefined : question,
  };
  const ended = await configure([...args, '--url', server.url], surroundings).catch((error: unknown) => {
    if (error instanceof Complaint) return error.message;
    throw error;
  });
  return { ended, printed: stripVTControlCharacters(printed.join('\n')) };
};

const put = async (text: string): Promise<string> => {
  const file = join(dir, 'alertdesk.yaml');
  await writeFile(file, text);
  return file;
};

/** The example that docs/configuration-as-code.md has, with the member that there is. */
const example = async (): Promise<string> => {
  const page = await readFile(join(PROJECT_DIR, 'docs', 'configuration-as-code.md'), 'utf8');
  const text = /```yaml\n([^`]+)```/.exec(page)?.[1] ?? '';
  return text.replaceAll('ann@example.com', admin.session?.email.toUpperCase() ?? '');
};

const AS_JSON = { Accept: 'application/json' };

/** What is wrong with a configuration. */
const faultsOf = async (configuration: unknown) => {
  const answer = await admin.send('POST', '/api/configuration/plan', configuration, AS_JSON);
  const { errors } = problemSchema.parse(await answer.json());
  return errors ?? [];
};

const planOf = async (configuration: unknown): Promise<ConfigurationPlan> => {
  const answer = await admin.send('POST', '/api/configuration/plan', configuration);
  expect(answer.status).toBe(200);
  return configurationPlanSchema.parse(await answer.json());
};

const send = (configuration: unknown, { changes }: Pick<ConfigurationPlan, 'changes'>) =>
  admin.send('POST', '/api/configuration', { configuration, expected: changes }, AS_JSON);

const apply = async (configuration: unknown) => {
  const answer = await send(configuration, await planOf(configuration));
  expect(answer.status).toBe(200);
  return configurationResultSchema.parse(await answer.json());
};

const read = async (): Promise<Configuration> =>
  configurationSchema.parse(await (await admin.get('/api/configuration')).json());

const hook = (name: string) => ({ name, kind: 'webhook', url: 'https://example.com/hook' });

const views = (...names: string[]) => ({ views: names.map((name) => ({ name, list: 'inbox' })) });

const heartbeat = (name: string, more: object = {}) => ({
  name,
  schedule: { kind: 'interval', everySeconds: 300 },
  graceSeconds: 60,
  ...more,
});

test('an empty installation becomes as the file says, and the plan after is empty', async () => {
  const file = await put(await example());
  const planned = await run([file, '--plan']);
  expect(planned.ended).toBe(2);
  expect(planned.printed).toContain('sources: + 2, = 0');
  expect(planned.printed).toContain('Worst first');
  expect(planned.printed).not.toContain('canary');
  expect(await read()).toMatchObject({ sources: [], destinations: [] });

  const secrets = join(dir, 'secrets');
  expect((await run([file, '--yes'])).ended).toContain('--secrets');
  expect((await run([file, '--secrets', secrets])).ended).toContain('add --yes');
  expect((await run([file, '--secrets', secrets], 'no')).printed).toContain('Nothing was changed.');
  const applied = await run([file, '--secrets', secrets], 'yes');
  expect([applied.ended, applied.printed.split('\n').at(-1)]).toEqual([0, 'Done: 11 changes.']);
  expect((await stat(secrets)).mode & 0o777).toBe(0o600);
  const kept = (await readFile(secrets, 'utf8')).trimEnd().split('\n');
  expect(kept).toHaveLength(5);

  const again = await run([file, '--yes']);
  expect([again.ended, again.printed.split('\n').at(-1)]).toEqual([0, 'Nothing would change.']);
  // The key that was shown is known in memory, too: senders get in.
  const { key } = JSON.parse(kept[0] ?? '') as { key: string };
  expect((await server.anonymous().post(key, { title: 'Disk full' })).status).toBe(202);
});

test('where nothing is made, no file for secrets is left', async () => {
  const secrets = join(dir, 'secrets');
  const file = await put('sources: [{ name: Late }]\n');
  const configuration = { sources: [{ name: 'Early' }] };
  const colleague = () => apply(configuration).then(() => 'yes');
  expect((await run([file, '--secrets', secrets], colleague)).ended).toContain('409');
  await expect(stat(secrets)).rejects.toThrow('ENOENT');
});

test('what is there is written as a file without secrets, whose plan is empty', async () => {
  await run([await put(await example()), '--yes', '--secrets', join(dir, 'secrets')]);
  const file = join(dir, 'export.yaml');
  expect((await run([file, '--export'])).ended).toBe(0);
  const text = await readFile(file, 'utf8');
  expect(text).toContain('name: Critical to all');
  expect(text).toContain('# url: { env: OPS_CHAT_URL }');
  expect(text).not.toMatch(/canary|secret of 24|whsec_/);
  expect(await run([file, '--plan'])).toMatchObject({ ended: 0 });
});

test('a filled installation is changed and cleared, section by section, by who runs it', async () => {
  await apply({
    sources: [{ name: 'Kept' }, { name: 'Changed' }],
    heartbeats: [heartbeat('One'), heartbeat('Two')],
    groups: [{ name: 'Day', members: [] }],
  });
  const wanted = {
    sources: [{ name: 'kept' }, { name: 'Changed', reopenWithinMinutes: 0, auth: signed(false) }],
    heartbeats: [heartbeat('two', { graceSeconds: 90, isPaused: true })],
  };
  const { changes, same } = await planOf(wanted);
  expect(changes.map(({ action, name, fields }) => [action, name, fields.map(({ path }) => path)])).toEqual([
    ['change', 'kept', ['name']],
    ['change', 'Changed', ['auth.basic', 'reopenWithinMinutes']],
    ['change', 'two', ['name', 'graceSeconds', 'isPaused']],
    ['delete', 'One', ['customer', 'schedule', 'graceSeconds', 'severity', 'isPaused', 'source']],
  ]);
  expect(same).toEqual({ sources: 0, heartbeats: 0 });
  await apply(wanted);
  expect((await planOf(wanted)).changes).toEqual([]);
  const after = await read();
  expect(after.heartbeats).toMatchObject([{ name: 'two', graceSeconds: 90, isPaused: true }]);
  expect(after.groups).toHaveLength(1);
  const entries = await server.database.reads.getRepository(AuditEntity).findBy({ action: 'heartbeat_deleted' });
  expect(entries.map(({ actorName, subject }) => [actorName, subject])).toContainEqual([admin.session?.email, 'One']);
});

const signed = (basic: boolean) => ({ key: true, basic, token: true, signature: null });

test('a destination keeps secrets that are not given, and is given those that are', async () => {
  const bot = { name: 'Bot', kind: 'slack-bot', room: 'C0123456789' };
  expect((await faultsOf({ destinations: [bot] })).map(({ path }) => path)).toEqual(['destinations.0.token']);
  await apply({ destinations: [{ ...bot, token: 'xoxb-canary' }] });
  expect((await planOf({ destinations: [bot] })).changes).toEqual([]);
  expect((await planOf({ destinations: [{ ...bot, token: 'xoxb-canary' }] })).changes).toEqual([]);
  const other = { destinations: [{ ...bot, room: 'C9876543210', token: 'xoxb-other' }] };
  expect((await planOf(other)).changes[0]?.fields).toEqual([
    { path: 'room', before: '"C0123456789"', after: '"C9876543210"' },
    { path: 'token', before: '(secret)', after: '(another secret)' },
  ]);
  await apply(other);
  expect((await planOf(other)).changes).toEqual([]);
});

test('rules follow a destination that is replaced in the same run, and may not name one that goes', async () => {
  const rule = { name: 'All', events: ['new'], search: '', destinations: ['Old'] };
  const group = { name: 'Night', members: [] };
  const ladder = { steps: [{ afterMinutes: 0, recipients: [{ group: 'Night' }] }] };
  await apply({ destinations: [hook('Old')], groups: [group], outgoingRules: [{ ...rule, ladder }] });
  const dangling = (more: object) => faultsOf({ destinations: [hook('New')], outgoingRules: [{ ...rule, ...more }] });
  const message = 'There is no destination "Old", or this configuration deletes it.';
  expect(await dangling({ search: 'disk' })).toEqual([{ path: 'outgoingRules.0.destinations.0', message }]);
  // Also where the rule itself stays as it is.
  expect(await dangling({ ladder })).toEqual([{ path: 'outgoingRules.0.destinations.0', message }]);
  expect(await faultsOf({ groups: [] })).toMatchObject([
    { path: 'groups', message: expect.stringContaining('"All"') as string },
  ]);
  const next = { destinations: [hook('New')], groups: [], outgoingRules: [{ ...rule, destinations: ['new'] }] };
  await apply(next);
  expect((await planOf(next)).changes).toEqual([]);
  expect(await read()).toMatchObject({
    destinations: [{ name: 'New' }],
    groups: [],
    outgoingRules: [{ ladder: null }],
  });
});

test('a wrong file changes nothing, and every mistake is named with its line', async () => {
  const file = await put(`sources:
  - name: Good
  - name: Wrong
    adaptor: grafana
    reopenWithinMinutes: -1
heartbeats:
  - name: Never
    schedule: { kind: cron, expression: 0 3 * *, timeZone: Europe/Berlin }
    graceSeconds: 60
`);
  const local = (await run([file, '--yes'])).ended;
  expect(local).toContain(`${file}:5:5: sources "Wrong", reopenWithinMinutes: Too small`);
  expect(local).toContain(`${file}:4:5: sources "Wrong", adaptor: There is no field of this name here. There are`);
  await put((await readFile(file, 'utf8')).replace(/ {4}adaptor.*\n.*\n/, ''));
  const remote = (await run([file, '--yes', '--secrets', join(dir, 'secrets')])).ended;
  expect(remote).toMatch(/yaml:6:\d+: heartbeats "Never", schedule\.expression: .+\nNothing was changed\./);
  expect((await read()).sources).toEqual([]);
});

test('what a colleague changes between plan and run is noticed, and nothing is applied', async () => {
  await apply({ heartbeats: [heartbeat('Same'), heartbeat('Other')] });
  const wanted = { heartbeats: [heartbeat('Same'), heartbeat('Other', { graceSeconds: 120 })] };
  const plan = await planOf(wanted);
  const list = (await (await admin.get('/api/heartbeats')).json()) as { heartbeats: { id: string; name: string }[] };
  const id = list.heartbeats.find(({ name }) => name === 'Same')?.id;
  await admin.send('PATCH', `/api/heartbeats/${id}`, { graceSeconds: 600 });
  const answer = await send(wanted, plan);
  expect(answer.status).toBe(409);
  expect(problemSchema.parse(await answer.json()).detail).toBe(
    'Somebody has changed this since the plan was made: the heartbeat "Same". Nothing was applied. Make the plan again.',
  );
  expect((await read()).heartbeats).toMatchObject([{ graceSeconds: 60 }, { graceSeconds: 600 }]);
});

test('of two runs at once of one plan one is applied', async () => {
  const wanted = { groups: [{ name: 'Race', members: [] }], sources: [{ name: 'Race' }] };
  const plan = await planOf(wanted);
  const answers = await Promise.all([send(wanted, plan), send(wanted, plan)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect((await planOf(wanted)).changes).toEqual([]);
});

test('an API token plans and exports, and a session without a recent proof or of a member does not apply', async () => {
  const made = await admin.send('POST', '/api/auth/tokens', { name: 'CI', scope: 'admin', expiresInDays: 1 });
  const { plainToken } = createdApiTokenSchema.parse(await made.json());
  const call = (method: string, path: string, body?: object) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${plainToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  expect((await call('GET', '/api/configuration')).status).toBe(200);
  expect((await call('POST', '/api/configuration/plan', { sources: [] })).status).toBe(200);
  expect((await call('POST', '/api/configuration', { configuration: {}, expected: [] })).status).toBe(403);
});

test('views are in the order of the file', async () => {
  await apply(views('A', 'B', 'C'));
  const { changes } = await planOf(views('C', 'New', 'A', 'B'));
  expect(changes.map(({ name, action, fields }) => [name, action, fields.map(({ path }) => path)])).toEqual([
    ['C', 'change', ['after']],
    ['New', 'create', ['list', 'search', 'sort']],
    ['A', 'change', ['after']],
  ]);
  await apply(views('C', 'New', 'A', 'B'));
  expect((await read()).views?.map(({ name }) => name)).toEqual(['C', 'New', 'A', 'B']);
  expect((await planOf(views('C', 'New', 'A', 'B'))).changes).toEqual([]);
});
