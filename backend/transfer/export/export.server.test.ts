import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ExportKind, FieldType } from './export-kind.ts';
import { columnOf } from './export-kind.ts';
import { EXPORT_KINDS, TABLES_LEFT_OUT } from './export-kinds.ts';
import { exportInstallation } from './export-lines.ts';
import type { Query } from '#backend/platform/database/snapshot.ts';
import type { SqlValue } from '#backend/platform/database/dialect.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { UNTIL_NEXT_FIRING } from '#backend/alerts/alert/stored-status.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { outgoingWorld } from '#tests/support/outgoing-world.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

type Line = Record<string, unknown>;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

async function exported(query?: Query, from = server): Promise<string> {
  let text = '';
  const read = async (by: Query) => {
    for await (const part of exportInstallation(by, Date.now())) text += part.text;
  };
  await (query ? read(query) : from.database.snapshot(read));
  return text;
}

/** Columns by table, as the database has them. */
async function columnsOfTables(): Promise<Map<string, string[]>> {
  const { reads, dialect } = server.database;
  const rows: { tableName: string; columnName: string }[] = await reads.query(
    dialect.name === 'sqlite'
      ? "SELECT m.name AS tableName, c.name AS columnName FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'"
      : 'SELECT table_name AS tableName, column_name AS columnName FROM information_schema.columns WHERE table_schema = DATABASE()',
  );
  const tables = Map.groupBy(rows, ({ tableName }) => tableName);
  return new Map(
    [...tables].map(([table, columns]) => [table, columns.map(({ columnName }) => columnName).toSorted()]),
  );
}

const tableColumns = ({ fields, leftOut = {} }: ExportKind): string[] =>
  [...Object.keys(fields).map(columnOf), ...Object.keys(leftOut)].toSorted();

describe('completeness', () => {
  test('every table has a kind of line, or a reason why it has none', async () => {
    const tables = [...(await columnsOfTables()).keys()].toSorted();
    const declared = [...EXPORT_KINDS.map(({ table }) => table), ...Object.keys(TABLES_LEFT_OUT)];
    expect(declared).toHaveLength(new Set(declared).size);
    expect(tables.filter((table) => !declared.includes(table))).toEqual([]);
    // Some tables exist on MySQL alone.
    const isMysql = server.database.dialect.name === 'mysql';
    expect(declared.filter((table) => isMysql && !tables.includes(table))).toEqual([]);
  });

  test('every column of an exported table has a field, or a reason why it has none', async () => {
    const tables = await columnsOfTables();
    for (const kind of EXPORT_KINDS)
      expect([kind.table, tableColumns(kind)]).toEqual([kind.table, tables.get(kind.table)]);
  });
});

/** A moment that is still to come: background jobs delete and wake what is past. */
const LATER = 4_000_000_000_000;

/** A value for a column of each type. */
const SAMPLES: Record<FieldType, (number: number) => SqlValue> = {
  text: (number) => `t${number}`,
  number: (number) => number,
  flag: (number) => number % 2,
  time: (number) => LATER + number,
  json: (number) => `{"big": 820982911946154508${number},\n "n": [${number}]}`,
  status: (number) => ['pending', 'snoozed-pending', 'completed'][number % 3] ?? '',
  until: (number) => (number % 2 === 0 ? UNTIL_NEXT_FIRING : LATER + number),
};

/** Puts rows into a table, whatever it is about. */
async function fill({ table, fields, leftOut = {} }: ExportKind, rows: number): Promise<void> {
  const columns = [...Object.keys(fields).map(columnOf), ...Object.keys(leftOut)];
  for (let row = 1; row <= rows; row += 1) {
    const values = [
      ...Object.values(fields).map(({ type }, at) => SAMPLES[type](row * 100 + at)),
      ...Object.keys(leftOut).map((): SqlValue => row + 50),
    ];
    await server.database.transaction((tx) => tx.query(insertSql(table, columns, 1), values));
  }
}

const expected: Record<FieldType, (value: unknown) => unknown> = {
  text: String,
  number: Number,
  flag: (value) => Number(value) === 1,
  time: (value) => new Date(Number(value)).toISOString(),
  json: (value) => (value === '' ? null : JSON.parse(String(value))),
  status: (value) => (String(value).startsWith('snoozed-') ? 'pending' : String(value)),
  until: (value) => (Number(value) === UNTIL_NEXT_FIRING ? 'next-firing' : new Date(Number(value)).toISOString()),
};

/** What the export of a table has to say, by its rows now. */
async function rowsOf({ kind, table, key, fields }: ExportKind): Promise<Line[]> {
  const rows: Line[] = await server.database.reads.query(`SELECT * FROM ${table} ORDER BY ${key.join(', ')}`);
  return rows.map((row) => {
    const members = Object.entries(fields).map(([field, { type }]) => {
      const value = row[columnOf(field)];
      return [field, value === null ? null : expected[type](value)] as const;
    });
    return Object.fromEntries([['type', kind], ...members]);
  });
}

describe('an export of the installation', () => {
  let text: string;
  let lines: Line[];
  // Background jobs work on the rows as on any: one may change while the export is written.
  const rowsBefore = new Map<string, Line[]>();
  const rowsAfter = new Map<string, Line[]>();
  beforeAll(async () => {
    for (const kind of EXPORT_KINDS) await fill(kind, 3);
    for (const kind of EXPORT_KINDS) rowsBefore.set(kind.kind, await rowsOf(kind));
    text = await exported();
    for (const kind of EXPORT_KINDS) rowsAfter.set(kind.kind, await rowsOf(kind));
    lines = linesOf(text);
  });

  test.each(EXPORT_KINDS.map((kind) => [kind.kind] as const))('has every row of the database: %s', (name) => {
    expect(rowsBefore.get(name)?.length).toBeGreaterThan(2);
    expect([rowsBefore.get(name), rowsAfter.get(name)]).toContainEqual(lines.filter(({ type }) => type === name));
  });

  test('says what it is, ends with its counts, and keeps every digit', () => {
    expect(lines[0]).toMatchObject({ type: 'export', format: 'alertdesk-export', version: 1, scope: 'installation' });
    const end = lines.at(-1) as { lines: number; counts: Record<string, number> };
    expect(end).toMatchObject({ type: 'end', lines: lines.length - 2 });
    expect(Object.keys(end.counts).toSorted()).toEqual(EXPORT_KINDS.map(({ kind }) => kind).toSorted());
    expect(text).toContain('820982911946154508');
  });

  test('has no secret of any table', async () => {
    const member = await server.addUser();
    await server.addApiKey('Key of the export');
    const now = await exported();
    expect(now).toContain(member.email);
    expect(now).not.toContain(member.passwordHash);
    const secrets: { hash: string | null }[] = await server.database.reads.query('SELECT hash FROM source_secrets');
    const sessions: { hash: string }[] = await server.database.reads.query('SELECT id AS hash FROM sessions');
    const hashes = [...secrets, ...sessions].flatMap(({ hash }) => (hash && hash.length > 20 ? hash : []));
    expect(hashes.length).toBeGreaterThan(1);
    expect(hashes.filter((hash) => now.includes(hash))).toEqual([]);
  });

  test('has what destinations are, and no secret of theirs', async () => {
    const own = await startTestServer();
    onTestFinished(() => own.destroy());
    const admin = await own.signedIn({ role: 'admin' });
    const { addDestination } = outgoingWorld(() => admin);
    const secrets = { token: 'xoxb-1-exported', appToken: 'xapp-1-exported', requestSecret: 'cafe0123'.repeat(4) };
    await addDestination({
      kind: 'slack-bot',
      name: 'Ops',
      url: 'https://slack.com/api',
      room: 'C0123456789',
      ...secrets,
    });
    const address = 'https://prod-1.westus.logic.azure.com/workflows/1?sig=exported';
    await addDestination({ kind: 'teams', name: 'Desk', url: address });
    const { signingSecret = '' } = await addDestination({
      kind: 'webhook',
      name: 'Status page',
      url: 'https://hooks.example.com/in',
    });
    const now = await exported(undefined, own);
    for (const shown of ['"Ops"', 'C0123456789', '"Desk"', 'https://hooks.example.com/in'])
      expect(now).toContain(shown);
    const all = [...Object.values(secrets), address, 'sig=exported', signingSecret];
    expect(all.filter((secret) => now.includes(secret))).toEqual([]);
  });

  test('is of one moment, while others go on writing', async () => {
    await server.database.snapshot(async (query) => {
      const before = linesOf(await exported(query)).filter(({ type }) => type === 'alert').length;
      const [id = ''] = await insertAlerts(server.database, [{}, {}]);
      expect(await server.database.reads.query('SELECT id FROM alerts WHERE id = ?', [id])).toHaveLength(1);
      const after = linesOf(await exported(query));
      expect(after.filter(({ type }) => type === 'alert')).toHaveLength(before);
      expect(after.some((line) => line['id'] === id)).toBe(false);
    });
    const [kept] = await insertAlerts(server.database, [{}]);
    await expect(server.database.snapshot((query) => query('DELETE FROM alerts'))).rejects.toThrow(
      /does not return data|read-only|READ ONLY/i,
    );
    expect(await server.database.reads.query('SELECT id FROM alerts WHERE id = ?', [kept])).toHaveLength(1);
  });

  test('has more rows than one statement reads, and payloads that do not fit into memory together', async () => {
    const ids = await insertAlerts(
      server.database,
      Array.from({ length: 1_203 }, (_, number) => ({
        payload: JSON.stringify({ number, text: number % 200 === 7 ? 'x'.repeat(1_000_000) : '' }),
      })),
    );
    const alerts = linesOf(await exported()).filter(({ type }) => type === 'alert');
    const found = new Map(alerts.map((line) => [line['id'], line['payload'] as { number: number }]));
    expect(alerts).toHaveLength(found.size);
    expect(ids.map((id) => found.get(id)?.number)).toEqual(ids.map((_, number) => number));
  });

  test('has each row once where pages and slices end among rows of one parent', async () => {
    const beats = Array.from({ length: 560 }, (_, number): SqlValue[] => [
      `h${Math.floor(number / 80)}`,
      number % 80,
      number,
      number,
      'success',
      // Two of these do not fit into memory together.
      number === 30 || number === 50 ? 'x'.repeat(3_000_000) : '',
    ]);
    await server.database.transaction(async (tx) => {
      await tx.query('DELETE FROM beats');
      const sql = insertSql('beats', ['heartbeat_id', 'slot', 'number', 'at', 'kind', 'log'], 1);
      for (const values of beats) await tx.query(sql, values);
    });
    const found = linesOf(await exported()).filter(({ type }) => type === 'beat');
    expect(found.map(({ number }) => number)).toEqual(beats.map((_, number) => number));
  });
});
