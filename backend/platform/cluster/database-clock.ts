import type { Database } from '#backend/platform/database/database.ts';
import { DATABASE_NOW } from '#backend/platform/database/lease.ts';

/** The database's clock as this process follows it: the same for every server, whatever their own clocks say. */
export interface DatabaseClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Asks the database again. @throws {Error} when it cannot be asked; the clock goes on as before */
  ask(): Promise<void>;
}

/** Reads the clock of the database. The embedded one has a single server, whose clock it is. */
export async function readDatabaseClock({
  reads,
  dialect,
}: Pick<Database, 'reads' | 'dialect'>): Promise<DatabaseClock> {
  if (dialect.name === 'sqlite') return { now: Date.now, ask: async () => undefined };
  // A clock that nobody sets: what was asked stays right until it is asked again.
  let ahead = 0;
  const ask = async (): Promise<void> => {
    const asked = performance.now();
    const [row]: { now: string | number }[] = await reads.query(`SELECT ${DATABASE_NOW} AS now`);
    ahead = Number(row?.now) - (asked + performance.now()) / 2;
  };
  await ask();
  return { now: () => performance.now() + ahead, ask };
}
