import type { PoolConnection } from 'mysql2';
import type { DataSource, EntityManager, TableColumnOptions } from 'typeorm';
import {
  MYSQL_DAMAGE,
  ENDED,
  SQLITE_DAMAGE,
  TransactionStateError,
  errorCode,
  isMysqlUnavailable,
  isOneOf,
  isSqliteUnavailable,
} from './driver-errors.ts';
import { preparedOf } from './sqlite-statements.ts';

/** Everything in which the two databases differ. Nothing else in the product asks which one it runs on. */
export interface Dialect {
  readonly name: 'sqlite' | 'mysql';
  /** Column that holds an id (UUIDv7 as text), compared byte by byte. */
  id(): TableColumnType;
  /** Column of up to `length` characters, compared byte by byte. */
  text(length: number): TableColumnType;
  /** Column of text up to 16 MiB. */
  longText(): TableColumnType;
  /** Column of whole milliseconds since the epoch, UTC. */
  time(): TableColumnType;
  /** Table options that `CREATE TABLE` needs. */
  readonly engine: string | undefined;
  /** `INSERT … VALUES …` that, where `key` exists already, raises these columns to the greater values; an empty one gets the new value. */
  upsertGreatest(insert: string, key: string, columns: readonly string[]): string;
  /** `INSERT … VALUES …` that, where `key` exists already, adds the new value of `column` to the stored one. */
  upsertSum(insert: string, key: string, column: string): string;
  /** `INSERT … VALUES …` that, where `key` exists already, gives these columns their new values, and leaves all others. */
  upsertValues(insert: string, key: string, columns: readonly string[]): string;
  /** `INSERT … VALUES …` that leaves rows alone whose key exists already; `column` is any column of the table. */
  ignoreExisting(insert: string, column: string): string;
  /** Follows a table's name in `FROM`: read it by this index. MySQL estimates deep ranges wrongly when it may choose. */
  byIndex(name: string): string;
  /** Follows a table's name in `FROM`: find its rows by their ids, whatever else they are to meet. */
  byKey(table: string): string;
  /**
   * SELECT of the different texts in a column that an index begins with, as `value`, one look into the index for each: at most
   * so many, and no empty one.
   */
  distinctTexts(table: string, column: string, index: string, most: number): string;
  /** `DELETE FROM` a table whose rows are found by this index. */
  deleteByIndex(table: string, index: string): string;
  /** Alerts that a search without an index looks through for one answer; measured to take about 20 ms. */
  readonly scanRows: number;
  /** Bytes of alerts that one answer of a search looks through, and what is looked at in one statement. */
  readonly scanBytes: number;
  readonly slice: { rows: number; bytes: number };
  /** True where one of the columns (that may be empty) contains one of the texts, whatever the case, in every script. */
  contains(columns: string[], texts: string[]): { sql: string; values: SqlValue[] };
  /**
   * Runs a statement that comes again and again, prepared once for each connection. TypeORM sends MySQL whole texts, which
   * costs the server half as much again to parse; around one of SQLite's it does more than SQLite itself.
   */
  runPrepared(tx: EntityManager, sql: string, parameters: SqlValue[]): Promise<void>;
  /** Reads by a statement that comes again and again, prepared as {@link runPrepared} does. */
  readPrepared<Row>(tx: EntityManager, sql: string, parameters: SqlValue[]): Promise<Row[]>;
  /**
   * Runs a statement for these rows, prepared once for each connection. On SQLite row by row: that takes a third less time
   * than one statement of fifty rows, and memory for one prepared statement instead of one for each number of rows, which
   * came to 80 MB. On MySQL each statement is a round trip, so it has many rows.
   *
   * @param sqlOf the statement for so many rows
   */
  runRows(tx: EntityManager, sqlOf: (rows: number) => string, rows: readonly SqlValue[][]): Promise<void>;
  /** How `lockRows` locks what it reads; SQLite has one writer anyway. */
  readonly rowLock: { mode: 'pessimistic_write' } | undefined;
  /** Whether rows have to be changed so that nobody decides on them at the same time (`Transaction.holdRows`). */
  readonly changesToHold: boolean;
  /** Ends a `SELECT` whose rows nobody may change until this transaction ends, but others may read the same way. */
  readonly forShare: string;
  /** Ends a `SELECT` whose rows nobody else locks or changes until this transaction ends. */
  readonly forUpdate: string;
  /** True when the transaction failed for reasons of timing alone, and may be run again whole. */
  isRetryable(error: unknown): boolean;
  /** True when a row with the same unique key exists already. */
  isDuplicate(error: unknown): boolean;
  /** True when the database reports that its own files are damaged: a backup must be restored. */
  isDamaged(error: unknown): boolean;
  /** True when the database, not the request, is the trouble: it is away, or refuses what another time it would take. */
  isUnavailable(error: unknown): boolean;
}

const MIB = 1024 * 1024;

/** What a statement's parameter may be. */
export type SqlValue = string | number | null;

type TableColumnType = Pick<TableColumnOptions, 'type' | 'length' | 'charset' | 'collation'>;

/**
 * Function of every SQLite connection (see `open-database`): true where one of the texts after the first matches that
 * pattern. SQLite's own `LIKE` and `lower` know the case of ASCII only.
 */
export const SQLITE_MATCHES = 'matches';

/** A text as a regular expression that matches nothing else, for every kind of them that is used here. */
export const quotePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** What finds one of these texts by hand, as {@link Dialect.contains} does in the database. */
export const patternOf = (texts: readonly string[]): RegExp => new RegExp(texts.map(quotePattern).join('|'), 'iu');

/** SQLite in WAL mode, one file. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  scanRows: 5_000,
  // Matching is done by this process, which has other things to do between two slices.
  scanBytes: 16 * MIB,
  slice: { rows: 250, bytes: MIB / 2 },
  rowLock: undefined,
  changesToHold: false,
  forShare: '',
  forUpdate: '',
  engine: undefined,
  id: () => ({ type: 'varchar', length: '36' }),
  text: (length) => ({ type: 'varchar', length: String(length) }),
  longText: () => ({ type: 'text' }),
  time: () => ({ type: 'bigint' }),
  upsertGreatest: (insert, key, columns) => {
    const values = columns.map((name) => `${name} = max(COALESCE(${name}, excluded.${name}), excluded.${name})`);
    return `${insert} ON CONFLICT (${key}) DO UPDATE SET ${values.join(', ')}`;
  },
  upsertSum: (insert, key, column) =>
    sqliteUpserts(
      insert,
      () => `${insert} ON CONFLICT (${key}) DO UPDATE SET ${column} = ${column} + excluded.${column}`,
    ),
  upsertValues: (insert, key, columns) =>
    sqliteUpserts(insert, () => {
      const values = columns.map((column) => `${column} = excluded.${column}`);
      return `${insert} ON CONFLICT (${key}) DO UPDATE SET ${values.join(', ')}`;
    }),
  ignoreExisting: (insert) => `${insert} ON CONFLICT DO NOTHING`,
  byIndex: (name) => `INDEXED BY ${name}`,
  byKey: (table) => `INDEXED BY sqlite_autoindex_${table}_1`,
  distinctTexts: (table, column, index, most) => {
    // It reads all entries for a SELECT DISTINCT.
    const next = `SELECT MIN(${column}) FROM ${table} INDEXED BY ${index} WHERE ${column} >`;
    return (
      `WITH RECURSIVE texts(value) AS (${next} '' UNION ALL ` +
      `SELECT (${next} value) FROM texts WHERE value IS NOT NULL) ` +
      `SELECT value FROM texts WHERE value IS NOT NULL LIMIT ${most}`
    );
  },
  deleteByIndex: (table, index) => `DELETE FROM ${table} INDEXED BY ${index}`,
  contains: (columns, texts) => ({
    sql: `${SQLITE_MATCHES}(?, ${columns.join(', ')})`,
    values: [texts.map(quotePattern).join('|')],
  }),
  async runPrepared(tx, sql, parameters) {
    (await preparedOf(tx, sql)).run(parameters);
  },
  async readPrepared<Row>(tx: EntityManager, sql: string, parameters: SqlValue[]) {
    return (await preparedOf(tx, sql)).all(parameters) as Row[];
  },
  async runRows(tx, sqlOf, rows) {
    if (rows.length === 0) return;
    const statement = await preparedOf(tx, sqlOf(1));
    for (const row of rows) statement.run(row);
  },
  isRetryable: isOneOf(['SQLITE_BUSY*', 'SQLITE_LOCKED*']),
  isDamaged: isOneOf(SQLITE_DAMAGE),
  isDuplicate: isOneOf(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']),
  isUnavailable: isSqliteUnavailable,
};

/** MySQL 8, MariaDB 10.6+, and what speaks their protocol. Text is compared byte by byte as SQLite does. */
export const mysqlDialect: Dialect = {
  name: 'mysql',
  scanRows: 10_000,
  scanBytes: 32 * MIB,
  slice: { rows: 2_000, bytes: 4 * MIB },
  rowLock: { mode: 'pessimistic_write' },
  changesToHold: true,
  // Understood by MySQL and MariaDB alike; MariaDB has no FOR SHARE.
  forShare: ' LOCK IN SHARE MODE',
  forUpdate: ' FOR UPDATE',
  engine: 'InnoDB',
  id: () => ({ type: 'varchar', length: '36', charset: 'ascii', collation: 'ascii_bin' }),
  text: (length) => ({ type: 'varchar', length: String(length), charset: 'utf8mb4', collation: 'utf8mb4_bin' }),
  longText: () => ({ type: 'mediumtext', charset: 'utf8mb4', collation: 'utf8mb4_bin' }),
  time: () => ({ type: 'bigint' }),
  upsertGreatest: (insert, _key, columns) => {
    const values = columns.map((name) => `${name} = GREATEST(COALESCE(${name}, VALUES(${name})), VALUES(${name}))`);
    return `${insert} ON DUPLICATE KEY UPDATE ${values.join(', ')}`;
  },
  upsertSum: (insert, _key, column) =>
    mysqlUpserts(insert, () => `${insert} ON DUPLICATE KEY UPDATE ${column} = ${column} + VALUES(${column})`),
  upsertValues: (insert, _key, columns) =>
    mysqlUpserts(insert, () => {
      const values = columns.map((column) => `${column} = VALUES(${column})`);
      return `${insert} ON DUPLICATE KEY UPDATE ${values.join(', ')}`;
    }),
  ignoreExisting: (insert, column) => `${insert} ON DUPLICATE KEY UPDATE ${column} = ${column}`,
  byIndex: (name) => `FORCE INDEX (${name})`,
  byKey: () => 'FORCE INDEX (PRIMARY)',
  distinctTexts: (table, column, index, most) =>
    `SELECT DISTINCT ${column} AS value FROM ${table} FORCE INDEX (${index}) WHERE ${column} > '' LIMIT ${most}`,
  deleteByIndex: (table, index) => `DELETE ${table} FROM ${table} FORCE INDEX (${index})`,
  contains: (columns, texts) => {
    // Twenty times as fast as INSTR on LOWER, which go through UTF-8 letter by letter.
    const pattern = `(?i)${texts.map(quotePattern).join('|')}`;
    return {
      sql: `(${columns.map((column) => `${column} REGEXP ?`).join(' OR ')})`,
      values: columns.map(() => pattern),
    };
  },
  async runPrepared(tx, sql, parameters) {
    await mysqlDialect.readPrepared(tx, sql, parameters);
  },
  async readPrepared<Row>(tx: EntityManager, sql: string, parameters: SqlValue[]) {
    // The connection may be another transaction's by now.
    if (!tx.queryRunner || tx.queryRunner.isReleased) throw new TransactionStateError(ENDED);
    const connection = ((await tx.queryRunner.connect()) as PoolConnection).promise();
    const [rows] = await connection.execute(sql, parameters).catch((error: unknown) => {
      // The server holds no more of them for all its clients. The text is understood, too.
      if (errorCode(error) !== 'ER_MAX_PREPARED_STMT_COUNT_REACHED') throw error;
      return connection.query(sql, parameters);
    });
    return rows as Row[];
  },
  async runRows(tx, sqlOf, rows) {
    for (let at = 0; at < rows.length;) {
      const size = STATEMENT_ROWS.find((one) => one <= rows.length - at) ?? 1;
      await mysqlDialect.runPrepared(tx, sqlOf(size), rows.slice(at, at + size).flat());
      at += size;
    }
  },
  isRetryable: isOneOf(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD']),
  isDamaged: isOneOf(MYSQL_DAMAGE),
  isDuplicate: isOneOf(['ER_DUP_ENTRY']),
  isUnavailable: isMysqlUnavailable,
};

/**
 * How many rows a statement of MySQL has, so that every number of rows takes few statements of few lengths. The driver
 * keeps a description of each parameter of each prepared statement: with one statement for each length, 100 statements took
 * 100 MB of every connection.
 */
const STATEMENT_ROWS = [256, 192, 128, 96, 64, 48, 32, 24, 16, 12, 8, 7, 6, 5, 4, 3, 2, 1];

/** The dialect of a migration's query runner; a transaction knows its own. */
export const dialectOf = ({ dataSource }: { dataSource: DataSource }): Dialect =>
  dataSource.options.type === 'mysql' ? mysqlDialect : sqliteDialect;

/**
 * The text of an `INSERT` of so many rows, good for both databases. It is the very same string each time: to hash a long one
 * again costs more than to find it.
 */
export function insertSql(table: string, columns: readonly string[], rows: number): string {
  const names = columns.join(', ');
  return inserts(`${table} ${names} ${rows}`, () => {
    const row = `, (${columns.map(() => '?').join(', ')})`;
    return `INSERT INTO ${table} (${names}) VALUES ${row.repeat(rows).slice(2)}`;
  });
}

/** Most rows that {@link inSizes} puts together. */
const MOST_ROWS = 256;

/**
 * Rows for statements of few sizes: powers of two. Each size is a statement of its own to prepare, of which a database
 * server holds so many for all its clients; and each statement is a round trip.
 */
export function inSizes<Row>(rows: readonly Row[]): Row[][] {
  const groups: Row[][] = [];
  for (let at = 0, size = MOST_ROWS; at < rows.length;) {
    if (size > rows.length - at) size /= 2;
    else at += groups[groups.push(rows.slice(at, at + size)) - 1]?.length ?? 0;
  }
  return groups;
}

const inserts = rememberTexts();
const sqliteUpserts = rememberTexts();
const mysqlUpserts = rememberTexts();

/** More than all tables with all sizes of usual batches. */
const MAX_TEXTS = 2_000;

/** Finds the text that was made before for a key, or makes it. */
function rememberTexts(): (key: string, make: () => string) => string {
  const texts = new Map<string, string>();
  return (key, make) => {
    const known = texts.get(key);
    if (known !== undefined) return known;
    if (texts.size >= MAX_TEXTS) texts.clear();
    const text = make();
    texts.set(key, text);
    return text;
  };
}
