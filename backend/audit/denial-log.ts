import { performance } from 'node:perf_hooks';
import type { Database } from '#backend/database/database.ts';
import { newId } from '#backend/database/ids.ts';
import type { Actor } from '#backend/endpoint/endpoint.ts';
import { addAudit, authorOf } from './audit-log.ts';

/** Repetitions of one call to one member within this time are one entry, in milliseconds: a server that is killed loses no more. */
const WINDOW_MS = 60_000;

/** How often denials are looked through for those whose time is over, in milliseconds. */
export const DENIAL_FLUSH_MS = 5_000;

/** What a member was refused: the declared route, and the path that they asked for. */
export interface RefusedCall {
  method: string;
  route: string;
  path: string;
}

/** Denials in the audit trail, so many at most that nobody fills the disk by being refused. */
export interface DenialLog {
  /** Writes an entry, or counts a repetition of the same member, token and route. */
  add(actor: Actor, ip: string, call: RefusedCall): Promise<void>;
  /** Writes how often denials were repeated whose time is over; before a stop those of all. */
  flush(isStopping?: boolean): Promise<void>;
}

interface Denial {
  /** Writes an entry that stands for so many denials, unless an earlier attempt has. */
  write: (entry: Entry) => Promise<void>;
  /** The entry of the first one. */
  first: Promise<void>;
  startedAt: number;
  repetitions: number;
  /** An entry that could not be written, or whose commit was not answered: it comes again under the same id. */
  unwritten: Entry | undefined;
}

interface Entry {
  id: string;
  times: number;
}

/**
 * The first denial is an entry at once, the repetitions of the minute after it are another one.
 *
 * @param now a clock that never goes back, in milliseconds.
 */
export function createDenialLog(
  database: Pick<Database, 'dialect' | 'transaction'>,
  now: () => number = () => performance.now(),
): DenialLog {
  const denials = new Map<string, Denial>();
  const isOver = ({ startedAt }: Denial) => now() - startedAt >= WINDOW_MS;

  const count = async (denial: Denial) => {
    while (denial.unwritten || denial.repetitions > 0) {
      if (!denial.unwritten) {
        denial.unwritten = { id: newId(), times: denial.repetitions };
        denial.repetitions = 0;
      }
      const entry = denial.unwritten;
      await denial.write(entry);
      if (denial.unwritten === entry) denial.unwritten = undefined;
    }
  };

  return {
    async add(actor, ip, { method, route, path }) {
      // Of each of a member's tokens by itself, so that an entry names the one that was refused.
      const key = `${actor.id} ${actor.tokenScope ? actor.sessionId : ''} ${method} ${route}`;
      const known = denials.get(key);
      if (known && !isOver(known)) {
        known.repetitions += 1;
        await known.first;
        return;
      }
      const write = ({ id, times }: Entry) =>
        database
          .transaction((tx) => addAudit(tx, authorOf(actor, ip), 'refused', `${method} ${path}`, { times, id }))
          .catch((error: unknown) => {
            if (!database.dialect.isDuplicate(error)) throw error;
          });
      const first = write({ id: newId(), times: 1 });
      const denial: Denial = { write, first, startedAt: now(), repetitions: 0, unwritten: undefined };
      denials.set(key, denial);
      try {
        await denial.first;
      } catch (error) {
        if (denials.get(key) === denial) denials.delete(key);
        throw error;
      }
      if (known) await count(known);
    },
    async flush(isStopping = false) {
      for (const [key, denial] of denials) {
        if (!isStopping && !isOver(denial)) continue;
        await count(denial);
        if (denials.get(key) === denial) denials.delete(key);
      }
    },
  };
}
