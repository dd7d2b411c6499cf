import { performance } from 'node:perf_hooks';
import type { Database } from '#backend/database/database.ts';
import type { Actor } from '#backend/endpoint/endpoint.ts';
import { AuditEntity, addAudit, authorOf } from './audit-log.ts';

/** Denials of one call to one member within this time are one entry, in milliseconds. */
const WINDOW_MS = 60_000;

/** How often the number of repetitions is written, in milliseconds: a server that is killed loses no more. */
export const DENIAL_FLUSH_MS = 5_000;

/** What a member was refused: the declared route, and the path that they asked for. */
export interface RefusedCall {
  method: string;
  route: string;
  path: string;
}

/** Denials in the audit trail, so many at most that nobody fills the disk by being refused. */
export interface DenialLog {
  /** Writes an entry, or counts one more in that of the same member and route. */
  add(actor: Actor, ip: string, call: RefusedCall): Promise<void>;
  /** Writes how often each denial was repeated. */
  flush(): Promise<void>;
}

interface Denial {
  id: Promise<string>;
  startedAt: number;
  times: number;
  writtenTimes: number;
}

/** @param now a clock that never goes back, in milliseconds. */
export function createDenialLog(
  database: Pick<Database, 'transaction'>,
  now: () => number = () => performance.now(),
): DenialLog {
  const denials = new Map<string, Denial>();
  const isOver = ({ startedAt }: Denial) => now() - startedAt >= WINDOW_MS;

  const write = async (denial: Denial) => {
    const { times } = denial;
    if (times === denial.writtenTimes) return;
    const id = await denial.id;
    await database.transaction((tx) => tx.getRepository(AuditEntity).update({ id }, { times }));
    denial.writtenTimes = times;
  };

  return {
    async add(actor, ip, { method, route, path }) {
      const key = `${actor.id} ${method} ${route}`;
      const known = denials.get(key);
      if (known && !isOver(known)) {
        known.times += 1;
        await known.id;
        return;
      }
      const id = database.transaction((tx) => addAudit(tx, authorOf(actor, ip), 'refused', `${method} ${path}`));
      const denial = { id, startedAt: now(), times: 1, writtenTimes: 1 };
      denials.set(key, denial);
      try {
        await id;
      } catch (error) {
        if (denials.get(key) === denial) denials.delete(key);
        throw error;
      }
      if (known) await write(known);
    },
    async flush() {
      for (const [key, denial] of denials) {
        await write(denial);
        if (isOver(denial) && denials.get(key) === denial) denials.delete(key);
      }
    },
  };
}
