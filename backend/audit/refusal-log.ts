import { performance } from 'node:perf_hooks';
import type { Database } from '#backend/database/database.ts';
import type { Actor } from '#backend/endpoint/endpoint.ts';
import { AuditEntity } from './audit-entity.ts';
import { addAudit, authorOf } from './audit-log.ts';

/** Refusals of one call to one member within this time are one entry, in milliseconds. */
const WINDOW_MS = 60_000;

/** How often the number of repetitions is written, in milliseconds: a server that is killed loses no more. */
export const REFUSAL_FLUSH_MS = 5_000;

/** What a member was refused: the declared route, and the path that they asked for. */
export interface RefusedCall {
  method: string;
  route: string;
  path: string;
}

/** Refusals in the audit trail, so many at most that nobody fills the disk by being refused. */
export interface RefusalLog {
  /** Writes an entry, or counts one more in that of the same member and route. */
  add(actor: Actor, ip: string, call: RefusedCall): Promise<void>;
  /** Writes how often each refusal was repeated. */
  flush(): Promise<void>;
}

interface Refusal {
  id: Promise<string>;
  startedAt: number;
  times: number;
  writtenTimes: number;
}

/** @param now a clock that never goes back, in milliseconds. */
export function createRefusalLog(
  database: Pick<Database, 'transaction'>,
  now: () => number = () => performance.now(),
): RefusalLog {
  const refusals = new Map<string, Refusal>();
  const isOver = ({ startedAt }: Refusal) => now() - startedAt >= WINDOW_MS;

  const write = async (refusal: Refusal) => {
    const { times } = refusal;
    if (times === refusal.writtenTimes) return;
    const id = await refusal.id;
    await database.transaction((tx) => tx.getRepository(AuditEntity).update({ id }, { times }));
    refusal.writtenTimes = times;
  };

  return {
    async add(actor, ip, { method, route, path }) {
      const key = `${actor.id} ${method} ${route}`;
      const known = refusals.get(key);
      if (known && !isOver(known)) {
        known.times += 1;
        await known.id;
        return;
      }
      const id = database.transaction((tx) => addAudit(tx, authorOf(actor, ip), 'refused', `${method} ${path}`));
      const refusal = { id, startedAt: now(), times: 1, writtenTimes: 1 };
      refusals.set(key, refusal);
      try {
        await id;
      } catch (error) {
        if (refusals.get(key) === refusal) refusals.delete(key);
        throw error;
      }
      if (known) await write(known);
    },
    async flush() {
      for (const [key, refusal] of refusals) {
        await write(refusal);
        if (isOver(refusal) && refusals.get(key) === refusal) refusals.delete(key);
      }
    },
  };
}
