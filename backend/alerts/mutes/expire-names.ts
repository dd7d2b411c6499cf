import { marksOf } from '#backend/platform/database/conditions.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type Repeating, pause, startRepeating } from '#backend/platform/database/repeat.ts';
import { holdNames } from './mute-all.ts';
import { deleteEndedMutes } from './mute-ends.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How often names are looked through. */
const INTERVAL_MS = 60 * 60 * 1000;

/** Names that one transaction looks at, and the pause after it: ingest goes between. */
export const BATCH_NAMES = 500;
const PAUSE_MS = 10;

/** What decides on a name: a mute of any member, of alert types a sound too. */
const KINDS = [
  { names: 'customers', key: 'id', decisions: [['customer_mutes', 'customer_id']] },
  {
    names: 'alert_types',
    key: 'name',
    decisions: [
      ['alert_type_mutes', 'alert_type'],
      ['alert_sounds', 'alert_type'],
    ],
  },
] as const;

/** What decides which names go. */
export interface NameExpiryDeps {
  database: Database;
  logger: Logger;

  /** Names go so many days after an alert last had them (NAME_RETENTION_DAYS). */
  days: number;
  /** By which time names are old, and mutes have ended. */
  now?: () => number | Promise<number>;
}

/** Deletes mutes that have ended and names that nobody uses at once and then every hour, until it is stopped. */
export const startNameExpiry = (deps: NameExpiryDeps): Repeating =>
  startRepeating(
    async (stopping) => {
      // Before the names: a mute that counts no more keeps none.
      await deleteEndedMutes(deps.database, await (deps.now ?? Date.now)(), stopping);
      await expireNames(deps, stopping);
    },
    {
      intervalMs: INTERVAL_MS,
      onError: (error) =>
        deps.logger.error({ err: error }, 'unused names could not be deleted; the next attempt follows'),
    },
  );

/**
 * Deletes the customers and alert types that no alert has had for `days` and that no member has decided anything about.
 * Alerts keep their own text; a name that comes back is known again, as a new one.
 *
 * @returns how many were deleted
 */
export async function expireNames(deps: NameExpiryDeps, stopping: AbortSignal): Promise<number> {
  const { database, logger, days, now = Date.now } = deps;
  const before = (await now()) - days * DAY_MS;
  let deleted = 0;
  for (const kind of KINDS) {
    let after = '';
    while (!stopping.aborted) {
      const rows: { name: string; seen: unknown }[] = await database.reads.query(
        `SELECT ${kind.key} AS name, last_seen_at AS seen FROM ${kind.names} WHERE ${kind.key} > ? ` +
          `ORDER BY ${kind.key} LIMIT ${BATCH_NAMES}`,
        [after],
      );
      const old = rows.filter(({ seen }) => Number(seen) < before).map(({ name }) => name);
      if (old.length > 0) deleted += await deleteUnused(database, kind, old, before);
      const last = rows.at(-1);
      if (last === undefined || rows.length < BATCH_NAMES) break;
      after = last.name;
      await pause(PAUSE_MS, stopping);
    }
  }
  if (deleted > 0) logger.info({ names: deleted, days }, 'deleted customers and alert types that no alert had lately');
  return deleted;
}

/**
 * Deletes those that are still old and undecided. Nobody mutes a name meanwhile, so that a mute is either seen here or
 * finds the name gone.
 */
function deleteUnused(
  database: Database,
  { names, key, decisions }: (typeof KINDS)[number],
  keys: string[],
  before: number,
): Promise<number> {
  return database.transaction(async (tx) => {
    await holdNames(tx);
    const old: { name: string }[] = await tx.query(
      `SELECT ${key} AS name FROM ${names} WHERE ${key} IN (${marksOf(keys)}) AND last_seen_at < ?`,
      [...keys, before],
    );
    const unused = new Set(old.map(({ name }) => name));
    for (const [table, column] of decisions) {
      if (unused.size === 0) return 0;
      const decided: { name: string }[] = await tx.query(
        `SELECT DISTINCT ${column} AS name FROM ${table} WHERE ${column} IN (${marksOf([...unused])})`,
        [...unused],
      );
      for (const { name } of decided) unused.delete(name);
    }
    if (unused.size === 0) return 0;
    // An alert may have brought one back meanwhile.
    await tx.query(`DELETE FROM ${names} WHERE ${key} IN (${marksOf([...unused])}) AND last_seen_at < ?`, [
      ...unused,
      before,
    ]);
    return unused.size;
  });
}
