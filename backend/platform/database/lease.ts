/**
 * Leases: rows of MySQL that say which server does what only one of them may do. Their time is the database's, so the
 * clocks of servers do not matter. The embedded database has one server and no leases.
 */

/** The table, which is there before migrations: they are made by the server that has the lease for it. */
export const CREATE_LEASES =
  'CREATE TABLE IF NOT EXISTS leases (name varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY, ' +
  'holder varchar(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, token bigint NOT NULL, expires_at bigint NOT NULL) ' +
  'ENGINE=InnoDB';

/** How long a lease holds after it was taken or renewed, in milliseconds: the longest time without anybody. */
export const LEASE_MS = 10_000;

/** How often a lease is renewed, and others try to take it, within the time that it holds. */
export const RENEWALS_PER_LEASE = 4;

/**
 * A lease that ends later than this is no lease: the database's clock was set back. Less would be the difference between
 * the clocks of two nodes of a cluster, in milliseconds.
 */
const LONGEST_MS = 60_000;

/** The database's clock in milliseconds since the epoch, UTC. Times in a zone would go back by an hour once a year. */
export const DATABASE_NOW = "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)";

/** Takes {@link LONGEST_MS}. */
const IS_FREE = `(expires_at <= ${DATABASE_NOW} OR expires_at > ${DATABASE_NOW} + ?)`;

/** Another server has the lease: nothing of the transaction may be stored. */
export class LeaseLostError extends Error {}

/** Runs a statement on MySQL; resolves to the driver's result. */
export type RunStatement = (sql: string, values: unknown[]) => Promise<unknown>;

/** Who has a lease. */
export interface LeaseHolder {
  holder: string;
  token: number;
  /** Its time is over, so anybody may take it. */
  isFree: boolean;
}

/** A lease as one server sees it. */
export interface Lease {
  /** Who has it, read by one statement without a lock; undefined while it was never taken. */
  read(): Promise<LeaseHolder | undefined>;
  /**
   * The token under which it is taken now, greater than each before; undefined while another server has it.
   *
   * @param endedToken takes it before its time is over from the server that has it under this token: that one has ended
   */
  take(endedToken?: number): Promise<number | undefined>;
  /**
   * Renews it. First in a transaction it is also the fence: the row stays locked until the commit, so nobody takes the
   * lease meanwhile. It is written, not read, so that a cluster whose nodes lock rows for themselves refuses the commit.
   *
   * @throws {LeaseLostError} when another server took it since, however long ago this one did
   */
  hold(token: number): Promise<void>;
  /** Lets others take it at once. */
  giveUp(token: number): Promise<void>;
}

/** @param holder names the server, for people who look at the table; unique. */
export function leaseOf(run: RunStatement, name: string, holder: string, leaseMs = LEASE_MS): Lease {
  const changes = async (sql: string, values: unknown[]): Promise<boolean> => {
    const { affectedRows } = (await run(sql, values)) as { affectedRows: number };
    return affectedRows > 0;
  };
  return {
    async read() {
      const sql = `SELECT holder, token, ${IS_FREE} AS isFree FROM leases WHERE name = ?`;
      const [row] = (await run(sql, [LONGEST_MS, name])) as { holder: string; token: unknown; isFree: unknown }[];
      return row && { holder: row.holder, token: Number(row.token), isFree: Number(row.isFree) === 1 };
    },
    async take(endedToken) {
      const isTaken = await changes(
        `UPDATE leases SET holder = ?, token = token + 1, expires_at = ${DATABASE_NOW} + ? ` +
          `WHERE name = ? AND (${IS_FREE}${endedToken === undefined ? '' : ' OR token = ?'})`,
        [holder, leaseMs, name, LONGEST_MS, ...(endedToken === undefined ? [] : [endedToken])],
      );
      // Between two statements it may be lost again: then this finds none.
      const sql = `SELECT token FROM leases WHERE name = ?${isTaken ? ' AND holder = ?' : ''}`;
      const [row] = (await run(sql, isTaken ? [name, holder] : [name])) as { token: unknown }[];
      if (row) return isTaken ? Number(row.token) : undefined;
      if (isTaken) return undefined;
      await run('INSERT INTO leases VALUES (?, ?, 0, 0) ON DUPLICATE KEY UPDATE name = name', [name, '']);
      return this.take();
    },
    async hold(token) {
      const sql = `UPDATE leases SET expires_at = ${DATABASE_NOW} + ? WHERE name = ? AND token = ?`;
      if (!(await changes(sql, [leaseMs, name, token]))) throw new LeaseLostError(`Another server does "${name}" now.`);
    },
    async giveUp(token) {
      await run('UPDATE leases SET expires_at = 0 WHERE name = ? AND token = ?', [name, token]);
    },
  };
}
