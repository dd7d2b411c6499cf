import { performance } from 'node:perf_hooks';
import type { Database } from './database.ts';

/** By which time it is decided that something stored is too old. */
export interface SteadyClock {
  /** Milliseconds since the epoch, never later than the clock. @throws when what was seen cannot be read or stored */
  now(): Promise<number>;
}

const HOUR_MS = 60 * 60 * 1000;

/** For so long, of the time that servers run, a clock that went ahead is not believed, in milliseconds. */
export const BELIEVED_AFTER_MS = 24 * HOUR_MS;

/** How often the clock is sampled, in milliseconds of running time. */
const SAMPLE_MS = 10 * 60 * 1000;

/** What the clock showed when servers had run for so long; both in milliseconds. */
interface Look {
  ranMs: number;
  shown: number;
}

interface Clocks {
  /** The system's clock. */
  wall?: () => number;
  /** Time that passes for this process alone: it neither jumps nor goes on while the machine sleeps. */
  running?: () => number;
}

/**
 * A clock by which nothing is deleted too early. A clock that runs ahead, for an hour say, would else have all that is
 * deleted by its age deleted. Each look at the clock, with the time that has passed since, says what time it is; of all looks
 * of the last 24 hours of running time the earliest counts. So a jump ahead is believed after a day, and one that was
 * corrected never was. Looks are stored: a restart is no way round this. Where servers stand still or sleep, what is too
 * old stays for that time longer.
 *
 * @param database of the server that deletes
 */
export function createSteadyClock(
  database: Pick<Database, 'reads' | 'transaction'>,
  { wall = Date.now, running = () => performance.now() }: Clocks = {},
): SteadyClock {
  let looks: Look[] | undefined;
  let ranBeforeMs = 0;
  const startedAt = running();
  let turn: Promise<unknown> = Promise.resolve();

  const load = async (): Promise<Look[]> => {
    const rows: { ranMs: unknown; shown: unknown }[] = await database.reads.query(
      'SELECT ran_ms AS ranMs, shown_at AS shown FROM clock_looks ORDER BY ran_ms',
    );
    const stored = rows.map(({ ranMs, shown }) => ({ ranMs: Number(ranMs), shown: Number(shown) }));
    ranBeforeMs = (stored.at(-1)?.ranMs ?? 0) + 1;
    return stored;
  };

  const look = async (): Promise<number> => {
    looks ??= await load();
    const ranMs = Math.floor(ranBeforeMs + running() - startedAt);
    const shown = wall();
    const [last] = looks.slice(-1);
    if (!last || last.ranMs < ranBeforeMs || ranMs - last.ranMs >= SAMPLE_MS) {
      await database.transaction(async (tx) => {
        await tx.query('DELETE FROM clock_looks WHERE ran_ms < ? OR ran_ms >= ?', [ranMs - BELIEVED_AFTER_MS, ranMs]);
        await tx.query('INSERT INTO clock_looks (ran_ms, shown_at) VALUES (?, ?)', [ranMs, shown]);
      });
      looks = [...looks.filter((one) => one.ranMs >= ranMs - BELIEVED_AFTER_MS), { ranMs, shown }];
    }
    return Math.min(shown, ...looks.map((one) => one.shown + (ranMs - one.ranMs)));
  };

  return {
    now() {
      // One look after the other: two jobs that begin together are one look.
      const next = turn.then(look, look);
      turn = next.catch(() => undefined);
      return next;
    },
  };
}
