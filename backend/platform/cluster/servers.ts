import { marksOf } from '#backend/platform/database/conditions.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { PRODUCT_NAME, PRODUCT_VERSION } from '#backend/contract/product.ts';
import { COUNTER_SLOTS, type Database } from '#backend/platform/database/database.ts';
import { endDeadServers, lockServerFile } from '#backend/platform/database/data-dir-lock.ts';
import { DATABASE_NOW } from '#backend/platform/database/lease.ts';
import { startRepeating } from '#backend/platform/database/repeat.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';

/** How often a server says that it runs, and after how long without that it is gone, in milliseconds. */
const BEAT_MS = 2_000;
const GONE_MS = 6_000;

/** How often a server that starts checks whether another one still runs, in milliseconds. */
const POLL_MS = 250;

/** A server that was seen this far ahead was seen before the database's clock was set back, in milliseconds. */
const AHEAD_MS = 60_000;

/** What joining takes. */
export interface JoinDeps {
  database: Database;
  logger: Logger;

  serverId: string;
  dataDir: string;
  /** Whether this server reports changes to the others, and receives theirs. */
  isShared: boolean;
}

/** One of the servers on a database. */
export interface Membership {
  /** Number that no other server has, from 0 to {@link COUNTER_SLOTS} - 1, unless there are more servers than that. */
  slot: number;
  /** Ids of servers that were found dead by their data folder as this one started. */
  foundDead: ReadonlySet<string>;
  /** Says that this server runs no longer. */
  leave(): Promise<void>;
}

interface OtherServer {
  id: string;
  host: string;
  isShared: boolean;
  slot: number;
  startedAt: number;
  seenAt: number;
}

/**
 * Makes this server one of those on a MySQL database, and refuses it beside others that would not receive its changes.
 * Where such a server was killed, it waits until that is certain: at once with the same data folder, within 6 s else.
 *
 * @throws {StartError} when another server runs, and one of the two does not report its changes
 */
export async function joinServers(deps: JoinDeps): Promise<Membership> {
  const { database, serverId, dataDir } = deps;
  if (database.dialect.name === 'sqlite') return { slot: 0, foundDead: new Set(), leave: async () => undefined };

  const unlock = lockServerFile(dataDir, serverId);
  try {
    return await join(deps, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function join(deps: JoinDeps, unlock: () => void): Promise<Membership> {
  const { database, logger, serverId } = deps;
  const first = new Map<string, number>();
  const foundDead = new Set<string>();
  let joined = await register(deps, foundDead);
  while (joined.inTheWay) {
    const { id, host, startedAt, seenAt } = joined.inTheWay;
    if (seenAt !== (first.get(id) ?? seenAt)) {
      throw new StartError(
        `Another ${PRODUCT_NAME} (on ${host}, since ${new Date(startedAt).toISOString()}) works on the database at DATABASE_URL; ` +
          'set REDIS_URL for every server on it, so that they share live events, or stop the other one first.',
      );
    }
    first.set(id, seenAt);
    await wait(POLL_MS);
    joined = await register(deps, foundDead);
  }
  const { slot } = joined;
  database.useSlot(slot);

  let isAway = false;
  const beating = startRepeating(
    async () => {
      const current = await beat(deps);
      isAway = false;
      // It was away for so long that others took it for gone, and may have its slot.
      const { slot: own, inTheWay } = current === undefined ? await register(deps, foundDead) : { slot: current };
      if (!inTheWay) database.useSlot(own);
      else
        logger.error(
          { host: inTheWay.host },
          'another server was started on this database meanwhile, without REDIS_URL; stop one of the two',
        );
    },
    {
      intervalMs: BEAT_MS,
      onError: (error) => {
        if (!isAway) logger.error({ err: error }, 'this server could not say that it runs; the next attempt follows');
        isAway = true;
      },
    },
  );
  return {
    slot,
    foundDead,
    async leave() {
      await beating.stop();
      await database.reads.query('DELETE FROM servers WHERE id = ?', [serverId]).catch(() => undefined);
      unlock();
    },
  };
}

/**
 * Enters this server, unless another one is in the way. One server after the other; again without harm, after a commit whose
 * answer was lost.
 *
 * @param foundDead receives the ids of servers that are found dead by their data folder, whose rows are deleted
 */
function register(deps: JoinDeps, foundDead: Set<string>): Promise<{ slot: number; inTheWay?: OtherServer }> {
  for (const id of endDeadServers(deps.dataDir)) foundDead.add(id);
  const dead = [...foundDead];
  return deps.database.transaction(async (tx) => {
    // A change of a row, not a lock: nodes of a cluster lock rows for themselves.
    await tx.query("INSERT INTO leases VALUES ('start', '', 1, 0) ON DUPLICATE KEY UPDATE token = token + 1");
    await tx.query(
      `DELETE FROM servers WHERE seen_at < ${DATABASE_NOW} - ? OR seen_at > ${DATABASE_NOW} + ?` +
        (dead.length > 0 ? ` OR id IN (${marksOf(dead)})` : ''),
      [GONE_MS, AHEAD_MS, ...dead],
    );
    const others = await findOthers(tx, deps.serverId);
    const inTheWay = others.find(({ isShared }) => !isShared || !deps.isShared);
    if (inTheWay) return { slot: 0, inTheWay };
    const taken = new Set(others.map(({ slot }) => slot));
    const slots = Array.from({ length: COUNTER_SLOTS }, (_, slot) => slot);
    const slot = slots.find((free) => !taken.has(free)) ?? others.length % COUNTER_SLOTS;
    await tx.query(
      'INSERT INTO servers (id, host, version, is_shared, slot, started_at, seen_at) ' +
        `VALUES (?, ?, ?, ?, ?, ${DATABASE_NOW}, ${DATABASE_NOW}) ON DUPLICATE KEY UPDATE slot = VALUES(slot)`,
      [deps.serverId, hostname().slice(0, 255), PRODUCT_VERSION, deps.isShared ? 1 : 0, slot],
    );
    return { slot };
  });
}

/**
 * Says that this server runs. Returns the slot that it has; undefined when it is not among the servers. The row alone knows
 * the slot: this server may have entered again by a commit whose answer was lost.
 */
async function beat({ database: { reads }, serverId }: JoinDeps): Promise<number | undefined> {
  await reads.query(`UPDATE servers SET seen_at = ${DATABASE_NOW} WHERE id = ?`, [serverId]);
  const [row]: { slot: unknown }[] = await reads.query('SELECT slot FROM servers WHERE id = ?', [serverId]);
  return row && Number(row.slot);
}

async function findOthers(tx: Transaction, serverId: string): Promise<OtherServer[]> {
  const rows: Record<string, unknown>[] = await tx.query(
    'SELECT id, host, is_shared, slot, started_at, seen_at FROM servers WHERE id <> ? ORDER BY started_at, id',
    [serverId],
  );
  return rows.map((row) => ({
    id: String(row['id']),
    host: String(row['host']),
    isShared: Number(row['is_shared']) === 1,
    slot: Number(row['slot']),
    startedAt: Number(row['started_at']),
    seenAt: Number(row['seen_at']),
  }));
}
