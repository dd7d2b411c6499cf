import type { EntityManager } from 'typeorm';
import type { DomainEvent } from '#backend/platform/live/event-bus.ts';
import { type Positions, advance } from './feed-place.ts';
import { type FeedRow, readLast, readRows, readWriters } from './feed-rows.ts';

/** Rows that are read at once. */
const ROWS_AT_ONCE = 200;

/** Rows of which alerts are read together: one after the other, each of many would wait for all before it. */
const ROWS_TOGETHER = 32;

/** With more behind, nobody is led through all of it: whoever follows reads what is stored. */
export const MAX_BEHIND = 2_000;

/** Reads what other writers write, and publishes each row once. */
export interface FeedReader {
  /** Begins after all that is stored now. */
  start(): Promise<void>;
  /** Publishes a row that came another way, unless it is known. Returns whether it was new. */
  take(row: { writer: number; number: number }, events: readonly DomainEvent[]): boolean;
  /** Publishes what is new. Returns false when that was too much to be led through: it is left out then. */
  read(): Promise<boolean>;
  /** Up to where the others are known. */
  positions(): Positions;
}

/** What a reader is made of. */
interface FeedReaderDeps {
  reads: EntityManager;
  /** The writer whose rows are not read. */
  own: number;
  /** Called when that writer was forgotten: its server was away, and the others forgot it. */
  enterAgain: () => Promise<void>;
  /** The events of each of these rows. */
  eventsOf: (rows: readonly FeedRow[]) => Promise<DomainEvent[][]>;
  publish: (event: DomainEvent) => void;
}

export function createFeedReader({ reads, own, enterAgain, eventsOf, publish }: FeedReaderDeps): FeedReader {
  const positions = new Map<number, number>();
  /** Known beyond its writer's position, by writer. */
  const seen = new Map<number, Set<number>>();
  const isNew = ({ writer, number }: { writer: number; number: number }): boolean =>
    number > (positions.get(writer) ?? 0) && !seen.get(writer)?.has(number);
  const note = ({ writer, number }: { writer: number; number: number }): void => {
    const numbers = seen.get(writer) ?? new Set();
    seen.set(writer, numbers.add(number));
  };
  /** Moves positions on over what is known beyond them. */
  const settle = (): void => {
    for (const [writer, numbers] of seen) {
      let upTo = positions.get(writer) ?? 0;
      while (numbers.has(upTo + 1)) upTo += 1;
      positions.set(writer, upTo);
      for (const number of numbers) if (number <= upTo) numbers.delete(number);
    }
  };
  /** Whether rows are gone unread: until all that is stored now is left out. */
  let isTooLate = false;
  /** Takes new writers in, and forgets those that are gone with all their changes. */
  const meet = async (): Promise<void> => {
    const writers = new Map((await readWriters(reads)).map((writer) => [writer.id, writer]));
    if (!writers.delete(own)) {
      // Others may be gone with changes that a server that was away has not read.
      isTooLate = true;
      await enterAgain();
    }
    for (const id of positions.keys()) if (!writers.has(id)) positions.delete(id);
    for (const id of seen.keys()) if (!writers.has(id)) seen.delete(id);
    for (const id of writers.keys()) if (!positions.has(id)) positions.set(id, 0);
    isTooLate ||= [...writers].some(([id, { prunedTo }]) => prunedTo > (positions.get(id) ?? 0));
  };
  /** Leaves out what is stored now. Positions move at once, at the end: who asks for them meanwhile has not missed anything. */
  const jump = async (): Promise<void> => {
    const found = new Map<number, { settled: number; rows: FeedRow[] }>();
    for (const { id, prunedTo } of await readWriters(reads)) {
      if (id === own) continue;
      const settled = Math.max(positions.get(id) ?? 0, prunedTo, (await readLast(reads, id))?.settled ?? 0);
      found.set(id, { settled, rows: await readRows(reads, new Map([[id, settled]]), MAX_BEHIND) });
    }
    for (const [writer, { settled, rows }] of found) {
      positions.set(writer, Math.max(positions.get(writer) ?? 0, settled));
      for (const row of rows) note(row);
    }
    settle();
  };

  /** One page after `from`. Returns its rows. */
  const readPage = async (from: Positions): Promise<FeedRow[]> => {
    // What a page says is settled holds for a writer of whom nothing is missing before the page.
    const whole = new Map([...from].filter(([writer, number]) => positions.get(writer) === number));
    const rows = await readRows(reads, from, ROWS_AT_ONCE);
    for (let at = 0; at < rows.length; at += ROWS_TOGETHER) {
      const fresh = rows.slice(at, at + ROWS_TOGETHER).filter(isNew);
      const events = fresh.length === 0 ? [] : await eventsOf(fresh);
      for (const [index, row] of fresh.entries()) {
        // It may have come another way meanwhile.
        if (!isNew(row)) continue;
        note(row);
        for (const event of events[index] ?? []) publish(event);
      }
    }
    const settled = advance(
      whole,
      rows.filter(({ writer }) => whole.has(writer)),
    );
    for (const [writer, number] of settled) {
      positions.set(writer, Math.max(positions.get(writer) ?? 0, number));
    }
    settle();
    return rows;
  };

  /** Publishes page after page. Returns false when that does not end. */
  const lead = async (): Promise<boolean> => {
    const from = new Map(positions);
    for (let looked = 0; looked <= MAX_BEHIND; looked += ROWS_AT_ONCE) {
      const page = await readPage(from);
      for (const { writer, number } of page) from.set(writer, number);
      if (page.length < ROWS_AT_ONCE) return true;
    }
    return false;
  };

  return {
    start: jump,
    take(row, events) {
      if (!isNew(row)) return false;
      note(row);
      for (const event of events) publish(event);
      settle();
      return true;
    },
    async read() {
      await meet();
      if (!isTooLate && (await lead())) return true;
      await jump();
      isTooLate = false;
      return false;
    },
    positions: () => positions,
  };
}
