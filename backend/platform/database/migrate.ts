import { setTimeout as wait } from 'node:timers/promises';
import { type DataSource, type EntityManager, MigrationExecutor } from 'typeorm';
import { commandLine } from '#backend/platform/logger/command-line.ts';
import { PRODUCT_NAME, PRODUCT_VERSION } from '#backend/contract/product.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';
import type { Dialect } from './dialect.ts';
import { errorCode } from './driver-errors.ts';
import { newId } from './ids.ts';
import { CREATE_LEASES, LEASE_MS, RENEWALS_PER_LEASE, type Lease, LeaseLostError, leaseOf } from './lease.ts';
import { migrations } from './migrations.ts';

/** How often a server checks whether another one has migrated the tables, in milliseconds. */
const POLL_MS = 250;

const KNOWN: ReadonlySet<string> = new Set(migrations.map(({ name }) => name));

/** Beginning of the names of migrations after which the release before can still work (CONTRIBUTING.md). */
const EXPANDING = 'Expand';

/** What may be done to tables: made where there are none, brought up to date, or nothing. */
export type Tables = 'made' | 'updated' | 'kept';

/**
 * Brings the tables up to date. Of several servers on one MySQL database one does, the others wait for it; when it dies
 * another one goes on where it was.
 *
 * @param onMigrated for a database on SQLite that has tables already
 * @throws {StartError} when a newer release has made changes with which this one cannot work, when there are no tables and
 * none may be made, or older ones and they are to be kept
 */
export async function migrate(source: DataSource, tables: Tables, onMigrated?: OnMigrated): Promise<void> {
  if (tables !== 'made') await assertMade(source);
  if (tables === 'kept') {
    if (await isCurrent(source)) return;
    throw new StartError(
      `The tables are older than this release; run "${commandLine('migrate')}", or start the server, which brings them up to date.`,
    );
  }
  if (source.options.type !== 'mysql') {
    if (!(await isEmpty(source))) {
      await assertUsable(source);
      await reportSteps(source, onMigrated);
    }
    const made = await source.runMigrations({ transaction: 'each' });
    if (made.length > 0) await signMigrations(source);
    return;
  }
  if (await isCurrent(source)) return;
  await source.query(CREATE_LEASES).catch(refuseWithoutRights);
  const lease = leaseOf((sql, values) => source.query(sql, values), 'migrations', newId());
  while (!(await isCurrent(source))) {
    const token = await lease.take();
    if (token === undefined) await wait(POLL_MS);
    else await migrateWith(source, lease, token).catch(refuseWithoutRights);
  }
}

/** Receives how many migrations of those that were pending are done. */
export type OnMigrated = (done: number, total: number) => void;

async function reportSteps(source: DataSource, onMigrated?: OnMigrated): Promise<void> {
  if (!onMigrated) return;
  const pending = await new MigrationExecutor(source).getPendingMigrations();
  let done = 0;
  for (const { instance } of pending) {
    if (!instance) continue;
    const up = instance.up.bind(instance);
    instance.up = async (runner) => {
      await up(runner);
      done += 1;
      onMigrated(done, pending.length);
    };
  }
  if (pending.length > 0) onMigrated(0, pending.length);
}

/** @throws {StartError} for a user who may not change tables */
function refuseWithoutRights(error: unknown): never {
  if (!/ACCESS_?DENIED/.test(errorCode(error))) throw error;
  throw new StartError(
    `The user of DATABASE_URL may not change its tables, which are older than this release; run "${commandLine('migrate')}" as a user who may, and give this one its rights again.`,
    { cause: error },
  );
}

async function migrateWith(source: DataSource, lease: Lease, token: number): Promise<void> {
  const renewing = setInterval(() => void lease.hold(token).catch(() => undefined), LEASE_MS / RENEWALS_PER_LEASE);
  try {
    await migrateOneByOne(source, () => lease.hold(token));
  } catch (error) {
    // Another server goes on.
    if (!(error instanceof LeaseLostError)) throw error;
  } finally {
    clearInterval(renewing);
    await lease.giveUp(token).catch(() => undefined);
  }
}

/** @param hold throws when another server does this meanwhile. */
async function migrateOneByOne(source: DataSource, hold: () => Promise<void>): Promise<void> {
  const executor = new MigrationExecutor(source);
  // DDL of MySQL commits by itself.
  executor.transaction = 'none';
  for (const migration of await executor.getPendingMigrations()) {
    await hold();
    await executor.executeMigration(migration);
  }
  await hold();
  await signMigrations(source);
}

/** Notes which release made the newest migrations, for one that comes after it and is older. */
async function signMigrations(source: DataSource): Promise<void> {
  await source.query('UPDATE migrations SET made_by = ? WHERE made_by IS NULL', [PRODUCT_VERSION]);
}

/** @throws {StartError} when it is too new */
async function isCurrent(source: DataSource): Promise<boolean> {
  // Looking for executed migrations makes their table, which two servers must not do at once.
  if (await isEmpty(source)) return false;
  await assertUsable(source);
  return (await new MigrationExecutor(source).getPendingMigrations()).length === 0;
}

async function isEmpty(source: DataSource): Promise<boolean> {
  const runner = source.createQueryRunner();
  return !(await runner.hasTable('migrations').finally(() => runner.release()));
}

/** Migrations of our names are there: another program may have a table of this name. */
async function assertMade(source: DataSource): Promise<void> {
  const rows: { name?: string }[] = (await isEmpty(source)) ? [] : await source.query('SELECT * FROM migrations');
  if (rows.some(({ name = '' }) => KNOWN.has(name))) return;
  const { database } = source.options;
  throw new StartError(
    `There is no installation in the database ${String(database)}; set DATABASE_URL or DATA_DIR as the server has it.`,
  );
}

/** A database that is newer is usable while its changes since are expanding ones, as during a rolling restart. */
async function assertUsable(source: DataSource): Promise<void> {
  const newer = (await findNewer(source.manager)).find(({ name }) => !name.startsWith(EXPANDING));
  if (newer) throw tooNew(newer);
}

/**
 * What a statement that the database refuses means at a start: where a newer release has changed the tables, that this one
 * cannot work with them; else the error itself.
 */
export async function explainByNewer(manager: EntityManager, dialect: Dialect, error: unknown): Promise<unknown> {
  const isMistake =
    /^(?:SQLITE|ER)_/.test(errorCode(error)) && !dialect.isUnavailable(error) && !dialect.isDamaged(error);
  if (error instanceof StartError || !isMistake) return error;
  const newer = await findNewer(manager).catch(() => []);
  const last = newer.at(-1);
  return last ? tooNew(last, error) : error;
}

/** A migration that this release does not have, and the release that made it, where that is known. */
interface NewerMigration {
  name: string;
  madeBy: string | null | undefined;
}

async function findNewer(manager: EntityManager): Promise<NewerMigration[]> {
  const rows: { name: string; made_by?: string | null }[] = await manager.query('SELECT * FROM migrations ORDER BY id');
  return rows.filter(({ name }) => !KNOWN.has(name)).map(({ name, made_by: madeBy }) => ({ name, madeBy }));
}

function tooNew({ name, madeBy }: NewerMigration, cause?: unknown): StartError {
  const newer = madeBy ? `${PRODUCT_NAME} ${madeBy}` : 'a newer release';
  return new StartError(
    `This is ${PRODUCT_NAME} ${PRODUCT_VERSION}, which cannot work with the database as ${newer} has changed it (${name}); start the newer release, or restore a backup from before.`,
    { cause },
  );
}

/** A database that goes away while a server starts is no mistake of the product's: whoever supervises it starts it again. */
export function asStartError(dialect: Dialect, error: unknown): unknown {
  if (error instanceof StartError || !dialect.isUnavailable(error)) return error;
  return new StartError(
    `The database went away while ${PRODUCT_NAME} was starting (${errorCode(error)}); start it again once it is back.`,
    { cause: error },
  );
}
