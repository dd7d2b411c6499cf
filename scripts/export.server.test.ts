import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { COMMAND_LINE } from '#tests/support/product-commands.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let dir: string;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'alertdesk-export-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));
afterAll(() => server.destroy());

/** Runs `npm run export` beside the server. */
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [COMMAND_LINE, 'export', ...args], {
    cwd: PROJECT_DIR,
    env: { ...process.env, DATA_DIR: server.config.dataDir, DATABASE_URL: server.config.databaseUrl ?? '' },
  });

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('writes everything to a private file while the server runs, and says so in the audit trail', async () => {
  const audit = server.database.reads.getRepository(AuditEntity);
  const entries = () => audit.find({ where: { action: 'installation_exported' }, order: { id: 'ASC' } });
  const before = await entries();
  await insertAlerts(server.database, [{ customer: 'Nordwind' }, {}]);
  const stored: { id: string }[] = await server.database.reads.query('SELECT id FROM alerts ORDER BY id');
  const file = join(dir, 'all.jsonl');
  const { stdout } = await run(file);
  expect(stdout).toMatch(/^Exported \d+ lines to .*all\.jsonl\.$/m);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const lines = linesOf(await readFile(file, 'utf8'));
  expect(lines.filter(({ type }) => type === 'alert').map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
  expect(lines.at(-1)).toMatchObject({ type: 'end', lines: lines.length - 2 });
  expect((await entries()).slice(before.length)).toMatchObject([{ actorName: 'command line' }]);
});

test('writes one member, compressed', async () => {
  const { id, email } = await server.addUser();
  const file = join(dir, 'member.jsonl.gz');
  await run(file, '--member', email.toUpperCase());
  const lines = linesOf(gunzipSync(await readFile(file)).toString());
  expect(lines[0]).toMatchObject({ scope: 'member', userId: id });
  expect(lines.filter(({ type }) => type === 'user')).toMatchObject([{ id, email }]);
  const audit = server.database.reads.getRepository(AuditEntity);
  expect(await audit.findBy({ action: 'member_data_exported', subject: email })).toHaveLength(1);
});

test.each([
  [[], /^Usage: npm run export -- FILE/],
  [['one', 'two'], /^Usage/],
  [['FILE', '--nothing'], /--nothing/],
  [['FILE', '--member', 'nobody@example.com'], /There is no account with the e-mail nobody@example\.com\./],
  [['missing/FILE'], /could not be written to .* \(ENOENT\)/],
])('says what is wrong with %j, and leaves nothing', async (args, message) => {
  const named = args.map((arg) => (arg.endsWith('FILE') ? join(dir, arg) : arg));
  const audit = server.database.reads.getRepository(AuditEntity);
  const before = await audit.count();
  await expect(run(...named)).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
  expect(await readdir(dir)).toEqual([]);
  // Nothing was exported.
  expect(await audit.count()).toBe(before);
});

test('overwrites no file', async () => {
  const file = join(dir, 'kept');
  await writeFile(file, 'kept');
  await expect(run(file)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') });
  expect(await readFile(file, 'utf8')).toBe('kept');
});
