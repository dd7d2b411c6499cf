import type { Logger } from '#backend/platform/logger/logger.ts';
import type { Database } from '#backend/platform/database/database.ts';
import {
  LEASE_MS,
  RENEWALS_PER_LEASE,
  type Lease,
  type LeaseHolder,
  LeaseLostError,
  leaseOf,
} from '#backend/platform/database/lease.ts';
import { type Repeating, startRepeating } from '#backend/platform/database/repeat.ts';
import type { EndedServers } from './ended-servers.ts';

/** How often it is asked whether the server that leads has ended, in milliseconds. No statement of the database is needed for it. */
const WATCH_MS = 250;

/** What leading takes, and who leads. */
export interface LeadershipDeps {
  database: Database;
  logger: Logger;

  /** Id of this server. */
  serverId: string;
  /** How long a lease holds, in milliseconds; default: as in production. */
  leaseMs?: number | undefined;
  /** What is known of servers that were killed; without it their leases run out. */
  ended?: EndedServers | undefined;
}

/** How a server came to lead. */
export interface Beginning {
  /**
   * Whoever led before is taken for ended, so what it had in flight is done again at once; false where its lease ran out. One
   * that lost Redis alone may live, and what it is sending is sent twice, with the same id.
   */
  isAlone: boolean;
}

/**
 * Starts jobs on one of all servers that have this database, and on another one when that server is gone: at once when
 * it was stopped, within a second when it was killed and Redis says so, within a lease and a quarter otherwise. Resolves when it
 * is known who leads.
 *
 * @param begin starts the jobs. They write by the database that it receives: its transactions hold the lease first, so a
 *   server that was paused, and does not know yet that another one leads, stores nothing.
 */
export async function lead(
  { database, logger, serverId, leaseMs = LEASE_MS, ended }: LeadershipDeps,
  name: string,
  begin: (database: Database, beginning: Beginning) => Repeating[],
): Promise<Repeating> {
  // It has one server.
  if (database.dialect.name === 'sqlite') return together(begin(database, { isAlone: true }));

  let leading: { token: number; jobs: Repeating } | undefined;
  /** Who leads, as of the last look. */
  let leader: LeaseHolder | undefined;
  let lookAt = Number.NEGATIVE_INFINITY;
  let isAway = false;
  let isFirst = true;
  const { promise: looked, resolve: hasLooked } = Promise.withResolvers<void>();
  const lease = leaseOf((sql, values) => database.reads.query(sql, values), name, serverId, leaseMs);
  const inTransaction = <T>(work: (inside: Lease) => Promise<T>): Promise<T> =>
    database.transaction((tx) => work(leaseOf((sql, values) => tx.query(sql, values), name, serverId, leaseMs)));

  const stepDown = async (error: unknown): Promise<void> => {
    if (!leading || !(error instanceof LeaseLostError)) throw error;
    logger.warn({ lease: name }, 'another server leads, because this one was away');
    await leading.jobs.stop();
    leading = undefined;
  };

  /** @param endedToken of a leader that has ended, whose lease is still to run out */
  const become = async (endedToken?: number): Promise<void> => {
    const token = await inTransaction((inside) => inside.take(endedToken));
    // Another one was faster: who leads now is read at once.
    if (token === undefined) lookAt = Number.NEGATIVE_INFINITY;
    if (token === undefined) return;
    const isAlone = endedToken !== undefined;
    leading = { token, jobs: together(begin(fenced(database, name, serverId, token, leaseMs), { isAlone })) };
    if (!isFirst) logger.info({ lease: name, token, isAlone }, 'this server leads from now on');
  };

  const look = async (): Promise<void> => {
    lookAt = performance.now() + leaseMs / RENEWALS_PER_LEASE;
    if (leading) {
      await lease.hold(leading.token).catch(stepDown);
    } else {
      leader = await lease.read();
      const isDead = isFirst && leader?.isFree === false && ended?.wasFoundDead(leader.holder) === true;
      if (leader?.isFree !== false || isDead) await become(isDead ? leader?.token : undefined);
    }
    isAway = false;
    isFirst = false;
  };

  const turn = async (): Promise<void> => {
    if (performance.now() >= lookAt) return look();
    if (!leading && leader && (await ended?.hasEnded(leader.holder))) await become(leader.token);
  };

  const looking = startRepeating(() => turn().finally(hasLooked), {
    intervalMs: Math.min(leaseMs / RENEWALS_PER_LEASE, WATCH_MS),
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
      await lease.giveUp(token).catch(() => undefined);
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
