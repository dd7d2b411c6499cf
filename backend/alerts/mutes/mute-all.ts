import { announce, announceAlone } from '#backend/platform/live/event-bus.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { BulkMuteEntity, type MuteKind } from './mute-entities.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_EXCEPTIONS } from '#backend/contract/notification-exception.ts';
import type { NoticeLevel } from '#backend/contract/notification-settings.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { conflict } from '#backend/platform/endpoint/errors.ts';
import { lockUser } from '#backend/identity/users/user.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import type { WritableDatabase } from '#backend/identity/users/on-behalf-of.ts';

/**
 * Waits for its turn before a transaction mutes names or lets them expire, so that no mute is left of a name that has
 * expired. A row of its own is locked: locking the names would hold up ingest, which touches them in another order. Call
 * it before the transaction reads names.
 */
export async function holdNames(tx: Transaction): Promise<void> {
  const { rowLock } = tx.dialect;
  await tx
    .getRepository(BulkMuteEntity)
    .findOne({ where: { userId: '', kind: 'turn' }, ...(rowLock && { lock: rowLock }) });
}

/** Rows that one transaction writes at most: ingest goes between. */
const ROWS_AT_ONCE = 500;

/** Where the exceptions of one kind are, and what they are of. */
export const TABLES = {
  customer: { mutes: 'customer_mutes', column: 'customer_id', names: 'customers', key: 'id' },
  alert_type: { mutes: 'alert_type_mutes', column: 'alert_type', names: 'alert_types', key: 'name' },
  source: { mutes: 'source_mutes', column: 'source_id', names: 'sources', key: 'id' },
} as const satisfies Record<MuteKind, unknown>;

/**
 * How a member is notified of one customer or source (by id) or alert type: without a level it is muted. `end` in
 * milliseconds, null: never.
 */
interface NewMute {
  kind: MuteKind;
  userId: string;
  one: string;
  end: number | null;
  level?: NoticeLevel;
}

/** The member's other windows follow. */
const changeOf = (userId: string) => ({ type: 'notification_settings_changed', userId }) as const;

/**
 * Mutes one for a member, gives its mute another end, or makes it an exception with another level. False when it is not known.
 *
 * @throws {ProblemError} 409 when the member has as many exceptions with another level as there may be
 */
export function muteOne(
  database: WritableDatabase,
  { kind, userId, one, end, level = 'never' }: NewMute,
): Promise<boolean> {
  const { dialect } = database;
  const { mutes, column, names, key } = TABLES[kind];
  return database.transaction(async (tx) => {
    await holdNames(tx);
    const known: unknown[] = await tx.query(`SELECT ${key} FROM ${names} WHERE ${key} = ?`, [one]);
    if (known.length === 0) return false;
    await tx.query(dialect.ignoreExisting(insertSql(mutes, ['user_id', column], 1), 'user_id'), [userId, one]);
    await tx.query(`UPDATE ${mutes} SET muted_until = ?, level = ? WHERE user_id = ? AND ${column} = ?`, [
      end,
      level,
      userId,
      one,
    ]);
    if (level !== 'never') await assertNotTooMany(tx, userId);
    announce(tx, changeOf(userId));
    return true;
  });
}

/** As many exceptions as this are read by every page, and with every push. */
async function assertNotTooMany(tx: Transaction, userId: string): Promise<void> {
  // The member's own calls come one after the other here, so that each counts what the one before wrote.
  await lockUser(tx, userId);
  let exceptions = 0;
  for (const { mutes } of Object.values(TABLES)) {
    const [row]: { count: unknown }[] = await tx.query(
      `SELECT COUNT(*) AS count FROM ${mutes} WHERE user_id = ? AND level <> 'never'`,
      [userId],
    );
    exceptions += Number(row?.count ?? 0);
  }
  if (exceptions > MAX_EXCEPTIONS) {
    throw conflict(`You have ${MAX_EXCEPTIONS} exceptions already. Remove one first.`);
  }
}

/**
 * Lets a member be notified of one customer or source (by id) or alert type as of the others again.
 *
 * @param onlyMute leaves an exception with another level as it is
 */
export async function unmuteOne(
  database: WritableDatabase,
  kind: MuteKind,
  userId: string,
  one: string,
  onlyMute = true,
): Promise<void> {
  const { mutes, column } = TABLES[kind];
  await database.transaction(async (tx) => {
    await tx.query(
      `DELETE FROM ${mutes} WHERE user_id = ? AND ${column} = ?${onlyMute ? " AND level = 'never'" : ''}`,
      [userId, one],
    );
    announce(tx, changeOf(userId));
  });
}

/**
 * Mutes everything of a kind for a member that is known when this begins, or nothing any more, in many small
 * transactions. Each of them first looks whether the member has asked again since: then the later call does all of it
 * and this one ends, so that of two windows the last one wins. A call that broke off half-way is completed by the same
 * call again. What appears meanwhile is not muted.
 */
export async function muteAll(
  database: WritableDatabase,
  kind: MuteKind,
  userId: string,
  muted: boolean,
): Promise<void> {
  const token = newId();
  await database.transaction(async (tx) => {
    await lockUser(tx, userId);
    const changes = tx.getRepository(BulkMuteEntity);
    await changes.delete({ userId, kind });
    await changes.insert({ userId, kind, token });
  });
  const step = muted ? await muteStep(database, kind, userId) : unmuteStep(kind, userId);
  const work = (after: string) =>
    database.transaction(async (tx) => {
      await holdNames(tx);
      await lockUser(tx, userId);
      const isLatest = await tx.getRepository(BulkMuteEntity).existsBy({ userId, kind, token });
      const last = isLatest ? await step(tx, after) : undefined;
      if (last === undefined) announce(tx, changeOf(userId));
      return last;
    });
  try {
    for (let after: string | undefined = ''; after !== undefined;) {
      after = await work(after);
      // The embedded database answers at once, on this thread: without a turn for others, nobody else is answered.
      if (after !== undefined) await nextTurn();
    }
  } catch (error) {
    // Some of them may have changed.
    await announceAlone(database, changeOf(userId)).catch(() => undefined);
    throw error;
  }
}

/**
 * Writes the next rows behind a name, and returns the last one's; undefined when none are left. It remembers nothing: run
 * again after a failed transaction, it writes the same rows.
 */
type Step = (tx: Transaction, after: string) => Promise<string | undefined>;

async function muteStep(database: WritableDatabase, kind: MuteKind, userId: string): Promise<Step> {
  const { dialect, reads } = database;
  const { mutes, column, names, key } = TABLES[kind];
  const [{ last }]: [{ last: string | null }] = await reads.query(`SELECT MAX(${key}) AS last FROM ${names}`);
  return async (tx, after) => {
    const rows: { name: string }[] = await tx.query(
      `SELECT ${key} AS name FROM ${names} WHERE ${key} > ? AND ${key} <= ? ORDER BY ${key} LIMIT ${ROWS_AT_ONCE}`,
      [after, last ?? ''],
    );
    const end = rows.at(-1);
    if (end === undefined) return undefined;
    const insert = insertSql(mutes, ['user_id', column], rows.length);
    await tx.query(
      dialect.ignoreExisting(insert, 'user_id'),
      rows.flatMap(({ name }) => [userId, name]),
    );
    // What was to end, or had another level, is muted for good.
    await tx.query(
      `UPDATE ${mutes} SET muted_until = NULL, level = 'never' WHERE user_id = ? AND ${column} > ? AND ${column} <= ? ` +
        "AND (muted_until IS NOT NULL OR level <> 'never')",
      [userId, after, end.name],
    );
    return end.name;
  };
}

function unmuteStep(kind: MuteKind, userId: string): Step {
  const { mutes, column } = TABLES[kind];
  return async (tx) => {
    const rows: { name: string }[] = await tx.query(
      `SELECT ${column} AS name FROM ${mutes} WHERE user_id = ? AND level = 'never' ` +
        `ORDER BY ${column} LIMIT ${ROWS_AT_ONCE}`,
      [userId],
    );
    const last = rows.at(-1);
    if (last === undefined) return undefined;
    await tx.query(`DELETE FROM ${mutes} WHERE user_id = ? AND level = 'never' AND ${column} <= ?`, [
      userId,
      last.name,
    ]);
    return last.name;
  };
}
