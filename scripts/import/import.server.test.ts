import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { AccountLinkEntity } from '#backend/identity/users/account-link.ts';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { SourceEntity } from '#backend/intake/sources/source-entity.ts';
import { COMMAND_LINE } from '#tests/support/product-commands.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { addTotp } from '#tests/support/second-step-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
let anna: { id: string; email: string };
let dir: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  anna = await server.addUser({ displayName: 'Anna' });
});
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'alertdesk-import-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
  await expectTrueCounts(server.database);
});
afterAll(() => server.destroy());

const OCTOBER = '2026-10-01T08:00:00.000Z';

/** A name that no account and no source has, nor one of an earlier attempt of the test. */
const newName = (name: string): string => `${name}-${crypto.randomUUID()}`;

/** Runs `npm run import` against the server. */
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [COMMAND_LINE, 'import', ...args, '--url', server.url], {
    cwd: PROJECT_DIR,
    env: { ...process.env, ALERTDESK_EMAIL: admin.session?.email ?? '', ALERTDESK_PASSWORD: TEST_PASSWORD },
  });

/** The lines of the printed table, by what they count: imported, already there, left out. */
const tableOf = (stdout: string) =>
  Object.fromEntries(
    [...stdout.matchAll(/^(users|sources|alerts|others) +(\d+) +(\d+) +(\d+)$/gm)].map(([, kind, ...counts]) => [
      kind,
      counts.map(Number),
    ]),
  );

const put = async (name: string, value: unknown): Promise<string> => {
  const file = join(dir, name);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
};

const storedAlerts = (sourceName: string) =>
  server.database.reads.getRepository(AlertEntity).find({ where: { sourceName }, order: { dedupKey: 'ASC' } });

/** As the backup tool and the API of Opsgenie write it. */
async function opsgenieFolder(name: string): Promise<string> {
  const integration = { id: `${name}-1`, name: `${name} Prometheus`, type: 'Prometheus' };
  const open = { tinyId: '7', status: 'open', acknowledged: false, priority: 'P2', createdAt: OCTOBER };
  const alert = (alias: string, change: object = {}) =>
    Object.assign({ id: `${alias}-id`, alias, message: `Alert ${alias}`, integration }, open, change);
  await put('in/users/new.json', {
    user: { id: 'u1', username: `${name}@example.com`, fullName: 'New Person', role: { name: 'Admin' } },
    notificationRuleList: [],
  });
  await put('in/users/anna.json', { user: { id: 'u2', username: anna.email.toUpperCase(), fullName: 'Anna' } });
  await put('in/users/blocked.json', { user: { id: 'u3', username: 'b@example.com', blocked: true } });
  await put('in/integrations/1.json', { integration: { ...integration, enabled: true } });
  await put('in/integrations.json', {
    data: [
      { id: `${name}-2`, name: `${name} Old`, type: 'Observium2', enabled: false },
      { id: `${name}-3`, name: `${name} Mail`, type: 'Email', enabled: true },
    ],
  });
  await put('in/schedules/1.json', { id: 's', name: 'On call' });
  await put('in/alerts/page-1.json', {
    data: [
      alert('a'),
      alert('b', { acknowledged: true, report: { acknowledgedBy: anna.email } }),
      alert('c', { acknowledged: true, owner: `${name}@example.com` }),
      alert('d', { status: 'closed' }),
    ],
  });
  return join(dir, 'in');
}

test('a dry run says what an import of Opsgenie would do, and changes nothing', async () => {
  const name = newName('dry');
  const { stdout } = await run('opsgenie', await opsgenieFolder(name));
  expect(tableOf(stdout)).toEqual({ users: [1, 1, 1], sources: [2, 0, 1], alerts: [3, 0, 1], others: [0, 0, 1] });
  expect(stdout).toContain('This was a dry run');
  const { reads } = server.database;
  expect(await reads.getRepository(SourceEntity).countBy({ name: `${name} Prometheus` })).toBe(0);
  expect(await reads.getRepository(AccountLinkEntity).countBy({ email: `${name}@example.com` })).toBe(0);
});

test('an import of Opsgenie makes invitations, sources and alerts, and nothing twice', async () => {
  const name = newName('og');
  const folder = await opsgenieFolder(name);
  const [links, report] = [join(dir, 'links'), join(dir, 'report')];
  const { stdout } = await run('opsgenie', folder, '--apply', '--links', links, '--report', report);
  expect(tableOf(stdout)).toEqual({ users: [1, 1, 1], sources: [2, 0, 1], alerts: [3, 0, 1], others: [0, 0, 1] });
  expect((await stat(links)).mode & 0o777).toBe(0o600);
  const kept = (await readFile(links, 'utf8')).trimEnd().split('\n');
  expect(kept).toHaveLength(3);
  expect(kept[0]).toContain(`"invitation":"${name}@example.com"`);
  expect(kept[0]).toMatch(/"link":"http.*\/join#/);
  expect(kept.find((line) => line.includes(`${name} Prometheus`))).toMatch(/"address":"http.*\/in\/.+","key":".+"/);
  const lines = (await readFile(report, 'utf8')).trimEnd().split('\n');
  expect(lines).toHaveLength(11);
  expect(lines.join('\n')).toContain('It is closed.');
  expect(lines.join('\n')).toContain(`${name}@example.com has no account yet`);

  expect(await storedAlerts(`${name} Prometheus`)).toMatchObject([
    { dedupKey: 'a', severity: 'high', state: 'firing', ownerId: null, receivedAt: Date.parse(OCTOBER) },
    { dedupKey: 'b', state: 'acknowledged', status: 'accepted', ownerId: anna.id },
    { dedupKey: 'c', state: 'acknowledged', status: 'pending', ownerId: null },
  ]);
  const old = await server.database.reads.getRepository(SourceEntity).findOneByOrFail({ name: `${name} Old` });
  expect(old.pausedAt).not.toBeNull();
  expect(JSON.parse(old.settings)).toMatchObject({ adapter: 'generic' });

  const again = await run('opsgenie', folder, '--apply', '--links', join(dir, 'links-2'));
  expect(tableOf(again.stdout)).toEqual({ users: [0, 2, 1], sources: [0, 2, 1], alerts: [0, 3, 1], others: [0, 0, 1] });
  expect(await readFile(join(dir, 'links-2'), 'utf8')).toBe('');
});

test('senders of Opsgenie’s API go on with imported sources, and close imported alerts', async () => {
  const integration = { id: 'api-1', name: newName('Backend'), type: 'API' };
  const prometheus = { id: 'api-2', name: newName('Cluster Prometheus'), type: 'Prometheus' };
  await put('in/integrations.json', { data: [integration, prometheus] });
  const open = { message: 'Disk full', status: 'open', createdAt: OCTOBER };
  await put('in/alerts.json', {
    data: [
      { ...open, alias: 'disk-1', integration },
      { ...open, alias: 'disk-2', integration: prometheus },
    ],
  });
  const { stdout } = await run('opsgenie', join(dir, 'in'), '--apply', '--links', join(dir, 'links'));
  expect(tableOf(stdout)).toMatchObject({ sources: [2, 0, 0], alerts: [2, 0, 0] });
  expect(stdout).toContain(`${prometheus.name}: imported. If Alertmanager sends`);

  const sources = server.database.reads.getRepository(SourceEntity);
  const { id } = await sources.findOneByOrFail({ name: integration.name });
  const ownKey = crypto.randomUUID();
  expect((await admin.send('POST', `/api/sources/${id}/rotate`, { kind: 'key', ownKey })).status).toBe(201);
  const closed = await fetch(`${server.url}/v2/alerts/disk-1/close?identifierType=alias`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `GenieKey ${ownKey}` },
    body: '{}',
  });
  expect(closed.status).toBe(202);
  expect(await storedAlerts(integration.name)).toMatchObject([{ dedupKey: 'disk-1', status: 'completed' }]);

  const other = await sources.findOneByOrFail({ name: prometheus.name });
  const changed = await admin.send('PATCH', `/api/sources/${other.id}`, { settings: { adapter: 'opsgenie' } });
  expect(changed.status).toBe(200);
  const again = await run('opsgenie', join(dir, 'in'), '--apply', '--links', join(dir, 'links-2'));
  expect(tableOf(again.stdout)).toMatchObject({ sources: [0, 2, 0], alerts: [0, 2, 0] });
  expect(again.stdout).not.toContain('If Alertmanager sends');
});

test('goes on with a generic source, as an earlier release imported an integration of Opsgenie’s API', async () => {
  const integration = { id: 'api-9', name: newName('Old backend'), type: 'API' };
  const made = await admin.send('POST', '/api/sources', { name: integration.name, adapter: 'generic' });
  expect(made.status).toBe(201);
  await put('old/integrations.json', { data: [integration] });
  const open = { message: 'Disk full', status: 'open', createdAt: OCTOBER };
  await put('old/alerts.json', { data: [{ ...open, alias: 'disk-9', integration }] });
  const { stdout } = await run('opsgenie', join(dir, 'old'), '--apply', '--links', join(dir, 'links'));
  expect(tableOf(stdout)).toMatchObject({ sources: [0, 1, 0], alerts: [1, 0, 0] });
  expect(stdout).toContain(`${integration.name}: already there. It is a generic source: set its type to Opsgenie`);
  expect(await storedAlerts(integration.name)).toMatchObject([{ dedupKey: 'disk-9', status: 'pending' }]);
});

test('says of a disabled integration whether its source is paused, and what takes the place of heartbeats and mails', async () => {
  const [there, added] = [newName('There'), newName('New')];
  const integrations = [there, added].map((name, at) => ({
    id: `off-${at}`,
    name,
    type: 'Datadog',
    enabled: false,
  }));
  const others = ['Heartbeat', 'Email'].map((type) => ({ id: type, name: `The ${type}`, type }));
  await put('in/integrations.json', { data: [...integrations, ...others] });
  await admin.send('POST', '/api/sources', { name: there, adapter: 'datadog' });
  const { stdout } = await run('opsgenie', join(dir, 'in'), '--apply', '--links', join(dir, 'links'));
  expect(stdout).toContain(`${there}: already there. It was disabled there, and is active here.\n`);
  expect(stdout).toContain(`${added}: imported. It was disabled there, and is paused.\n`);
  expect(stdout).toContain('The Heartbeat: left out. Make a heartbeat of this name, and give it to its source.\n');
  expect(stdout).toContain(
    'The Email: left out. Make a source of this name, and use its e-mail address (SMTP_PORT).\n',
  );
  const again = await run('opsgenie', join(dir, 'in'), '--apply', '--links', join(dir, 'links-2'));
  expect(again.stdout).toContain(`${added}: already there. It was disabled there, and is paused.\n`);
});

test('two imports at once make nothing twice', async () => {
  const source = newName('twice');
  const folder = await opsgenieFolder(source);
  const runs = await Promise.all(
    ['one', 'two'].map((name) => run('opsgenie', folder, '--apply', '--links', join(dir, name))),
  );
  const sums = (kind: string) => runs.reduce((sum, { stdout }) => sum + (tableOf(stdout)[kind]?.[0] ?? 0), 0);
  expect([sums('users'), sums('sources'), sums('alerts')]).toEqual([1, 2, 3]);
  expect(await storedAlerts(`${source} Prometheus`)).toHaveLength(3);
});

test('an import of Grafana OnCall reads the answers of its API', async () => {
  const name = newName('OnCall Grafana');
  const file = await put('oncall.json', {
    users: { results: [{ id: 'U1', email: anna.email, username: 'anna', role: 'admin' }] },
    integrations: { results: [{ id: 'C1', name, type: 'grafana_alerting', link: 'https://x' }] },
    alert_groups: {
      results: [
        {
          id: 'I1',
          integration_id: 'C1',
          state: 'acknowledged',
          acknowledged_by: 'U1',
          title: 'Memory',
          created_at: '2026-05-19T12:37:01.430444Z',
          last_alert: { payload: { commonLabels: { severity: 'critical' } } },
        },
        { id: 'I2', integration_id: 'C1', state: 'resolved', title: 'Old', created_at: '2026-05-19T12:37:01Z' },
      ],
    },
  });
  const { stdout } = await run('oncall', file, '--apply', '--links', join(dir, 'links'));
  expect(tableOf(stdout)).toEqual({ users: [0, 1, 0], sources: [1, 0, 0], alerts: [1, 0, 1], others: [0, 0, 0] });
  expect(await storedAlerts(name)).toMatchObject([
    { dedupKey: 'I1', title: 'Memory', severity: 'critical', ownerId: anna.id, sender: 'grafana' },
  ]);
});

test('an import of CSV reads users and alerts, each row once', async () => {
  const [email, source] = [`${newName('csv')}@example.com`, newName('From CSV')];
  const users = await put(
    'users.csv',
    `\uFEFFEmail,Name,Role\n${email},"Person, New",Admin\n,Nobody,\nboss@example.com,Boss,boss\n`,
  );
  const usersRun = await run('csv', users, '--apply', '--links', join(dir, 'links'));
  expect(tableOf(usersRun.stdout)['users']).toEqual([1, 0, 2]);
  expect(usersRun.stdout).toContain('boss@example.com: left out. Its role is neither "admin" nor "user".');
  expect(await (await admin.get('/api/auth/links')).json()).toContainEqual(
    expect.objectContaining({ email, role: 'admin' }),
  );
  const alerts = await put(
    'alerts.csv',
    `title,created_at,severity,status,source,owner\n"Disk, full",2026-10-01T08:00:00Z,high,,${source},${anna.email}\nGone,2026-10-01,low,closed,${source},\nNo time,,low,,${source},\n`,
  );
  for (const counts of [
    [1, 0, 2],
    [0, 1, 2],
  ]) {
    const { stdout } = await run('csv', alerts, '--apply', '--links', join(dir, `links-${counts[0]}`));
    expect(tableOf(stdout)['alerts']).toEqual(counts);
  }
  expect(await storedAlerts(source)).toMatchObject([{ title: 'Disk, full', severity: 'high', ownerId: anna.id }]);
});

test('asks for a code of who has a second step', async () => {
  const careful = await server.signedIn({ role: 'admin' });
  const { recoveryCodes } = await addTotp(server, careful);
  const users = await put('users.csv', `Email,Name\n${newName('second')}@example.com,Second\n`);
  const asCareful = ['--email', careful.session?.email ?? ''];
  await expect(run('csv', users, ...asCareful)).rejects.toMatchObject({ stderr: expect.stringMatching(/by --code/) });
  const { stdout } = await run('csv', users, ...asCareful, '--code', recoveryCodes[0] ?? '');
  expect(tableOf(stdout)['users']).toEqual([1, 0, 0]);
});

test('says what is wrong, and where', async () => {
  const [broken, columns] = [await put('broken.json', '{"data": ['), await put('columns.csv', 'a,b\n1,2\n')];
  const alerts = await put('alerts.csv', 'title,created_at\nDisk,2026-10-01\n');
  const wrong = await put('password', 'not the password\n');
  const failing: [string[], RegExp][] = [
    [['opsgenie'], /^Usage/],
    [['opsgenie', join(dir, 'missing')], /There is no file or folder .*missing/],
    [['opsgenie', broken], /broken\.json is not JSON/],
    [['csv', columns], /columns\.csv, row 2: the first line names no column/],
    [['opsgenie', broken, '--apply'], /name a file by --links/],
    [['opsgenie', broken, '--password-file', join(dir, 'missing')], /The file .*missing cannot be read/],
    [['opsgenie', broken, '--password-file', wrong], /does not let .* sign in \(401: /],
    [['csv', alerts, '--email', anna.email], /refuses the import .*It takes the account of an administrator/],
  ];
  for (const [args, message] of failing) {
    await expect(run(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
  }
});
