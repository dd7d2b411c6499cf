import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { MAX_LIST_ROWS } from '#backend/contract/alert-query.ts';
import type { NameSearchQuery } from '#backend/contract/pages.ts';
import { byName, nameSortKey } from '#backend/contract/name.ts';
import type { SqlValue } from '#backend/platform/database/dialect.ts';
import { type Reply, ok } from '#backend/platform/endpoint/endpoint.ts';
import { IS_MUTED } from './mute-ends.ts';

/** Rows read before other work has its turn: about 3 ms on the embedded database, which reads on this thread. */
const SLICE_ROWS = 2_000;

/** A row of a list of names. */
export interface NameRow {
  name: string;
}

/** A page of a list, and how many rows the whole list has. */
export interface NamePage<Row> {
  rows: Row[];
  total: number;
  /** What `before` of the next call is, when there are more rows. */
  next: string | undefined;
}

/**
 * A page of the names of a table, in the order of their sort keys. With `q` the names that contain it: they are looked
 * for in JavaScript, whose upper and lower case both databases then share, and counted on the way.
 *
 * @param columns what to read of each row, the name among it
 */
export async function findNamePage<Row extends NameRow>(
  reads: EntityManager,
  table: 'customers' | 'alert_types',
  columns: string,
  query: NameSearchQuery,
): Promise<NamePage<Row>> {
  const { limit = MAX_LIST_ROWS, before } = query;
  const wanted = query.q?.toLowerCase() ?? '';
  const readSlice = (after: string | undefined, rows: number): Promise<Row[]> => {
    // In two conditions, because MySQL reads no range of an index by a comparison of rows.
    const key = after === undefined ? [] : [nameSortKey(after)];
    const where = after === undefined ? '' : 'WHERE sort_key >= ? AND (sort_key > ? OR name > ?) ';
    return reads.query(`SELECT ${columns} FROM ${table} ${where}ORDER BY sort_key, name LIMIT ${rows}`, [
      ...key,
      ...key,
      ...(after === undefined ? [] : [after]),
    ]);
  };
  if (wanted === '') {
    const rows = await readInSlices(readSlice, ({ name }) => name, before, limit + 1);
    return { ...cut(rows, limit, ({ name }) => name), total: await count(reads, table) };
  }
  return search(readSlice, wanted, before, limit);
}

async function search<Row extends NameRow>(
  readSlice: (after: string | undefined, rows: number) => Promise<Row[]>,
  wanted: string,
  before: string | undefined,
  limit: number,
): Promise<NamePage<Row>> {
  const found: Row[] = [];
  let total = 0;
  // From the beginning, because the total is that of the whole list.
  for (let after: string | undefined; ;) {
    const slice = await readSlice(after, SLICE_ROWS);
    for (const row of slice) {
      if (!row.name.toLowerCase().includes(wanted)) continue;
      total += 1;
      if (found.length <= limit && (before === undefined || byName(row.name, before) > 0)) found.push(row);
    }
    after = slice.at(-1)?.name;
    if (slice.length < SLICE_ROWS) return { ...cut(found, limit, ({ name }) => name), total };
    await nextTurn();
  }
}

/** Query of a list of mutes. */
export type MuteQuery = Pick<NameSearchQuery, 'limit' | 'before'>;

/** Where one member's mutes are: the table (`mute` in SQL), what it is joined with, its key behind the member. */
interface MuteSource {
  table: string;
  join?: string;
  key: string;
  columns: string;
  userId: string;
}

/** The rows of one member's mutes after a cursor, in the order of the table's key. */
export async function findMutePage<Row>(
  reads: EntityManager,
  { table, join = '', key, columns, userId }: MuteSource,
  { limit = MAX_LIST_ROWS, before }: MuteQuery,
  cursorOf: (row: Row) => string,
): Promise<NamePage<Row>> {
  const now = Date.now();
  const readSlice = (after: string | undefined, rows: number): Promise<Row[]> => {
    const values: SqlValue[] = after === undefined ? [userId, now] : [userId, now, after];
    const where = `user_id = ? AND ${IS_MUTED}${after === undefined ? '' : ` AND ${key} > ?`}`;
    return reads.query(
      `SELECT ${columns} FROM ${table} AS mute ${join} WHERE ${where} ORDER BY ${key} LIMIT ${rows}`,
      values,
    );
  };
  const rows = await readInSlices(readSlice, cursorOf, before, limit + 1);
  const [{ total }]: [{ total: unknown }] = await reads.query(
    `SELECT COUNT(*) AS total FROM ${table} WHERE user_id = ? AND ${IS_MUTED}`,
    [userId, now],
  );
  return { ...cut(rows, limit, cursorOf), total: Number(total) };
}

async function readInSlices<Row>(
  readSlice: (after: string | undefined, rows: number) => Promise<Row[]>,
  cursorOf: (row: Row) => string,
  before: string | undefined,
  limit: number,
): Promise<Row[]> {
  const read: Row[] = [];
  let after = before;
  while (read.length < limit) {
    const wanted = Math.min(SLICE_ROWS, limit - read.length);
    const slice = await readSlice(after, wanted);
    for (const row of slice) read.push(row);
    const last = slice.at(-1);
    if (slice.length < wanted || last === undefined) break;
    after = cursorOf(last);
    await nextTurn();
  }
  return read;
}

function cut<Row>(rows: Row[], limit: number, cursorOf: (row: Row) => string): Pick<NamePage<Row>, 'rows' | 'next'> {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { rows: page, next: last && cursorOf(last) };
}

async function count(reads: EntityManager, table: string): Promise<number> {
  const [{ total }]: [{ total: unknown }] = await reads.query(`SELECT COUNT(*) AS total FROM ${table}`);
  return Number(total);
}

/** Headers of every answer that {@link answerNames} makes. */
export const NAME_LIST_HEADERS = ['X-Total-Count', 'Link'] as const;

/** A page as an answer: `body`, the number of rows in the whole list, and the address of the next page. */
export function answerNames<Row>(
  path: string,
  { total, next }: NamePage<Row>,
  query: NameSearchQuery,
  body: unknown,
): Reply<200> {
  const asked = Object.entries({ ...query, before: next }).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return ok(body, {
    headers: {
      'X-Total-Count': String(total),
      ...(next !== undefined && { Link: `<${path}?${new URLSearchParams(asked)}>; rel="next"` }),
    },
  });
}
