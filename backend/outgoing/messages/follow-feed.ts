import type { Database } from '#backend/platform/database/database.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { type Fact, parseFacts } from '#backend/platform/feed/feed-facts.ts';
import { advance } from '#backend/platform/feed/feed-place.ts';
import { type StoredFeedRow, readRowsByTime, readWriters } from '#backend/platform/feed/feed-rows.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { type OwnedAlerts, scheduleSilences, ownedAlerts } from '#backend/outgoing/silences/schedule-silences.ts';
import { happeningsOf } from './happenings.ts';
import type { ActivePlan } from './load-plan.ts';
import { type MakeDeps, makeMessages } from './make-messages.ts';
import { makeUpdates } from './make-updates.ts';
import { deleteMessagesOf, storeMessages, storeUpdates } from './store-messages.ts';

/** Without a sender that is silenced, nothing is noted. */
const NO_ALERTS: OwnedAlerts = new Map();

/** The name of this reader in the table of places. */
const CONSUMER = 'outgoing';

/** Rows of the feed that are read at once. */
const ROWS_AT_ONCE = 200;

/** Reads the feed and makes messages of it, on the server that leads. */
export interface FeedFollower {
  /**
   * Makes the messages of what is new.
   *
   * @param plan undefined while no rule leads anywhere or has a ladder, and no sender is silenced: then nothing is read, and no
   *   place is kept
   * @returns how many messages were made
   */
  read(plan: ActivePlan | undefined, stopping: AbortSignal): Promise<number>;
}

/** What else begins by changes of alerts, in the transactions that move the place in the feed. */
export interface FollowingWork {
  /** Reads what happened. Resolves to what stores that it begins; undefined where nothing does. */
  prepare(
    plan: ActivePlan,
    rows: readonly { facts: readonly Fact[]; row: StoredFeedRow }[],
  ): Promise<((tx: Transaction) => Promise<void>) | undefined>;
  /** These alerts are gone. */
  forget(tx: Transaction, alertIds: readonly string[]): Promise<void>;
}

interface FollowDeps extends MakeDeps {
  /** Its transactions hold the lease. */
  database: Database;
  logger: Logger;
  ladders: FollowingWork;
  /** This server's number among the writers, and up to which of its numbers everything has ended. */
  own: { writer: number; position: () => number };
}

/**
 * Each step stores its messages and its place in one transaction, so a server that is killed neither loses a change nor makes
 * a message twice. Numbers beyond a place are remembered until the place moves over them; who leads next meets them again,
 * and the keys of messages know them.
 */
export function createFeedFollower({ database, logger, ladders, own, ...deps }: FollowDeps): FeedFollower {
  let places: Map<number, number> | undefined;
  /** Numbers beyond the places that are dealt with, by writer. */
  const seen = new Map<number, Set<number>>();

  const savePlaces = async (tx: Transaction, moved: readonly (readonly [number, number])[]): Promise<void> => {
    if (moved.length === 0) return;
    const insert = insertSql('change_places', ['consumer', 'writer', 'number'], moved.length);
    await tx.query(
      database.dialect.upsertValues(insert, 'consumer, writer', ['number']),
      moved.flatMap(([writer, number]) => [CONSUMER, writer, number]),
    );
  };

  /** Where to go on: the stored places, or where the first rule began. */
  const open = async (activeSince: number): Promise<Map<number, number>> => {
    const stored = await readPlaces(database);
    if (stored.size > 0) return stored;
    const started = new Map<number, number>();
    for (const { id } of await readWriters(database.reads)) {
      const [row]: { number: unknown }[] = await database.reads.query(
        'SELECT MAX(number) AS number FROM changes WHERE writer = ? AND at < ?',
        [id, activeSince],
      );
      started.set(id, Number(row?.number ?? 0));
    }
    await database.transaction((tx) => savePlaces(tx, [...started]));
    return started;
  };

  /** Takes in writers that are new, and leaves out those that are gone with all their changes. */
  const meetWriters = async (known: Map<number, number>): Promise<void> => {
    const writers = new Map((await readWriters(database.reads)).map((writer) => [writer.id, writer]));
    for (const id of known.keys()) if (!writers.has(id)) known.delete(id);
    for (const [id, { prunedTo }] of writers) {
      const place = known.get(id) ?? 0;
      if (prunedTo > place && known.has(id)) {
        logger.error({ writer: id, changes: prunedTo - place }, 'changes were deleted before rules could send them');
      }
      known.set(id, Math.max(place, prunedTo));
    }
  };

  const isNew = ({ writer, number }: StoredFeedRow): boolean => !seen.get(writer)?.has(number);

  const step = async (from: Map<number, number>, after: Map<number, number>, plan: ActivePlan) => {
    const rows = await readRowsByTime(database.reads, after, ROWS_AT_ONCE);
    const fresh = rows.filter(isNew);
    const read = fresh.map((row) => ({ facts: factsOf(row, logger), row }));
    const begin = await ladders.prepare(plan, read);
    const happened = read.map(({ facts, row }) => happeningsOf(facts, row));
    const owned = plan.silenced.sourceIds.length === 0 ? NO_ALERTS : ownedAlerts(read.flatMap(({ facts }) => facts));
    const messages = await makeMessages(
      { database, ...deps },
      plan,
      happened.flatMap(({ happenings }) => happenings),
    );
    const deleted = happened.flatMap((one) => one.deleted);
    const changed = happened.flatMap((one) => one.changed);
    const updates = await makeUpdates({ database, ...deps }, plan, changed, messages);
    // What a page says is settled holds for a writer of whom nothing is missing before the page.
    const whole = new Map([...from].filter(([writer, number]) => after.get(writer) === number));
    const settled = advance(
      whole,
      rows.filter(({ writer }) => whole.has(writer)),
    );
    const moved = [...settled].filter(([writer, number]) => number > (from.get(writer) ?? 0));
    // Nothing depends on a place by itself: it is stored with what it stands for, or now and then.
    const hasNews =
      messages.length + updates.length + deleted.length + owned.size + moved.length > 0 || begin !== undefined;
    const made = !hasNews
      ? 0
      : await database.transaction(async (tx) => {
          const count = messages.length === 0 ? 0 : await storeMessages(tx, messages);
          await storeUpdates(tx, updates);
          await begin?.(tx);
          if (deleted.length > 0) {
            await ladders.forget(tx, deleted);
            await deleteMessagesOf(tx, deleted);
          }
          if (owned.size > 0) await scheduleSilences(tx, plan.silenced, owned);
          await savePlaces(tx, moved);
          return count;
        });
    for (const [writer, number] of moved) from.set(writer, number);
    for (const { writer, number } of fresh) {
      if (number > (from.get(writer) ?? 0)) seen.set(writer, (seen.get(writer) ?? new Set()).add(number));
    }
    return { rows, made };
  };

  /** Moves places on over what is dealt with beyond them, and over this server's own numbers that came to nothing. */
  const settle = (from: Map<number, number>): void => {
    for (const [writer, numbers] of seen) {
      let upTo = from.get(writer) ?? 0;
      while (numbers.has(upTo + 1)) upTo += 1;
      if (upTo > (from.get(writer) ?? 0)) from.set(writer, upTo);
      for (const number of numbers) if (number <= upTo) numbers.delete(number);
      if (numbers.size === 0) seen.delete(writer);
    }
  };

  return {
    async read(plan, stopping) {
      if (!plan) {
        if (places === undefined || places.size > 0) {
          await database.transaction((tx) => tx.query('DELETE FROM change_places WHERE consumer = ?', [CONSUMER]));
        }
        places = new Map();
        seen.clear();
        return 0;
      }
      if (places === undefined || places.size === 0) places = await open(plan.activeSince);
      await meetWriters(places);
      let made = 0;
      const ownPosition = own.position();
      const after = new Map(places);
      while (!stopping.aborted) {
        const done = await step(places, after, plan);
        made += done.made;
        for (const { writer, number } of done.rows) after.set(writer, number);
        if (done.rows.length < ROWS_AT_ONCE) break;
      }
      // All of this server up to here was published before the rows were read, or was rolled back.
      if (!stopping.aborted && ownPosition > (places.get(own.writer) ?? 0)) places.set(own.writer, ownPosition);
      settle(places);
      return made;
    },
  };
}

function factsOf({ writer, number, facts }: StoredFeedRow, logger: Logger): Fact[] {
  const parsed = parseFacts(facts);
  // Of a later release, which leads soon.
  if (!parsed) logger.warn({ writer, number }, 'a change of a later release is not sent by rules');
  return parsed ?? [];
}

/** The stored places; empty while no rule leads anywhere. */
async function readPlaces({ reads }: Database): Promise<Map<number, number>> {
  const rows: { writer: unknown; number: unknown }[] = await reads.query(
    'SELECT writer, number FROM change_places WHERE consumer = ?',
    [CONSUMER],
  );
  return new Map(rows.map(({ writer, number }) => [Number(writer), Number(number)]));
}
