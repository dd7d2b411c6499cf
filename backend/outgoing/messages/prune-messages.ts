import { marksOf } from '#backend/platform/database/conditions.ts';
import { OUTGOING_KEPT_DAYS } from '#backend/contract/outgoing.ts';
import { DestinationEntity } from '#backend/outgoing/destinations/destination-entity.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { OutgoingObserver } from '#backend/platform/metrics/observers.ts';
import { prune } from '#backend/platform/database/prune.ts';
import { IS_FREE, freeAt } from '#backend/platform/database/claims.ts';

/** How often messages are given up and deleted by their age, in milliseconds. */
export const MESSAGES_PRUNE_MS = 60_000;

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;

/** Messages that wait for one destination at most: more than a day at two a second. */
export const MAX_WAITING = 200_000;

/** Messages that are kept after they were sent or given up, of all destinations. */
const MAX_FINISHED = 500_000;

/** Messages that are given up in one transaction. */
const ROWS_AT_ONCE = 500;

/** Hours of which counts are kept: the last 24 are shown. */
const COUNTED_HOURS = 48;

/** A ticket is remembered for as long as it is open: while its destination is paused, nobody asks about it. */
const IS_NO_OPEN_TICKET = { sql: "(state IS NULL OR state <> 'open')", values: [] };

/** One that somebody ended is remembered with its alert: without its row the next report would make another. */
const IS_NOT_KEPT_OFF = {
  sql: '(is_stopped = 0 OR NOT EXISTS (SELECT 1 FROM alerts WHERE alerts.id = silences.alert_id))',
  values: [],
};

/**
 * Gives up what was tried for a day or is too much, and deletes what is old.
 *
 * @returns how many messages wait for each destination
 */
export async function pruneMessages(
  database: Database,
  stopping: AbortSignal,
  now: number,
  maxWaiting = MAX_WAITING,
): Promise<Parameters<OutgoingObserver['waiting']>[0]> {
  const destinations = await database.reads.getRepository(DestinationEntity).find({ select: { id: true, kind: true } });
  const counts: { id: string; kind: string; messages: number }[] = [];
  for (const { id, kind } of destinations) {
    await giveUp(database, id, stopping, 'AND give_up_at <= ?', [now]);
    const [row]: { waiting: unknown }[] = await database.reads.query(
      "SELECT COUNT(*) AS waiting FROM outgoing_messages WHERE destination_id = ? AND state = 'waiting'",
      [id],
    );
    const messages = Number(row?.waiting ?? 0);
    counts.push({ id, kind, messages: Math.min(messages, maxWaiting) });
    const tooMany = messages - maxWaiting;
    if (tooMany > 0) await giveUp(database, id, stopping, '', [], tooMany);
    // Nobody asks what became of them: the next change brings the message up to date.
    await database.transaction((tx) =>
      tx.query(
        "DELETE FROM outgoing_messages WHERE destination_id = ? AND state = 'not-delivered' AND event = 'update'",
        [id],
      ),
    );
  }
  const age = { table: 'outgoing_messages', column: 'finished_at', index: 'outgoing_messages_finished' };
  await prune(database, age, await oldestKept(database, now), stopping);
  const live = { table: 'outgoing_live', column: 'updated_at', index: 'outgoing_live_updated' };
  await prune(database, live, now - OUTGOING_KEPT_DAYS * DAY_MS, stopping, [IS_NO_OPEN_TICKET]);
  const silences = { table: 'silences', column: 'finished_at', index: 'silences_finished' };
  await prune(database, silences, now - OUTGOING_KEPT_DAYS * DAY_MS, stopping, [IS_NOT_KEPT_OFF]);
  await database.transaction((tx) =>
    tx.query('DELETE FROM outgoing_counts WHERE hour < ?', [Math.floor(now / HOUR_MS) - COUNTED_HOURS]),
  );
  return counts;
}

/** The oldest moment of which finished messages are kept. */
async function oldestKept({ reads }: Database, now: number): Promise<number> {
  const byAge = now - OUTGOING_KEPT_DAYS * DAY_MS;
  const [row]: { at: unknown }[] = await reads.query(
    'SELECT finished_at AS at FROM outgoing_messages WHERE finished_at >= ? ' +
      `ORDER BY finished_at DESC LIMIT 1 OFFSET ${MAX_FINISHED}`,
    [byAge],
  );
  return Math.max(byAge, Number(row?.at ?? 0));
}

/** Gives up the oldest messages that wait for a destination, `most` at most, unless somebody is sending them. */
async function giveUp(
  { reads, transaction }: Database,
  destinationId: string,
  stopping: AbortSignal,
  only: string,
  values: readonly number[],
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let left = most; left > 0 && !stopping.aborted; left -= ROWS_AT_ONCE) {
    const now = Date.now();
    const rows: { id: string }[] = await reads.query(
      `SELECT id FROM outgoing_messages WHERE destination_id = ? AND state = 'waiting' ${only} AND ${IS_FREE} ` +
        `ORDER BY id LIMIT ${Math.min(left, ROWS_AT_ONCE)}`,
      [destinationId, ...values, ...freeAt(now)],
    );
    if (rows.length === 0) return;
    const places = marksOf(rows);
    await transaction(async (tx) => {
      await tx.query(
        `UPDATE outgoing_messages SET state = 'not-delivered', finished_at = ? WHERE id IN (${places}) ` +
          `AND state = 'waiting' AND ${IS_FREE}`,
        [now, ...rows.map(({ id }) => id), ...freeAt(now)],
      );
      announce(tx, { type: 'outgoing_changed' });
    });
    if (rows.length < ROWS_AT_ONCE) return;
  }
}
