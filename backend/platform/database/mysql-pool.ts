import type { Socket } from 'node:net';
import process from 'node:process';
import { promisify } from 'node:util';
import mysql2, { type Pool, type PoolConnection, type PoolOptions } from 'mysql2';
import { WITHOUT_AUTOCOMMIT, sessionSettings } from './mysql-session.ts';
import { type Patience, currentPatience, spendPatience } from './patience.ts';

/** How often the connections are looked at, in milliseconds. */
const TICK_MS = 250;

/** An answer that has not begun after so many looks, or does not go on for so long, is given up: 3.5 s. */
const PATIENCE_TICKS = 14;

/** How long a connection may take to be made where nobody waits for an answer, in milliseconds. */
const PATIENT_CONNECT_MS = 30_000;

/** After a hang, how long after one attempt to reach the database the next one follows, in milliseconds. */
const PROBE_INTERVAL_MS = 500;

/** The database does not answer, or no connection to it came free in time. */
export class DatabaseTimeoutError extends Error {
  readonly code = 'DATABASE_TIMEOUT';
}

/** What mysql2's types leave out: the command that waits for its answer, if any. */
type Watched = PoolConnection & { _command?: object | null; stream: Socket };

type GiveConnection = (error: Error | null, connection?: PoolConnection) => void;

/** How a pool gives up. */
export interface GuardOptions {
  /** Statements may take as long as they want; locks and new connections are waited for much longer. */
  isPatient?: boolean | undefined;
  /** How often connections are looked at, in milliseconds. With it all times grow in which one gives up. */
  tickMs?: number | undefined;
}

/** A pool that gives up on a database that hangs. */
export interface GuardedPool {
  /** mysql2's own function, for TypeORM's `driver` option. */
  createPool(options: PoolOptions): Pick<Pool, 'getConnection' | 'end'>;
  /** A connection whose session is without autocommit, of a pool of its own: its first read begins a transaction. */
  takeWithoutAutocommit(): Promise<PoolConnection>;
  /** Sets something in the session of every connection there is and will be. */
  setInSessions(statement: string): void;
  /** Starts to look: from now on no statement may take long. Migrations come before. */
  watch(): void;
}

/** Sets something in a session; a connection on which the server refuses that is closed. */
const setIn = (connection: PoolConnection, statement: string): void => {
  connection.query(statement, (error) => {
    if (error) connection.destroy();
  });
};

/**
 * Connections to a database that may hang: its machine is paused, its disk stalls, the network swallows packets. Neither
 * mysql2 nor TCP notices any of it for minutes.
 *
 * - A statement without an answer for 3.5 s ends with its connection. Such a connection never returns to the pool, for the
 *   answer may still come. Its transaction is rolled back by the server, or was committed: nobody knows, so it is an error.
 * - When no connection has had an answer for as long, the database hangs. Every connection is closed, who waits for one gets
 *   an error, and so does everybody who asks from then on, at once, until an attempt to connect succeeds.
 * - Nobody waits for a connection longer than that either, and what a request waits for it all takes little longer together
 *   (see `patience`).
 *
 * Time is counted in looks, not by the clock: while this process itself is delayed there are none.
 *
 * @param changes how the pool of connections without autocommit differs
 */
export function createGuardedPool(
  changes: PoolOptions = {},
  { isPatient = false, tickMs = TICK_MS }: GuardOptions = {},
): GuardedPool {
  const seen = new Map<Watched, { command: object | null; bytesRead: number; ticks: number }>();
  const connections = new Set<Watched>();
  const pending = new Map<GiveConnection, { ticks: number; patience: Patience | undefined }>();
  /** For whom a connection was given out last. */
  const givenTo = new WeakMap<Watched, Patience | undefined>();
  const settings = sessionSettings(isPatient);
  let isHanging = false;
  let silentTicks = 0;
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;
  let pool: Pool;
  let withoutAutocommit: Pool;

  const forget = (connection: Watched) => {
    connections.delete(connection);
    seen.delete(connection);
  };

  const close = (connection: Watched) => {
    forget(connection);
    // Its commands end with this error, and the pool drops it.
    connection.stream.destroy(new DatabaseTimeoutError('The database did not answer in time.'));
  };

  const giveUp = (give: GiveConnection, reason: string) => {
    pending.delete(give);
    give(new DatabaseTimeoutError(reason));
  };

  const probe = () => {
    pool.getConnection((error, connection) => {
      if (!connection || error) {
        if (timer) setTimeout(probe, PROBE_INTERVAL_MS).unref();
        return;
      }
      isHanging = false;
      connection.release();
    });
  };

  const noteHang = () => {
    if (isHanging) return;
    isHanging = true;
    for (const connection of connections) close(connection);
    for (const give of pending.keys()) giveUp(give, 'The database does not answer.');
    probe();
  };

  /** True when this connection has waited for its answer for too long. */
  const isOverdue = (connection: Watched): boolean => {
    const command = connection['_command'] ?? null;
    const { bytesRead } = connection.stream;
    const before = seen.get(connection);
    if (bytesRead !== before?.bytesRead) silentTicks = 0;
    const isStalled = command !== null && before?.command === command && before.bytesRead === bytesRead;
    const ticks = isStalled ? before.ticks + 1 : 0;
    seen.set(connection, { command, bytesRead, ticks });
    const isSpent = isStalled && spendPatience(givenTo.get(connection), looks);
    return isSpent || ticks >= PATIENCE_TICKS;
  };

  const look = () => {
    silentTicks += 1;
    looks += 1;
    for (const connection of connections) if (connection.stream.destroyed) forget(connection);
    const overdue = [...connections].filter(isOverdue);
    for (const connection of overdue) close(connection);
    if (overdue.length > 0 && silentTicks >= PATIENCE_TICKS) noteHang();
    for (const [give, one] of pending) {
      if (spendPatience(one.patience, looks) || one.ticks >= PATIENCE_TICKS) {
        giveUp(give, 'No connection to the database came free in time.');
      }
      one.ticks += 1;
    }
  };

  const getFrom = (from: Pool, give: GiveConnection) => {
    if (isHanging) {
      process.nextTick(give, new DatabaseTimeoutError('The database does not answer.'));
      return;
    }
    const patience = currentPatience();
    pending.set(give, { ticks: 0, patience });
    from.getConnection((error, connection) => {
      if (!pending.delete(give)) {
        connection?.release();
        return;
      }
      if (error?.code === 'ETIMEDOUT' && timer) noteHang();
      if (connection) givenTo.set(connection as Watched, patience);
      give(error, connection);
    });
  };

  /** @param extraSettings what is set on its connections alone */
  const openPool = (options: PoolOptions, extraSettings: readonly string[]): Pool => {
    const opened = mysql2.createPool({
      ...options,
      connectTimeout: isPatient ? PATIENT_CONNECT_MS : PATIENCE_TICKS * tickMs,
    });
    opened.on('connection', (connection) => {
      connections.add(connection as Watched);
      // What its commands do not report concerns nobody: the pool drops it.
      connection.on('error', () => undefined);
      // Sent before anything else on this connection.
      for (const statement of settings) setIn(connection, statement);
      for (const statement of extraSettings) setIn(connection, statement);
    });
    return opened;
  };

  return {
    createPool(options) {
      pool = openPool(options, []);
      withoutAutocommit = openPool({ ...options, ...changes }, [WITHOUT_AUTOCOMMIT]);
      return {
        getConnection: ((give: GiveConnection) => getFrom(pool, give)) as Pool['getConnection'],
        end(callback) {
          clearInterval(timer);
          timer = undefined;
          withoutAutocommit.end(() => pool.end(callback));
        },
      };
    },
    takeWithoutAutocommit: promisify((give: (error: Error | null, connection: PoolConnection) => void) =>
      getFrom(withoutAutocommit, give as GiveConnection),
    ),
    setInSessions(statement) {
      settings.push(statement);
      for (const connection of connections) setIn(connection, statement);
    },
    watch() {
      timer = setInterval(look, tickMs).unref();
    },
  };
}
