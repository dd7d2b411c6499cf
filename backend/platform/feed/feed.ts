import type { ChangeLog, Database } from '#backend/platform/database/database.ts';
import { DATABASE_NOW } from '#backend/platform/database/lease.ts';
import { pause } from '#backend/platform/database/repeat.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { Change, DomainEvent, EventBus } from '#backend/platform/live/event-bus.ts';
import { type Fact, type LoadPublished, eventsOf, eventsOfRows, factsText, isPlain, parseFacts } from './feed-facts.ts';
import { advance, formatPlace, parsePlace } from './feed-place.ts';
import { MAX_BEHIND, createFeedReader } from './feed-reader.ts';
import { NO_FACTS, hasComeTo, insertRow, measureRows, readRows, readWriters } from './feed-rows.ts';

/** Changes are kept for so long, in milliseconds. */
export const KEPT_MS = 24 * 60 * 60 * 1000;

/** How often the database is asked what became of a commit whose answer was lost, or for alerts to publish, in milliseconds. */
const AGAIN_MS = 250;

/** Facts that somebody may have missed and be led through, in bytes: those of 2,000 alerts are about 80 KB. */
const MAX_MISSED_BYTES = 512 * 1024;

/** A server that has not said for so long that it runs has changed nothing lately, in milliseconds. */
const SILENT_MS = 60_000;

/** What one transaction of this server changed. */
export interface OwnRow {
  number: number;
  events: readonly DomainEvent[];
}

/** What somebody has missed. */
export interface Missed {
  facts: Fact[];
  /** Who knows these facts knows everything up to here. */
  place: string;
}

/**
 * What changed, as rows that are written in the transactions of the changes, numbered by each server for itself. This server's
 * are published right after their commit; those of others when they come through Redis, or are read here
 * ([0081](../../../docs/decisions/0081-the-feed.md)).
 */
export interface Feed {
  /** The number of this start of the server among all writers. */
  readonly writer: number;
  /** Up to where everything was published on this server: for {@link Feed.since}. */
  place(): string;
  /** Of this server's changes: the number up to which all are published. */
  ownPosition(): number;
  /** Publishes what another server committed, unless that is known already. */
  take(row: { writer: number; number: number }, events: readonly DomainEvent[]): void;
  /** Publishes what other servers committed since. @throws {Error} when the database cannot be read */
  read(): Promise<void>;
  /** Calls back after each commit of this server, once its changes are published. */
  onOwn(listener: (row: OwnRow) => void): void;
  /**
   * What changed since a place. Undefined when that is too much, too long ago, or nobody knows: then everything is to be read
   * again.
   */
  since(place: string): Promise<Missed | undefined>;
  /** Waits for what is still to be published, and for commits of which nobody knows yet whether they were made. */
  stop(): Promise<void>;
}

/** What the feed is made of. */
export interface FeedDeps {
  database: Pick<Database, 'dialect' | 'reads' | 'transaction' | 'follow'>;
  events: EventBus;
  logger: Logger;
  /** Id of this server, another one after each start. */
  serverId: string;
  /** Reads alerts as events carry them. */
  load: LoadPublished;
}

/** Opens the feed: from now on what transactions change is written down and published. */
export async function openFeed({ database, events, logger, serverId, load }: FeedDeps): Promise<Feed> {
  const writer = await enter(database, serverId);
  const stopping = new AbortController();
  const listeners: ((row: OwnRow) => void)[] = [];
  let last = 0;
  /** Numbers of transactions that have not ended, and of those that are not published. */
  const open = new Set<number>();
  const unpublished = new Set<number>();
  const before = (numbers: ReadonlySet<number>): number => (numbers.size === 0 ? last : Math.min(...numbers) - 1);

  const reader = createFeedReader({
    reads: database.reads,
    own: writer,
    enterAgain: () => {
      logger.warn({ writer }, 'this server was away and the others forgot it; everything is read again');
      return enterAgain(database, { id: writer, serverId, endedTo: before(open) });
    },
    eventsOf: (rows) => eventsOfRows(rows, load),
    publish: (event) => events.publish(event, 'elsewhere'),
  });
  await reader.start();

  const publishOwn = (number: number, happened: readonly DomainEvent[]): void => {
    for (const event of happened) events.publish(event);
    unpublished.delete(number);
    for (const listener of listeners) listener({ number, events: happened });
  };
  /** What has to wait for the database before it can be published, and what follows it. */
  let waiting: Promise<void> | undefined;
  const publishLater = async (number: number, changes: readonly Change[]): Promise<void> => {
    const happened = await untilDone(() => eventsOf(changes, load), 'alerts that changed could not be read');
    if (happened) publishOwn(number, happened);
  };
  const inOrder = (work: () => Promise<void>): void => {
    const turn = (waiting ?? Promise.resolve()).then(work).finally(() => {
      if (waiting === turn) waiting = undefined;
    });
    waiting = turn;
  };
  /** Does something until it succeeds; undefined when the server stops before that. */
  const untilDone = async <T>(work: () => Promise<T>, failed: string): Promise<T | undefined> => {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await work();
      } catch (error) {
        if (isFirst) logger.warn({ err: error }, `${failed}; further attempts follow`);
        if (stopping.signal.aborted) return undefined;
        await pause(AGAIN_MS, stopping.signal);
      }
    }
  };

  const publishChanges = (number: number, changes: readonly Change[]): void => {
    if (waiting === undefined && changes.every(isPlain)) publishOwn(number, changes);
    else inOrder(() => publishLater(number, changes));
  };

  /**
   * Finds out whether a transaction was committed whose answer was lost, by taking its number for nothing: while its commit is in
   * flight this waits, after it this meets the row, and without it no later commit can have the number.
   */
  const isCommitted = async (number: number): Promise<boolean> => {
    try {
      const row = { writer, number, settled: before(open), facts: NO_FACTS };
      await database.transaction((tx) => insertRow(tx, row, Date.now()));
      return false;
    } catch (error) {
      if (!database.dialect.isDuplicate(error)) throw error;
      const [found] = await readRows(database.reads, new Map([[writer, number - 1]]), 1);
      return found?.number === number && found.facts !== NO_FACTS;
    }
  };
  const asking = new Set<Promise<void>>();
  const ask = async (number: number, changes: readonly Change[]): Promise<void> => {
    const is = await untilDone(() => isCommitted(number), 'nobody knows yet whether a change was stored');
    if (is === undefined) return;
    open.delete(number);
    if (is) publishChanges(number, changes);
    else unpublished.delete(number);
  };

  const log: ChangeLog = {
    begin() {
      last += 1;
      open.add(last);
      unpublished.add(last);
      return last;
    },
    write: (tx, number, changes) =>
      insertRow(
        tx,
        { writer, number, settled: before(open), facts: factsText(changes as readonly Change[]) },
        Date.now(),
      ),
    end(number, how, changes) {
      if (how === 'unknown') {
        const asked = ask(number, changes as readonly Change[]).finally(() => asking.delete(asked));
        asking.add(asked);
        return;
      }
      open.delete(number);
      if (how === 'committed') publishChanges(number, changes as readonly Change[]);
      else unpublished.delete(number);
    },
  };
  database.follow(log);

  const positions = () => new Map([...reader.positions(), [writer, before(unpublished)]]);
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    if (!(await reader.read())) events.publish({ type: 'resync' }, 'elsewhere');
  };

  return {
    writer,
    place: () => formatPlace({ madeAt: Date.now(), positions: positions() }),
    ownPosition: () => before(unpublished),
    take: (row, happened) => void reader.take(row, happened),
    read: () => (reading ??= read().finally(() => (reading = undefined))),
    onOwn: (listener) => void listeners.push(listener),
    async since(text) {
      const place = parsePlace(text);
      if (!place || place.madeAt < Date.now() - KEPT_MS) return undefined;
      const writers = await readWriters(database.reads);
      const known = new Set(writers.map(({ id }) => id));
      if ([...place.positions.keys()].some((id) => !known.has(id))) return undefined;
      const from = new Map(writers.map(({ id }) => [id, place.positions.get(id) ?? 0]));
      if (writers.some(({ id, prunedTo }) => (from.get(id) ?? 0) < prunedTo)) return undefined;
      if (!(await hasComeTo(database, place, { writer, last }))) return undefined;
      if (await hasSilentServer(database)) return undefined;
      // Before they are read: a busy day has more facts than one answer may keep everybody waiting for.
      const size = await measureRows(database.reads, from, MAX_BEHIND + 1);
      if (size.rows > MAX_BEHIND || size.bytes > MAX_MISSED_BYTES) return undefined;
      const rows = await readRows(database.reads, from, MAX_BEHIND + 1);
      const facts = rows.map((row) => parseFacts(row.facts));
      if (rows.length > MAX_BEHIND || facts.includes(undefined)) return undefined;
      return {
        facts: facts.flatMap((some) => some ?? []),
        place: formatPlace({ madeAt: Date.now(), positions: advance(from, rows) }),
      };
    },
    async stop() {
      await Promise.race([waiting, pause(AGAIN_MS, stopping.signal)]);
      stopping.abort();
      await Promise.all([waiting, ...asking]);
    },
  };
}

/** Takes a number for this start of the server. */
async function enter({ dialect, transaction }: FeedDeps['database'], serverId: string): Promise<number> {
  return transaction(async (tx) => {
    await tx.query('INSERT INTO change_writers (server_id) VALUES (?)', [serverId]);
    const [row]: { id: unknown }[] = await tx.query(
      `SELECT ${dialect.name === 'sqlite' ? 'last_insert_rowid()' : 'LAST_INSERT_ID()'} AS id`,
    );
    return Number(row?.id);
  });
}

/**
 * Enters a writer that was forgotten again, with its number: what it has written since is read by that number. Changes before are
 * gone.
 *
 * @param endedTo up to which number its transactions have ended
 */
async function enterAgain(
  { transaction }: FeedDeps['database'],
  { id, serverId, endedTo }: { id: number; serverId: string; endedTo: number },
): Promise<void> {
  await transaction(async (tx) => {
    const [kept]: { first: unknown }[] = await tx.query(
      'SELECT MIN(number) AS first FROM changes WHERE writer = ? AND facts <> ?',
      [id, NO_FACTS],
    );
    const prunedTo = Math.min(endedTo, Number(kept?.first ?? Number.POSITIVE_INFINITY) - 1);
    await tx.query('INSERT INTO change_writers (id, server_id, pruned_to) VALUES (?, ?, ?)', [id, serverId, prunedTo]);
  });
}

/** Whether a server of an earlier release runs beside this one: it writes nothing down. */
async function hasSilentServer({ dialect, reads }: FeedDeps['database']): Promise<boolean> {
  if (dialect.name === 'sqlite') return false;
  const rows: unknown[] = await reads.query(
    `SELECT id FROM servers WHERE seen_at > ${DATABASE_NOW} - ? AND id NOT IN (SELECT server_id FROM change_writers) LIMIT 1`,
    [SILENT_MS],
  );
  return rows.length > 0;
}
