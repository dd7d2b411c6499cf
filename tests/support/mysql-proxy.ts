import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** Between the server under test and its MySQL database: it cuts answers off, or delays everything. */
export interface MysqlProxy {
  /** The address of the database through this proxy. */
  url: string;
  /**
   * The next commit of a transaction that sent this text reaches the database, which makes it; its connection ends before
   * the answer. Resolves once that has happened.
   */
  loseCommitOf(text: string): Promise<void>;
  /** From now on each packet of an answer comes so much later, in milliseconds. */
  delay(milliseconds: number): void;
  /** How many packets clients have sent so far: each waits for its answer. */
  roundTrips(): number;
  stop(): Promise<void>;
}

/** Numbers of commands in the protocol of MySQL. */
const COM_QUERY = 3;
const HEADER_BYTES = 4;

/** @param databaseUrl without TLS: the proxy reads the statements */
export async function startMysqlProxy(databaseUrl: string): Promise<MysqlProxy> {
  const upstream = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let losing: { text: string; done: () => void } | undefined;
  let delayMs = 0;
  let roundTrips = 0;

  const listener = createServer((client) => {
    const server = connect(Number(upstream.port), upstream.hostname);
    let sent = '';
    let lost: (() => void) | undefined;
    const end = () => {
      for (const socket of [client, server]) {
        socket.destroy();
        sockets.delete(socket);
      }
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.setNoDelay().on('error', end).on('close', end);
    }
    client.on('data', (data) => {
      roundTrips += 1;
      const statement = data[HEADER_BYTES] === COM_QUERY ? data.toString('latin1', HEADER_BYTES + 1) : undefined;
      if (statement === 'START TRANSACTION') sent = '';
      sent += data.toString('latin1');
      if (statement === 'COMMIT' && losing && sent.includes(losing.text)) {
        lost = losing.done;
        losing = undefined;
      }
      server.write(data);
    });
    server.on('data', (data) => {
      if (lost) {
        lost();
        end();
      } else if (delayMs === 0) client.write(data);
      else setTimeout(() => client.write(data), delayMs);
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: url.href,
    loseCommitOf: (text) => new Promise((done) => (losing = { text, done })),
    roundTrips: () => roundTrips,
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => listener.close(closed));
    },
  };
}
