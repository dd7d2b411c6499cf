import type { Socket } from 'node:net';
import { type Connection, createConnection } from 'mysql2/promise';
import { readMysqlUrl } from './mysql-options.ts';
import { prepareOwnSession } from './mysql-session.ts';

/**
 * A connection to MySQL that a thread has to itself. When the signal aborts it is cut, and whatever is asked over it fails: the
 * driver's own `destroy` waits for an answer that a database that hangs does not give.
 *
 * @param connectTimeout in milliseconds
 */
export async function openOwnConnection(
  databaseUrl: string,
  connectTimeout: number,
  signal: AbortSignal,
): Promise<Connection> {
  const { host, port, username, password, database, ssl } = readMysqlUrl(databaseUrl);
  const connection = await createConnection({
    host,
    port,
    user: username,
    password,
    database,
    ...(ssl && { ssl }),
    charset: 'utf8mb4',
    timezone: 'Z',
    connectTimeout,
  });
  // What its statements do not report concerns nobody.
  connection.on('error', () => undefined);
  const cut = () => socketOf(connection).destroy(new Error('The connection was cut.'));
  signal.addEventListener('abort', cut, { once: true });
  connection.on('end', () => signal.removeEventListener('abort', cut));
  if (signal.aborted) cut();
  await prepareOwnSession(async (sql) => (await connection.query(sql))[0]);
  return connection;
}

/** The driver's types do not name it. */
const socketOf = (connection: Connection): Socket =>
  (connection as unknown as { connection: { stream: Socket } }).connection.stream;
