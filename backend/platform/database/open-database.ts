import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DataSource, type EntitySchema } from 'typeorm';
import BetterSqlite3 from 'better-sqlite3';
import mysql2 from 'mysql2';
import { commandLine } from '#backend/platform/logger/command-line.ts';
import { CACHE_KIB, limitCache } from './memory.ts';
import type { DatabaseObserver } from '#backend/platform/metrics/observers.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';
import { NO_TRACING, type Tracing } from '#backend/platform/tracing/tracing.ts';
import { type Database, type OpenedDatabase, createDatabase } from './database.ts';
import { mysqlDialect, sqliteDialect } from './dialect.ts';
import { errorCode } from './driver-errors.ts';
import { watchDamage } from './damage.ts';
import { continueStoredIds } from './ids.ts';
import { openLongReads } from './long-read-thread.ts';
import { type OnMigrated, type Tables, explainByNewer, migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { readMysqlUrl } from './mysql-options.ts';
import { type GuardOptions, createGuardedPool } from './mysql-pool.ts';
import { CAUSAL_READS, isGaleraNode } from './mysql-session.ts';
import { mysqlSnapshots, sqliteSnapshots } from './snapshot.ts';
import { addFunctions } from './sqlite-functions.ts';
import { CHANGE_CONNECTIONS, mysqlTransactions, sqliteTransactions } from './transaction.ts';
import { SECRETS_FILE, makeDataFile, refusalOf } from './private-files.ts';

/** Name of the embedded database's file in the data folder. */
export const SQLITE_FILE = 'alertdesk.sqlite';

/** How many prepared statements of TypeORM's a connection to SQLite keeps; those of many rows are kept by `Dialect.runRows`. */
const STATEMENT_CACHE = 500;

/** Bytes that the write-ahead log keeps once it is copied into the file. */
const WAL_BYTES = 16 * 1024 * 1024;

/** Connections that one server process holds to MySQL, beside those of `CHANGE_CONNECTIONS`. */
const MYSQL_CONNECTIONS = 10;

/**
 * Prepared statements that one of them holds: those that it ran last. MySQL and MariaDB hold 16,382 for all their
 * clients, so 15 workers stay within. Where there are more, statements are run as texts (see `Dialect.runPrepared`).
 */
const PREPARED_STATEMENTS = 100;

/** The same for one of the connections on which only the change of one alert runs: it has few statements. */
const CHANGE_STATEMENTS = 20;

/** Where the database is. */
export interface DatabaseLocation {
  /** Absolute path of the folder with the embedded database and generated secrets. */
  dataDir: string;
  /** `mysql://…`, or undefined for the embedded database in `dataDir`. */
  databaseUrl: string | undefined;
}

/** What is stored: the entities of every module. */
export interface StoredEntities {
  entities: EntitySchema[];
  /** Entities whose key is an id of ours, which new ids go on after. */
  withIds: EntitySchema[];
}

/** How the database is opened. */
interface OpenOptions extends GuardOptions {
  tracing?: Tracing;
  /** Receives what transactions report (`Transaction.toReport`) once they are committed. */
  onCommitted?: ((reported: object) => void) | undefined;
  onMigrated?: OnMigrated | undefined;
  /** What may be done to the tables; as a server does, they are made where there are none. */
  tables?: Tables;
}

/**
 * Opens the database and brings its tables up to date.
 *
 * @throws {StartError} when the folder cannot be written, the database cannot be reached, or its tables are not as asked.
 */
export async function openDatabase(
  where: DatabaseLocation,
  stored: StoredEntities,
  observer?: DatabaseObserver,
  { isPatient, tickMs, tracing = NO_TRACING, onCommitted, onMigrated, tables = 'made' }: OpenOptions = {},
): Promise<Database> {
  const opened = where.databaseUrl
    ? await openMysql(where.databaseUrl, stored, tables, { isPatient, tickMs })
    : await openSqlite(where.dataDir, stored, tables, onMigrated);
  if (tracing.isOn) traceReads(opened.reader, tracing);
  return createDatabase(opened, observer, tracing, onCommitted);
}

/** Notes every statement that TypeORM runs as a span of the work that it is for. */
function traceReads(source: DataSource, tracing: Tracing): void {
  source.subscribers.push({
    afterQuery({ query, executionTime = 0 }) {
      tracing.read({ sql: query, tookMs: executionTime }, tracing.active());
    },
  });
}

/** Says of the embedded database that its file is damaged, and what to do. */
export const damagedFile = (file: string, error: unknown): StartError =>
  new StartError(
    `The database file ${file} is damaged (${errorCode(error)}); put a backup back with "${commandLine('restore', 'FILE')}".`,
    { cause: error },
  );

async function openSqlite(
  dataDir: string,
  { entities, withIds }: StoredEntities,
  tables: Tables,
  onMigrated?: OnMigrated,
): Promise<OpenedDatabase> {
  const file = join(dataDir, SQLITE_FILE);
  await assertNotEmptied(file, join(dataDir, SECRETS_FILE));
  // Named, for TypeORM would look for it by a name that a bundle does not know.
  const damage = watchDamage(sqliteDialect, (sql, parameters) => writer.query(sql, parameters));
  const shared = {
    type: 'better-sqlite3',
    logger: damage.logger,
    driver: BetterSqlite3,
    database: file,
    entities,
    statementCacheSize: STATEMENT_CACHE,
  } as const;
  const writer = new DataSource({ ...shared, migrations, enableWAL: true, prepareDatabase: requireDurability });
  const reader = new DataSource({ ...shared, readonly: true, prepareDatabase: prepareReader });
  try {
    makeDataFile(file);
    await writer.initialize();
    assertDurability(await writer.query('PRAGMA journal_mode'), await writer.query('PRAGMA synchronous'));
    await migrate(writer, tables, onMigrated);
    await reader.initialize();
    await continueStoredIds(reader.manager, withIds);
  } catch (thrown) {
    const error = await explainByNewer(writer.manager, sqliteDialect, thrown);
    if (writer.isInitialized) await writer.destroy();
    if (error instanceof StartError) throw error;
    if (sqliteDialect.isDamaged(error)) throw damagedFile(file, error);
    throw new StartError(
      refusalOf(file, error) ??
        `The database file ${file} cannot be opened (${errorCode(error) || String(error)}); DATA_DIR must be a folder that can be written.`,
      { cause: error },
    );
  }
  const transact = await sqliteTransactions(writer);
  const longReads = openLongReads(file, (error, sql) => damage.logger.logQueryError(error, sql));
  const close = async () => {
    await longReads.close();
    await reader.destroy();
    await writer.destroy();
  };
  return {
    dialect: sqliteDialect,
    transact,
    snapshot: sqliteSnapshots(file),
    longReads,
    reader,
    isDamaged: damage.isDamaged,
    onFailed: damage.failed,
    close,
  };
}

/** In bytes; undefined where there is no such file. */
const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ size }) => size,
    () => undefined,
  );

/** What a restore names its copy until it is in place, and what was there before: behind the database's own name. */
export const RESTORED_NEW = '.new';
export const RESTORED_ASIDE = '.before-restore-';

/** Whether a restore has moved a database aside and put none in its place. */
async function isHalfRestored(file: string): Promise<boolean> {
  const name = basename(file);
  const names = await readdir(dirname(file)).catch((): string[] => []);
  return names.some((one) => one === name + RESTORED_NEW || one.startsWith(name + RESTORED_ASIDE));
}

/**
 * A database that lost its content, by a copy to a full disk or a restore that did not end for instance, is no first
 * start: the tables come before the secrets.
 */
async function assertNotEmptied(file: string, secrets: string): Promise<void> {
  const size = await sizeOf(file);
  const isLost = size === undefined ? await isHalfRestored(file) : size === 0 && !(await sizeOf(`${file}-wal`));
  if (!isLost || (await sizeOf(secrets)) === undefined) return;
  const [state, backup] = size === 0 ? ['empty', 'FILE'] : ['missing', 'FILE --new'];
  throw new StartError(
    `The database file ${file} is ${state}, while ${secrets} has the secrets of an installation; put a backup back with "${commandLine('restore', backup)}", or remove ${secrets} to begin again.`,
  );
}

/** Every commit reaches the disk before it returns: an alert whose sender got its 202 survives a power cut. */
function prepareReader(connection: BetterSqlite3.Database): void {
  addFunctions(connection);
  limitCache(connection, CACHE_KIB.lists);
}

function requireDurability(connection: BetterSqlite3.Database): void {
  addFunctions(connection);
  connection.pragma('synchronous = FULL');
  connection.pragma('busy_timeout = 5000');
  // What one large transaction made of the write-ahead log is given back.
  connection.pragma(`journal_size_limit = ${WAL_BYTES}`);
}

function assertDurability(journal: { journal_mode: string }[], synchronous: { synchronous: number }[]): void {
  if (journal[0]?.journal_mode !== 'wal' || synchronous[0]?.synchronous !== 2) {
    throw new StartError(
      'The embedded database refused WAL mode with synchronous=FULL; its file system cannot be used.',
    );
  }
}

async function openMysql(
  url: string,
  { entities, withIds }: StoredEntities,
  tables: Tables,
  options: GuardOptions,
): Promise<OpenedDatabase> {
  const { host, port, username, password, database, ssl } = readMysqlUrl(url);
  const changes = { connectionLimit: CHANGE_CONNECTIONS, maxPreparedStatements: CHANGE_STATEMENTS };
  const guard = createGuardedPool(changes, options);
  const damage = watchDamage(mysqlDialect, (sql, parameters) => source.query(sql, parameters));
  const source = new DataSource({
    type: 'mysql',
    logger: damage.logger,
    host,
    port,
    username,
    password,
    database,
    ...(ssl && { ssl }),
    entities,
    migrations,
    timezone: 'Z',
    charset: 'utf8mb4',
    driver: { ...mysql2, createPool: guard.createPool },
    // `trace` would make an Error object for every query, to name its call site if it fails.
    extra: {
      connectionLimit: MYSQL_CONNECTIONS,
      enableKeepAlive: true,
      trace: false,
      maxPreparedStatements: PREPARED_STATEMENTS,
    },
  });
  try {
    await source.initialize();
    await assertIsolation(source);
    if (await isGaleraNode((sql) => source.query(sql))) guard.setInSessions(CAUSAL_READS);
    await migrate(source, tables);
    await continueStoredIds(source.manager, withIds);
    if (!options.isPatient) guard.watch();
  } catch (thrown) {
    const error = await explainByNewer(source.manager, mysqlDialect, thrown);
    if (source.isInitialized) await source.destroy();
    if (error instanceof StartError) throw error;
    const reason = errorCode(error) || (error instanceof Error ? error.message : String(error));
    throw new StartError(
      `The database ${database} on ${host}:${port} cannot be used (${reason}); check DATABASE_URL and that the database server is running.`,
      { cause: error },
    );
  }
  let slot = 0;
  return {
    dialect: mysqlDialect,
    isPatient: options.isPatient,
    transact: mysqlTransactions(source, () => slot, guard.takeWithoutAutocommit),
    snapshot: mysqlSnapshots(source),
    useSlot(number) {
      slot = number;
    },
    longReads: { query: (sql, values = []) => source.query(sql, [...values]) },
    reader: source,
    // What writes meet is not remembered: tables of a MySQL server are repaired while servers like this one run.
    isDamaged: damage.isDamaged,
    close: () => source.destroy(),
  };
}

async function assertIsolation(source: DataSource): Promise<void> {
  const rows: { Variable_name: string; Value: string }[] = await source.query(
    // MySQL 8 and MariaDB from 11.1 on have the one name, MariaDB before has the other.
    "SHOW SESSION VARIABLES WHERE Variable_name IN ('transaction_isolation', 'tx_isolation', 'log_bin', 'binlog_format')",
  );
  const values = new Map(rows.map((row) => [row.Variable_name, row.Value]));
  if ((values.get('transaction_isolation') ?? values.get('tx_isolation')) !== 'READ-COMMITTED') {
    throw new StartError('The database at DATABASE_URL does not accept the isolation level READ COMMITTED.');
  }
  if (values.get('log_bin') === 'ON' && values.get('binlog_format') === 'STATEMENT') {
    throw new StartError(
      'The database at DATABASE_URL has binlog_format=STATEMENT, which excludes READ COMMITTED; set it to ROW or MIXED.',
    );
  }
}
