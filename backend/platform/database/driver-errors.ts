/** What drivers put on their errors, as far as they say anything. */
interface DriverError {
  code?: unknown;
  /** MySQL's number of the error, and the class of it (SQLSTATE); empty where the driver itself reports it. */
  errno?: unknown;
  sqlState?: unknown;
  /** The connection is of no use any more. */
  fatal?: unknown;
}

/** The driver's error, at whatever depth TypeORM wrapped it. */
function driverErrorOf(error: unknown): DriverError {
  if (typeof error !== 'object' || error === null) return {};
  if ('driverError' in error && error.driverError !== error) return driverErrorOf(error.driverError);
  return error;
}

/** The driver's error code; of an error of MariaDB that mysql2 has no name for, its number, such as `MYSQL_1969`. */
export function errorCode(error: unknown): string {
  const { code, errno, sqlState } = driverErrorOf(error);
  if (typeof code === 'string') return code;
  return typeof sqlState === 'string' && typeof errno === 'number' ? `MYSQL_${errno}` : '';
}

/** Codes of a full disk, or a used-up quota, from Node.js and SQLite. */
export const FULL_DISK = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'];

/** Codes of files that are damaged. */
export const SQLITE_DAMAGE = ['SQLITE_CORRUPT*', 'SQLITE_NOTADB'];
export const MYSQL_DAMAGE = ['ER_CRASHED_ON_USAGE', 'ER_CRASHED_ON_REPAIR', 'ER_NOT_KEYFILE', 'ER_TABLE_CORRUPT'];

/** A transaction is not in the state that its next step takes: nothing of it may be acknowledged. */
export class TransactionStateError extends Error {
  readonly code = 'TRANSACTION_STATE';
}

/** The message of a statement that comes after its transaction: SQLite may also have ended that by itself. */
export const ENDED = 'This transaction has ended.';

/** Whether an error has one of these codes; a code that ends in `*` stands for all that begin so. */
export const isOneOf = (codes: string[]) => (error: unknown) => {
  const code = errorCode(error);
  return (
    code !== '' && codes.some((known) => code === known || (known.endsWith('*') && code.startsWith(known.slice(0, -1))))
  );
};

/** SQLite refuses the statement itself: it is wrong, or breaks a rule of the tables. */
const isSqliteMistake = isOneOf([
  'SQLITE_ERROR*',
  'SQLITE_CONSTRAINT*',
  'SQLITE_MISMATCH',
  'SQLITE_MISUSE',
  'SQLITE_RANGE',
  'SQLITE_TOOBIG',
]);

/** True when SQLite, not the request, is the trouble: whatever it refuses but the statement itself. */
export const isSqliteUnavailable = (error: unknown): boolean =>
  isOneOf(['SQLITE_*', ...FULL_DISK, 'TRANSACTION_STATE'])(error) && !isSqliteMistake(error);

/**
 * Classes of SQLSTATE in which MySQL and MariaDB refuse the statement itself: cardinality, data, constraints, syntax
 * (https://mariadb.com/docs/server/reference/error-codes/sqlstate).
 */
const MISTAKEN_STATEMENT = /^(?:21|22|23|42)/;

/** The same in the class of whatever has no other (HY000), and a statement too large for the server. */
const isMistakeWithoutClass = isOneOf([
  'ER_CANT_AGGREGATE_*',
  'ER_NET_PACKET_TOO_LARGE',
  'ER_NO_DEFAULT_FOR_FIELD',
  'ER_PS_MANY_PARAM',
  'ER_TRUNCATED_WRONG_VALUE*',
  'ER_WRONG_ARGUMENTS',
]);

/** What has the class of wrong syntax and is none: rights that are missing, limits that are reached. */
const isRightOrLimit = isOneOf([
  'ER_ACCESS_DENIED_*',
  'ER_BAD_DB_ERROR',
  'ER_COLUMNACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_MAX_PREPARED_STMT_COUNT_REACHED',
  'ER_NONEXISTING_GRANT',
  'ER_NONEXISTING_TABLE_GRANT',
  'ER_PROCACCESS_DENIED_ERROR',
  'ER_SPECIFIC_ACCESS_DENIED_ERROR',
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_USER_LIMIT_REACHED',
]);

/** MySQL refuses to write, as a server does that was a cluster's writer before. */
export const isReadOnly = isOneOf([
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
]);

/** The server is not there, or cannot be spoken with. */
const isUnreachable = isOneOf([
  'ECONN*',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'HANDSHAKE_*',
  'PROTOCOL_*',
  'AUTH_*',
  'DATABASE_TIMEOUT',
  'POOL_*',
  'TRANSACTION_STATE',
]);

/**
 * True when MySQL, not the request, is the trouble: it is away, or refuses anything but the statement itself. There are
 * too many reasons to name (a killed statement, a limit, a changed password, a right that was taken); all of them may
 * pass, and a request that is sent again then succeeds.
 */
export function isMysqlUnavailable(error: unknown): boolean {
  if (isUnreachable(error)) return true;
  const { sqlState, fatal } = driverErrorOf(error);
  if (typeof sqlState !== 'string') return fatal === true;
  if (isRightOrLimit(error)) return true;
  return !MISTAKEN_STATEMENT.test(sqlState) && !isMistakeWithoutClass(error);
}

/** True when a disk of this machine is full, wherever in the error's causes that is said. */
export const isFullDisk = (error: unknown): boolean =>
  isOneOf(FULL_DISK)(error) || (error instanceof Error && error.cause !== undefined && isFullDisk(error.cause));
