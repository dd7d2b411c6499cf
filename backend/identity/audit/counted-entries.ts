import { performance } from 'node:perf_hooks';
import type { AuditAction } from '#backend/contract/audit-entry.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { type Author, addAudit } from './audit-log.ts';

/** What one occurrence is in the audit trail. */
export interface CountedEntry {
  author: Omit<Author, 'sessionId'>;
  action: AuditAction;
  subject?: string | null;
  detail?: string | undefined;
}

/** Entries of what may happen very often: repetitions are counted, so that nobody fills the disk by them. */
export interface CountedEntries {
  /**
   * Writes an entry at once, or counts a repetition within the time of what has the same key.
   *
   * @param isForRest for what is only counted: there is no entry at once.
   * @throws when the entry could not be written; the next one with this key is then the first.
   */
  add(key: string, entry: CountedEntry, isForRest?: boolean): Promise<void>;
  /** Whether what has this key is counted at the moment. */
  has(key: string): boolean;
  /** Of how many keys something is counted. */
  readonly size: number;
  /** Writes how often it was repeated where the time is over; before a stop everywhere. */
  flush(isStopping?: boolean): Promise<void>;
}

interface Counted {
  /** Writes an entry that stands for so many, unless an earlier attempt has. */
  write: (entry: Written) => Promise<void>;
  /** The entry of the first one. */
  first: Promise<void>;
  startedAt: number;
  repetitions: number;
  /** An entry that could not be written, or whose commit was not answered: it comes again under the same id. */
  unwritten: Written | undefined;
}

interface Written {
  id: string;
  times: number;
}

/**
 * The first one is an entry at once, the repetitions of the time after it are another one.
 *
 * @param windowMs how long repetitions are counted together: a server that is killed loses no more
 * @param now a clock that never goes back, in milliseconds.
 */
export function createCountedEntries(
  database: Pick<Database, 'dialect' | 'transaction'>,
  windowMs: number,
  now: () => number = () => performance.now(),
): CountedEntries {
  const all = new Map<string, Counted>();
  const isOver = ({ startedAt }: Counted) => now() - startedAt >= windowMs;

  const count = async (counted: Counted) => {
    while (counted.unwritten || counted.repetitions > 0) {
      if (!counted.unwritten) {
        counted.unwritten = { id: newId(), times: counted.repetitions };
        counted.repetitions = 0;
      }
      const entry = counted.unwritten;
      await counted.write(entry);
      if (counted.unwritten === entry) counted.unwritten = undefined;
    }
  };

  return {
    async add(key, { author, action, subject, detail }, isForRest = false) {
      const known = all.get(key);
      if (known && !isOver(known)) {
        known.repetitions += 1;
        await known.first;
        return;
      }
      const write = ({ id, times }: Written) =>
        database
          .transaction((tx) => addAudit(tx, author, action, subject, { detail, times, id }))
          .catch((error: unknown) => {
            if (!database.dialect.isDuplicate(error)) throw error;
          });
      const counted: Counted = {
        write,
        first: isForRest ? Promise.resolve() : write({ id: newId(), times: 1 }),
        startedAt: now(),
        repetitions: isForRest ? 1 : 0,
        unwritten: undefined,
      };
      all.set(key, counted);
      try {
        await counted.first;
      } catch (error) {
        if (all.get(key) === counted) all.delete(key);
        throw error;
      }
      if (known) await count(known);
    },
    has(key) {
      const known = all.get(key);
      return known !== undefined && !isOver(known);
    },
    get size() {
      return all.size;
    },
    async flush(isStopping = false) {
      for (const [key, counted] of all) {
        if (!isStopping && !isOver(counted)) continue;
        await count(counted);
        if (all.get(key) === counted) all.delete(key);
      }
    },
  };
}
