import { setTimeout as wait } from 'node:timers/promises';
import { type DataSource, MigrationExecutor } from 'typeorm';
import { StartError } from '#backend/start-error.ts';
import { errorCode } from './dialect.ts';
import { newId } from './ids.ts';
import { CREATE_LEASES, LEASE_MS, LOOKS_PER_LEASE, type Lease, LeaseLostError, leaseOf } from './lease.ts';

/** How often a server looks whether another one has brought the tables up to date, in milliseconds. */
const LOOK_MS = 250;

/** Beginning of the names of migrations after which the release before can still work (CONTRIBUTING.md). */
const EXPANDING = 'Expand';

/**
 * Brings the tables up to date. Of several servers on one MySQL database one does, the others wait for it; when it dies
 * another one goes on where it was.
 *
 * @throws {StartError} when a newer release has made changes with which this one cannot work
 */
export async function migrate(source: DataSource): Promise<void> {
  if (source.options.type !== 'mysql') {
    await assertUsable(source);
    await source.runMigrations({ transaction: 'each' });
    return;
  }
  if (await isCurrent(source)) return;
  await source.query(CREATE_LEASES).catch(refuseWithoutRights);
  const lease = leaseOf((sql, values) => source.query(sql, values), 'migrations', newId());
  while (!(await isCurrent(source))) {
    const token = await lease.take();
    if (token === undefined) await wait(LOOK_MS);
    else await migrateWith(source, lease, token).catch(refuseWithoutRights);
  }
}

/** @throws {StartError} for a user who may not change tables */
function refuseWithoutRights(error: unknown): never {
  if (!/ACCESS_?DENIED/.test(errorCode(error))) throw error;
  throw new StartError(
    'The user of DATABASE_URL may not change its tables, which are older than this release; run "npm run migrate" as a user who may, and give this one its rights again.',
    { cause: error },
  );
}

async function migrateWith(source: DataSource, lease: Lease, token: number): Promise<void> {
  const renewing = setInterval(() => void lease.hold(token).catch(() => undefined), LEASE_MS / LOOKS_PER_LEASE);
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
}

/** @throws {StartError} when it is too new */
async function isCurrent(source: DataSource): Promise<boolean> {
  const runner = source.createQueryRunner();
  // Looking for executed migrations makes their table, which two servers must not do at once.
  const isEmpty = !(await runner.hasTable('migrations').finally(() => runner.release()));
  if (isEmpty) return false;
  await assertUsable(source);
  return (await new MigrationExecutor(source).getPendingMigrations()).length === 0;
}

/** A database that is newer is usable while its changes since are expanding ones, as during a rolling restart. */
async function assertUsable(source: DataSource): Promise<void> {
  const known = new Set(source.migrations.map(({ name }) => name));
  const made = await new MigrationExecutor(source).getExecutedMigrations();
  const newer = made.map(({ name }) => name).find((name) => !known.has(name) && !name.startsWith(EXPANDING));
  if (newer === undefined) return;
  throw new StartError(
    `A newer release has changed the database (${newer}), and this one cannot work with it; start the newer release, or restore a backup from before.`,
  );
}
