import type { Database } from '#backend/platform/database/database.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { DATABASE_NOW } from '#backend/platform/database/lease.ts';
import { type Repeating, startRepeating } from '#backend/platform/database/repeat.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { DomainEvent } from '#backend/platform/live/event-bus.ts';
import { type LoadPublished, eventsOf, parseFacts } from './feed-facts.ts';
import type { Feed } from './feed.ts';
import { NO_FACTS, insertRow, readRows } from './feed-rows.ts';

/** How often each server writes down how far its consumers are, in milliseconds. What it had dealt with since is repeated. */
const SAVE_MS = 1_000;

/** How often it is looked for changes of servers that are gone, in milliseconds. */
const TAKE_OVER_MS = 2_000;

/** A server that has not said for so long that it runs is gone, in milliseconds. */
const GONE_MS = 10_000;

/** The place up to which the numbers of a writer that is gone are known to have no holes, as that of a consumer. */
const CLOSED = 'closed';

/** Rows of a server that is gone that are dealt with at once. */
const ROWS_AT_ONCE = 200;

/**
 * Deals with what changed: resolves when that is done, or never will be. The same may come again after a crash, and when it
 * throws: a server that stops leaves what it could not do to the next one.
 */
export type Consume = (events: readonly DomainEvent[]) => Promise<void> | void;

/**
 * What does something outside of the database about changes, at least once for each: the server that made a change does it, or,
 * when it is gone, the one that leads. How far each has come is in the table `change_places`.
 */
export interface FeedConsumers {
  /** @param name in the table, for good */
  add(name: string, consume: Consume): void;
  /** Does what servers that are gone have left, again and again. @param database holds the lease */
  takeOver(database: Database): Repeating;
  /** Writes down how far this server has come. */
  stop(): Promise<void>;
}

/** What consumers need. */
export interface ConsumerDeps {
  database: Database;
  feed: Pick<Feed, 'writer' | 'onOwn' | 'ownPosition'>;
  logger: Logger;
  load: LoadPublished;
}

interface Consumer {
  name: string;
  consume: Consume;
  /** Numbers that it has not dealt with. */
  open: Set<number>;
  saved: number;
}

export function createFeedConsumers({ database, feed, logger, load }: ConsumerDeps): FeedConsumers {
  const consumers: Consumer[] = [];
  feed.onOwn(({ number, events }) => {
    for (const consumer of consumers) {
      const done = consumer.consume(events);
      if (!done) continue;
      consumer.open.add(number);
      done.then(
        () => consumer.open.delete(number),
        (error: unknown) => logger.error({ err: error, consumer: consumer.name }, 'a change was not dealt with'),
      );
    }
  });

  const save = async (): Promise<void> => {
    const moved = consumers.flatMap(({ name, open, saved }) => {
      const number = Math.min(feed.ownPosition(), ...[...open].map((one) => one - 1));
      return number > saved ? [{ consumer: name, writer: feed.writer, number }] : [];
    });
    if (moved.length === 0) return;
    await savePlaces(database, moved);
    for (const { consumer, number } of moved) {
      for (const one of consumers) if (one.name === consumer) one.saved = number;
    }
  };
  const saving = startRepeating(save, {
    intervalMs: SAVE_MS,
    onError: (error) => logger.warn({ err: error }, 'how far changes are dealt with could not be stored'),
  });

  /** Does for one consumer what all writers that are gone have left. */
  const finish = async (leading: Database, { name, consume }: Consumer, left: Gone[], stopping: AbortSignal) => {
    const last = new Map(left.map((gone) => [gone.id, gone.last]));
    let from = new Map(left.map((gone) => [gone.id, gone.doneTo]));
    while (from.size > 0 && !stopping.aborted) {
      const rows = await readRows(leading.reads, from, ROWS_AT_ONCE);
      const work: (Promise<void> | void)[] = [];
      // Row by row: the alerts of one are in memory together, with their payloads.
      for (const { facts } of rows) {
        const done = consume(await eventsOf(parseFacts(facts) ?? [], load));
        // It may fail before all are waited for, while the alerts of the next row are read.
        done?.catch(() => undefined);
        work.push(done);
      }
      await Promise.all(work);
      const reached = rows.length < ROWS_AT_ONCE ? last : new Map(rows.map(({ writer, number }) => [writer, number]));
      await savePlaces(
        leading,
        [...reached].map(([writer, number]) => ({ consumer: name, writer, number })),
      );
      logger.info({ consumer: name, changes: rows.length }, 'dealt with changes of servers that are gone');
      const next = [...from].map(([id, number]) => [id, reached.get(id) ?? number] as const);
      from = new Map(next.filter(([id, number]) => number < (last.get(id) ?? 0)));
    }
  };
  const takeOver = async (leading: Database, stopping: AbortSignal): Promise<void> => {
    const placesOf = await readPlaces(leading);
    const leftFor = (consumer: string, gone: readonly Omit<Gone, 'doneTo'>[]): Gone[] =>
      gone
        .map(({ id, last }) => ({ id, last, doneTo: placesOf(consumer, id) }))
        .filter(({ doneTo, last }) => doneTo < last);
    const gone = await findGone(leading, feed.writer);
    for (const open of leftFor(CLOSED, gone)) {
      await fillHoles(leading, open);
      await savePlaces(leading, [{ consumer: CLOSED, writer: open.id, number: open.last }]);
    }
    await Promise.all(consumers.map((consumer) => finish(leading, consumer, leftFor(consumer.name, gone), stopping)));
  };

  return {
    add: (name, consume) => void consumers.push({ name, consume, open: new Set(), saved: 0 }),
    takeOver: (leading) =>
      startRepeating((stopping) => takeOver(leading, stopping), {
        intervalMs: TAKE_OVER_MS,
        onError: (error) =>
          logger.error({ err: error }, 'what a server left that is gone could not be done; the next attempt follows'),
      }),
    async stop() {
      await saving.stop();
      await save().catch(() => undefined);
    },
  };
}

interface ConsumerPlace {
  consumer: string;
  writer: number;
  number: number;
}

const savePlaces = ({ dialect, transaction }: Database, places: readonly ConsumerPlace[]): Promise<void> =>
  transaction(
    async (tx) => {
      const insert = insertSql('change_places', ['consumer', 'writer', 'number'], places.length);
      await tx.query(
        dialect.upsertValues(insert, 'consumer, writer', ['number']),
        places.flatMap(({ consumer, writer, number }) => [consumer, writer, number]),
      );
    },
    { waitsForDisk: false },
  );

/** Up to where each consumer has dealt with each writer's changes. One query: of a day's writers most have nothing left. */
async function readPlaces({ reads }: Database): Promise<(consumer: string, writer: number) => number> {
  const rows: { consumer: string; writer: unknown; number: unknown }[] = await reads.query(
    'SELECT consumer, writer, number FROM change_places',
  );
  const places = new Map(rows.map(({ consumer, writer, number }) => [`${consumer} ${Number(writer)}`, Number(number)]));
  return (consumer, writer) => places.get(`${consumer} ${writer}`) ?? 0;
}

/** A writer whose server is gone. */
interface Gone {
  id: number;
  /** The number of its last row. */
  last: number;
  /** Up to where a consumer has dealt with its rows. */
  doneTo: number;
}

async function findGone({ dialect, reads }: Database, own: number): Promise<Omit<Gone, 'doneTo'>[]> {
  const isGone =
    dialect.name === 'sqlite'
      ? ''
      : `AND server_id NOT IN (SELECT id FROM servers WHERE seen_at > ${DATABASE_NOW} - ?)`;
  const rows: { id: unknown; last: unknown }[] = await reads.query(
    'SELECT id, (SELECT MAX(number) FROM changes WHERE writer = change_writers.id) AS last FROM change_writers ' +
      `WHERE id <> ? ${isGone} ORDER BY id`,
    dialect.name === 'sqlite' ? [own] : [own, GONE_MS],
  );
  return rows.flatMap(({ id, last }) => (last === null ? [] : [{ id: Number(id), last: Number(last) }]));
}

/**
 * Takes the numbers that a server has left in the midst of its changes for nothing. It had not said of them that they were
 * settled, and whoever reads waits for them.
 */
async function fillHoles({ dialect, reads, transaction }: Database, { id: writer, last }: Omit<Gone, 'doneTo'>) {
  const rows = await readRows(reads, new Map([[writer, last - 1]]), 1);
  const settled = rows[0]?.settled ?? last;
  const found = await readRows(reads, new Map([[writer, settled]]), ROWS_AT_ONCE);
  const taken = new Set(found.map(({ number }) => number));
  for (let number = settled + 1; number < last; number += 1) {
    if (taken.has(number)) continue;
    const row = { writer, number, settled, facts: NO_FACTS };
    await transaction((tx) => insertRow(tx, row, Date.now())).catch((error: unknown) => {
      // Its transaction was committed by now.
      if (!dialect.isDuplicate(error)) throw error;
    });
  }
}
