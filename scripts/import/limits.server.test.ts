import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { WEBHOOK_MAX_DEPTH } from '#backend/contract/webhook.ts';
import { signIn } from '#scripts/demo/signed-in-client.ts';
import { fillSources } from '#tests/support/fill-sources.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { openApi } from './api.ts';
import { type Reported, runImport } from './run-import.ts';

let server: TestServer;
let admin: TestClient;
let dir: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  dir = await mkdtemp(join(tmpdir(), 'alertdesk-import-limits-'));
});
afterAll(async () => {
  await server.destroy();
  await rm(dir, { recursive: true, force: true });
});

const importCsv = (rows: string[], isDryRun = false) => importText('csv', `${rows.join('\n')}\n`, isDryRun);

/** What an import reports of each record. */
async function importText(system: 'csv' | 'opsgenie', text: string, isDryRun: boolean): Promise<Reported[]> {
  const path = join(dir, system === 'csv' ? 'in.csv' : 'alerts.json');
  await writeFile(path, text);
  const url = new URL(server.url);
  const client = await signIn(url, { email: admin.session?.email ?? '', password: TEST_PASSWORD });
  const reported: Reported[] = [];
  await runImport(openApi(url, client), {
    system,
    path,
    isDryRun,
    isMailed: false,
    report: async (line) => void reported.push(line),
    keep: async () => undefined,
  });
  return reported;
}

const outline = (lines: readonly Reported[]) =>
  lines.filter(({ kind }) => kind === 'alert').map(({ name, outcome, note }) => [name, outcome, note]);

test('an alert that the server would not take is left out, and the others are imported', async () => {
  const link = `https://grafana.example/explore?panes=${'x'.repeat(3_000)}`;
  const rows = [
    'title,created_at,customer,link',
    'First,2026-10-01T08:00:00Z,Nordwind,',
    `Second,2026-10-01T08:00:00Z,${'N'.repeat(2_001)},`,
    `Third,2026-10-01T08:00:00Z,Nordwind,${link}`,
  ];
  const expected = [
    ['Second', 'left out', expect.stringMatching(/^customer: /)],
    ['First', 'imported', undefined],
    ['Third', 'imported', undefined],
  ];
  expect(outline(await importCsv(rows, true))).toEqual(expected);
  expect(outline(await importCsv(rows))).toEqual(expected);
  const stored = await server.database.reads.getRepository(AlertEntity).find({ order: { id: 'ASC' } });
  expect(stored.map(({ title, url }) => [title, url])).toEqual([
    ['First', '/import'],
    ['Third', link],
  ]);
});

/** An alert of Opsgenie with lists inside each other. */
const nested = (message: string, levels: number) =>
  `{"message":"${message}","alias":"${message}","createdAt":"2026-10-01T08:00:00Z",` +
  `"details":${'['.repeat(levels)}${']'.repeat(levels)}}`;

test('an alert that nests deeper than a webhook may is left out, and the others are imported', async () => {
  const alerts = `[${nested('Deep', WEBHOOK_MAX_DEPTH)},${nested('As deep as may be', WEBHOOK_MAX_DEPTH - 1)}]`;
  const expected = [
    ['Deep', 'left out', 'It nests deeper than 64 levels.'],
    ['As deep as may be', 'imported', undefined],
  ];
  expect(outline(await importText('opsgenie', alerts, true))).toEqual(expected);
  expect(outline(await importText('opsgenie', alerts, false))).toEqual(expected);
});

test('a dry run leaves out who cannot be invited, as an import does', async () => {
  const rows = ['email,name', 'no address@example.com,Nobody'];
  for (const isDryRun of [true, false]) {
    expect(await importCsv(rows, isDryRun)).toMatchObject([
      { outcome: 'left out', note: 'email: Invalid email address.' },
    ]);
  }
});

test('a file with a fault behind its first rows imports nothing', async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  await expect(importCsv(['email,name', `${email},First`, 'second@example.com,"Second'])).rejects.toThrow(
    'row 3: a quote',
  );
  expect(await (await admin.get('/api/auth/links')).text()).not.toContain(email);
});

test('an alert that names no adapter goes to the source of its name, whatever that reads', async () => {
  const source = crypto.randomUUID();
  await importCsv(['name,adapter', `${source},zabbix`]);
  const row = `Disk,2026-10-01T08:00:00Z,${source}`;
  expect(outline(await importCsv(['title,created_at,source', row], true))).toEqual([['Disk', 'imported', undefined]]);
  expect(outline(await importCsv(['title,created_at,source', row]))).toEqual([['Disk', 'imported', undefined]]);
  expect(outline(await importCsv(['title,created_at,source,adapter', `${row},grafana`]))).toEqual([
    ['Disk', 'left out', expect.stringContaining('reads zabbix instead of grafana')],
  ]);
});

test('an integration is left out with the reason where there are as many sources as there may be', async () => {
  await fillSources(server.database);
  const reported = await importCsv(['name,adapter', 'One too many,grafana']);
  expect(reported.map(({ name, outcome, note }) => [name, outcome, note])).toEqual([
    ['One too many', 'left out', 'There are 1,000 sources already. Delete one first.'],
  ]);
});
