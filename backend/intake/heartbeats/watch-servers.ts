import { In } from 'typeorm';
import type { DatabaseClock } from '#backend/platform/cluster/database-clock.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { inSizes, insertSql } from '#backend/platform/database/dialect.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { prune } from '#backend/platform/database/prune.ts';
import { type Repeating, startRepeating } from '#backend/platform/database/repeat.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { HeartbeatEntity, expectedOf } from './heartbeat-entities.ts';
import { storeHeartbeats } from './report-heartbeats.ts';
import { setBack } from './rules.ts';

/** How often each server notes that calls can be received, in milliseconds. */
const NOTE_MS = 2_000;

/** A longer time in which no server noted it is one in which calls may have been missed, in milliseconds. */
const GAP_MS = 10_000;

/** A clock that is behind the last note by more was set back, in milliseconds. By less, servers differ. */
const SET_BACK_MS = GAP_MS;

/** The longest time without a note for a server that starts: it has not received anything since the last note. */
const GAP_AT_START_MS = 3_000;

/** Dependencies of noting that servers run. */
export interface WatchDeps {
  database: Database;
  clock: DatabaseClock;
  logger: Logger;
}

/** Notes that this server receives calls, and writes a time down in which none did. */
export interface ServerWatch {
  /** Notes it now, unless that was done a moment ago. */
  note(): Promise<void>;
}

/**
 * Writes when servers received calls last: one row, which each of them raises. Whoever finds it old writes down, in the same
 * transaction, from when until when none did (`heartbeat_downtimes`). A clock that is set forward looks the same, as does a machine
 * that slept. Whoever finds it ahead of the clock, which was set back then, moves the times of heartbeats back by as much.
 */
export function createServerWatch({ database, clock, logger }: WatchDeps): ServerWatch {
  /** When it was noted last: by the time that passes for this process, and by the clock that judges heartbeats. */
  let noted: { ranFor: number; at: number } | undefined;
  const remember = (): void => {
    noted = { ranFor: performance.now(), at: clock.now() };
  };
  // The time that passes for a process stands still while its machine sleeps; the clock does not, and may be set.
  const isFresh = (): boolean =>
    noted !== undefined && performance.now() - noted.ranFor < NOTE_MS && Math.abs(clock.now() - noted.at) < 2 * NOTE_MS;
  let hadNone = false;
  const note = async (): Promise<void> => {
    // Where nothing is expected, nothing is written: a server that nobody uses lets its disk sleep.
    const expected: unknown[] = await database.reads.query('SELECT id FROM heartbeats LIMIT 1');
    if (expected.length === 0) {
      hadNone = true;
      remember();
      return;
    }
    await clock.ask();
    const { gapMs, backMs } = await database.transaction(
      async (tx) => {
        const rows: { seenAt: unknown }[] = await tx.query(
          `SELECT seen_at AS seenAt FROM heartbeat_watch WHERE id = 'servers'${tx.dialect.forUpdate}`,
        );
        const seenAt = rows[0] === undefined ? undefined : Number(rows[0].seenAt);
        // On the embedded database there is no other server that could have received anything.
        const isAlone = noted === undefined && tx.dialect.name === 'sqlite';
        const longest = isAlone ? 0 : noted === undefined ? GAP_AT_START_MS : GAP_MS;
        const sinceSeen = (): number => (seenAt === undefined || hadNone ? 0 : clock.now() - seenAt);
        // It may have been set, and another server may have noted that, since it was asked.
        if (Math.abs(sinceSeen()) > longest) await clock.ask();
        const now = clock.now();
        const since = sinceSeen();
        const isGap = since > longest;
        if (isGap) {
          await tx.query(insertSql('heartbeat_downtimes', ['id', 'from_at', 'to_at', 'heartbeats', 'is_settled'], 1), [
            newId(),
            Math.round(now - since),
            Math.round(now),
            0,
            0,
          ]);
        }
        const isSetBack = -since > SET_BACK_MS;
        if (isSetBack) {
          const notedFor = noted === undefined ? GAP_MS : performance.now() - noted.ranFor;
          await moveBack(tx, clock, Math.round(-since), now - notedFor - NOTE_MS);
        }
        await tx.query(tx.dialect.upsertValues(insertSql('heartbeat_watch', ['id', 'seen_at'], 1), 'id', ['seen_at']), [
          'servers',
          Math.round(now),
        ]);
        return { gapMs: isGap ? since : 0, backMs: isSetBack ? -since : 0 };
      },
      { waitsForDisk: false },
    );
    hadNone = false;
    remember();
    if (gapMs > 0) logger.info({ gapMs: Math.round(gapMs) }, 'no server received calls of heartbeats for a while');
    if (backMs > 0) logger.warn({ backMs: Math.round(backMs) }, 'the clock was set back, and heartbeats with it');
  };
  let turn: Promise<void> = Promise.resolve();
  return {
    note() {
      if (isFresh()) return turn;
      turn = turn.catch(() => undefined).then(note);
      return turn;
    },
  };
}

/**
 * Moves the times of heartbeats back with the clock.
 *
 * @param since what was called or changed from this moment until now may have been so after the clock was set, and stays
 */
async function moveBack(tx: Transaction, clock: DatabaseClock, byMs: number, since: number): Promise<void> {
  const all: { id: string }[] = await tx.query('SELECT id FROM heartbeats ORDER BY id');
  for (const ids of inSizes(all.map(({ id }) => id))) {
    const rows = await tx.lockRows(HeartbeatEntity, { id: In(ids) });
    const until = clock.now() + NOTE_MS;
    const isFresh = (at: number | null): boolean => at !== null && at >= since && at <= until;
    await storeHeartbeats(
      tx,
      rows
        .filter(({ lastBeatAt, startedAt, changedAt }) => ![lastBeatAt, startedAt, changedAt].some(isFresh))
        .map((row) => setBack(expectedOf(row), row, byMs)),
    );
  }
  announce(tx, { type: 'heartbeats_changed' });
}

/** Times without a server are listed for so many days, unless somebody closes them before. */
const KEPT_DAYS = 90;
const DAY_MS = 24 * 60 * 60_000;

/** How often old times without a server are deleted, in milliseconds. */
export const DOWNTIME_PRUNE_MS = 6 * 60 * 60_000;

/** Deletes times without a server that nobody closed and that are long over. @param now by a clock that no jump can hurry */
export const pruneDowntimes = (database: Database, stopping: AbortSignal, now: number): Promise<void> =>
  prune(
    database,
    { table: 'heartbeat_downtimes', column: 'to_at' },
    now - KEPT_DAYS * DAY_MS,
    stopping,
    // What is not settled yet is still to be judged.
    [{ sql: 'is_settled = ?', values: [1] }],
  );

/** Notes that this server receives calls, for as long as it does. */
export const startNoting = (watch: ServerWatch, logger: Logger): Repeating =>
  startRepeating(() => watch.note(), {
    intervalMs: NOTE_MS,
    onError: (error) =>
      logger.error({ err: error }, 'it could not be noted that this server runs; the next attempt follows'),
  });
