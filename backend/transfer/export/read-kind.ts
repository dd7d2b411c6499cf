import { marksOf } from '#backend/platform/database/conditions.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dialect, SqlValue } from '#backend/platform/database/dialect.ts';
import type { Query } from '#backend/platform/database/snapshot.ts';
import { type ExportKind, type ExportRow, columnOf } from './export-kind.ts';

/** Rows that one statement reads, and bytes of their long texts. */
const ROWS_AT_ONCE = 500;
const BYTES_AT_ONCE = 4 * 1024 * 1024;

/** Rows that one statement looks through for those of a person, where no index has them. */
const SCANNED_AT_ONCE = 2_000;

/** Reads and lets others have their turn: the embedded database answers at once, in this thread. */
type Read = (sql: string, values: SqlValue[]) => Promise<ExportRow[]>;
const politely =
  (query: Query): Read =>
  async (sql, values) => {
    await nextTurn();
    return query<ExportRow>(sql, values);
  };

const list = (columns: Iterable<string>): string => [...columns].map((column) => `t.${column}`).join(', ');

/** What is read of a kind: its fields, and its key, which may be in no line. */
const selectOf = (kind: ExportKind): string =>
  `SELECT ${list(new Set([...kind.key, ...Object.keys(kind.fields).map(columnOf)]))} FROM ${kind.table} t`;

/** The key of a row. MySQL's driver hands numbers of 64 bits over as text, and compares them as numbers. */
const keyOf = ({ key }: ExportKind, row: ExportRow | undefined): SqlValue[] =>
  row ? key.map((column) => row[column] as SqlValue) : [];

/** Rows behind a key. Not by comparing rows of values, for which MySQL uses no index. */
function behind({ key: [first, second] }: ExportKind, last: SqlValue[]): { sql: string; values: SqlValue[] } {
  const [one = null, two = null] = last;
  if (last.length === 0) return { sql: '1 = 1', values: [] };
  if (second === undefined) return { sql: `t.${first} > ?`, values: [one] };
  return { sql: `t.${first} >= ? AND (t.${first} > ? OR t.${second} > ?)`, values: [one, one, two] };
}

/** Rows of one kind in the order of its key, some hundreds at a time. */
export async function* readKind(query: Query, kind: ExportKind): AsyncGenerator<ExportRow[]> {
  yield* readPages(politely(query), kind, { sql: '1 = 1', values: [] });
}

/**
 * The rows of one kind that are a person's, some at a time.
 *
 * @throws {Error} for a kind that is nobody's
 */
export async function* readOwn(
  query: Query,
  dialect: Pick<Dialect, 'byIndex'>,
  kind: ExportKind,
  userId: string,
): AsyncGenerator<ExportRow[]> {
  if (!kind.own) throw new Error(`Lines of the kind ${kind.kind} are nobody's.`);
  const read = politely(query);
  const isOwn = { sql: `t.${kind.own.column} = ?`, values: [userId] };
  if (kind.own.by === 'scan') yield* scan(read, kind, isOwn);
  // The table's own key would lead through everybody's alerts, with their payloads.
  else yield* readPages(read, kind, isOwn, kind.table === 'alerts' ? ` ${dialect.byIndex('alerts_queue')}` : '');
}

/** The rows with one of these values in the first column of their key, such as the history of alerts. */
export const readOf = (query: Query, kind: ExportKind, ids: SqlValue[]): Promise<ExportRow[]> =>
  readRows(politely(query), kind, ids);

interface Condition {
  sql: string;
  values: SqlValue[];
}

async function* readPages(read: Read, kind: ExportKind, where: Condition, hint = ''): AsyncGenerator<ExportRow[]> {
  const { key, table, long } = kind;
  const what = long
    ? `SELECT ${list(key)}, ${long.map((column) => `COALESCE(OCTET_LENGTH(t.${column}), 0)`).join(' + ')} AS bytes FROM ${table} t`
    : selectOf(kind);
  for (let last: SqlValue[] = []; ;) {
    const next = behind(kind, last);
    const rows = await read(
      `${what}${hint} WHERE ${where.sql} AND ${next.sql} ORDER BY ${list(key)} LIMIT ${ROWS_AT_ONCE}`,
      [...where.values, ...next.values],
    );
    if (long) yield* readLong(read, kind, where, last, rows);
    else if (rows.length > 0) yield rows;
    if (rows.length < ROWS_AT_ONCE) return;
    last = keyOf(kind, rows.at(-1));
  }
}

/** The rows of a page of which the keys and sizes were read. Behind `last`, the end of the page before. */
async function* readLong(
  read: Read,
  kind: ExportKind,
  where: Condition,
  last: SqlValue[],
  page: readonly ExportRow[],
): AsyncGenerator<ExportRow[]> {
  const [first, second] = kind.key;
  let end = last;
  for (const slice of inSlices(page)) {
    if (second === undefined) {
      const ids = slice.map((row) => row[first] as SqlValue);
      yield await readRows(read, kind, ids);
      continue;
    }
    // A page or slice may end among the rows that share a first column.
    const next = behind(kind, end);
    yield await read(
      `${selectOf(kind)} WHERE ${where.sql} AND ${next.sql} ORDER BY ${list(kind.key)} LIMIT ${slice.length}`,
      [...where.values, ...next.values],
    );
    end = keyOf(kind, slice.at(-1));
  }
}

const readRows = (read: Read, kind: ExportKind, ids: SqlValue[]): Promise<ExportRow[]> =>
  read(`${selectOf(kind)} WHERE t.${kind.key[0]} IN (${marksOf(ids)}) ORDER BY ${list(kind.key)}`, ids);

/** Rows whose long texts fit into memory together; one that does not is alone. */
function* inSlices(rows: readonly ExportRow[]): Generator<ExportRow[]> {
  let slice: ExportRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = Number(row['bytes']);
    if (slice.length > 0 && bytes + size > BYTES_AT_ONCE) {
      yield slice;
      slice = [];
      bytes = 0;
    }
    slice.push(row);
    bytes += size;
  }
  if (slice.length > 0) yield slice;
}

/** Looks through a whole table, a part of it at a time, for rows that no index has. */
async function* scan(read: Read, kind: ExportKind, where: Condition): AsyncGenerator<ExportRow[]> {
  const [first] = kind.key;
  for (let last: SqlValue[] = []; ;) {
    const next = behind(kind, last);
    const [end] = await read(
      `SELECT t.${first} FROM ${kind.table} t WHERE ${next.sql} ORDER BY t.${first} LIMIT 1 OFFSET ${SCANNED_AT_ONCE - 1}`,
      next.values,
    );
    const until = keyOf(kind, end);
    const rows = await read(
      `${selectOf(kind)} WHERE ${next.sql}${end ? ` AND t.${first} <= ?` : ''} AND ${where.sql} ORDER BY t.${first}`,
      [...next.values, ...until, ...where.values],
    );
    if (rows.length > 0) yield rows;
    if (!end) return;
    last = until;
  }
}
