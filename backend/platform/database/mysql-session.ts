/** What every session on MySQL is set to before anything else runs in it. */

/** Runs a statement on a connection of its own; resolves to its rows. */
type ReadRows = (sql: string) => Promise<unknown>;

/** The longest wait for another transaction's lock, in seconds: of a server, and of who may wait for as long as it takes. */
const LOCK_WAIT = { inTime: 3, patient: 50 };

/**
 * Isolation level; the longest wait for another transaction's lock; and, where MariaDB can, how long a transaction may rest
 * between two statements, for a server that is paused in the middle of one would keep its locks until it goes on.
 */
export const sessionSettings = (isPatient: boolean): string[] => [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  `SET SESSION /*M!100300 idle_transaction_timeout = 10, */ innodb_lock_wait_timeout = ${isPatient ? LOCK_WAIT.patient : LOCK_WAIT.inTime}`,
];

/**
 * In such a session the first statement that reads a table begins a transaction. Every transaction in it ends with COMMIT or
 * ROLLBACK, and no statement runs outside of one.
 */
export const WITHOUT_AUTOCOMMIT = 'SET SESSION autocommit = 0';

/**
 * On a node of a Galera cluster, reads and transactions begin once the node has all that any other node had committed by
 * then: people reach one server now and another one then, which must not know less. What else it waits for stays.
 */
export const CAUSAL_READS = 'SET SESSION wsrep_sync_wait = @@SESSION.wsrep_sync_wait | 1';

/** Whether the server at the other end is a node of a Galera cluster; only such a server knows {@link CAUSAL_READS}. */
export async function isGaleraNode(read: ReadRows): Promise<boolean> {
  const rows = (await read("SHOW SESSION VARIABLES LIKE 'wsrep_on'")) as { Value: string }[];
  return rows[0]?.Value === 'ON';
}

/** Prepares a connection outside the pool, which reads what it wants and takes as long as it likes. */
export async function prepareOwnSession(read: ReadRows): Promise<void> {
  await read('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
  if (await isGaleraNode(read)) await read(CAUSAL_READS);
}
