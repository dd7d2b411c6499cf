import type { Logger } from '#backend/platform/logger/logger.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { LEASE_MS, LOOKS_PER_LEASE, LeaseLostError, leaseOf } from '#backend/platform/database/lease.ts';
import { type Repeating, startRepeating } from '#backend/platform/database/repeat.ts';

/** What leading takes, and who leads. */
export interface LeadershipDeps {
  database: Database;
  logger: Logger;

  /** Id of this server. */
  serverId: string;
  /** How long a lease holds, in milliseconds; default: as in production. */
  leaseMs?: number | undefined;
}

/**
 * Starts jobs on one of all servers that have this database, and on another one when that server is gone: at once when
 * it was stopped, within a lease and a quarter when it was killed. Resolves when it is known who leads.
 *
 * @param begin starts the jobs. They write by the database that it receives: its transactions hold the lease first, so a
 *   server that was paused, and does not know yet that another one leads, stores nothing.
 */
export async function lead(
  { database, logger, serverId, leaseMs = LEASE_MS }: LeadershipDeps,
  name: string,
  begin: (database: Database) => Repeating[],
): Promise<Repeating> {
  // It has one server.
  if (database.dialect.name === 'sqlite') return together(begin(database));

  let leading: { token: number; jobs: Repeating } | undefined;
  let isAway = false;
  let hasWaited = false;
  const { promise: looked, resolve: hasLooked } = Promise.withResolvers<void>();
  const inTransaction = <T>(work: (lease: ReturnType<typeof leaseOf>) => Promise<T>): Promise<T> =>
    database.transaction((tx) => work(leaseOf((sql, values) => tx.query(sql, values), name, serverId, leaseMs)));

  const stepDown = async (error: unknown): Promise<void> => {
    if (!leading || !(error instanceof LeaseLostError)) throw error;
    logger.warn({ lease: name }, 'another server leads, because this one was away');
    await leading.jobs.stop();
    leading = undefined;
  };

  const look = async (): Promise<void> => {
    if (leading) {
      const { token } = leading;
      await inTransaction((lease) => lease.hold(token)).catch(stepDown);
    } else {
      const token = await inTransaction((lease) => lease.take());
      if (token !== undefined) {
        leading = { token, jobs: together(begin(fenced(database, name, serverId, token, leaseMs))) };
        if (hasWaited) logger.info({ lease: name, token }, 'this server leads from now on');
      }
    }
    isAway = false;
    hasWaited = true;
  };

  const looking = startRepeating(() => look().finally(hasLooked), {
    intervalMs: leaseMs / LOOKS_PER_LEASE,
    onError: (error) => {
      if (!isAway)
        logger.error({ err: error, lease: name }, 'a lease could not be looked at; the next attempt follows');
      isAway = true;
    },
  });
  await looked;
  return {
    async stop() {
      await looking.stop();
      // Nobody else may begin before these have ended.
      await leading?.jobs.stop();
      const token = leading?.token;
      if (token === undefined) return;
      await inTransaction((lease) => lease.giveUp(token)).catch(() => undefined);
    },
  };
}

/** A database whose transactions store nothing once another server has the lease. */
const fenced = (database: Database, name: string, serverId: string, token: number, leaseMs: number): Database => ({
  ...database,
  transaction: (work) =>
    database.transaction(async (tx) => {
      await leaseOf((sql, values) => tx.query(sql, values), name, serverId, leaseMs).hold(token);
      return work(tx);
    }),
});

const together = (jobs: Repeating[]): Repeating => ({
  async stop() {
    await Promise.all(jobs.map((job) => job.stop()));
  },
});
