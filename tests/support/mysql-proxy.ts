import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { WITHOUT_AUTOCOMMIT } from '#backend/platform/database/mysql-session.ts';

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
  /** From now on sessions keep autocommit whatever they are set to, as behind a proxy that shares them. */
  keepAutocommit(): void;
  /** How many packets clients have sent so far: each waits for its answer. */
  roundTrips(): number;
  /**
   * The statements of each transaction that has ended, from its beginning to its end, in the order of the ends. Those that are
   * prepared are there as they are run; each connection prepares them once.
   */
  transactions(): string[][];
  stop(): Promise<void>;
}

/** Numbers of commands in the protocol of MySQL. */
const COM_QUERY = 3;
const COM_STMT_PREPARE = 22;
const COM_STMT_EXECUTE = 23;
const HEADER_BYTES = 4;
/** Where a packet about a prepared statement has its id: behind the header and the command, or the answer's first byte. */
const ID_AT = HEADER_BYTES + 1;

/** Gathers the statements of one connection's transactions. */
function transactionsInto(ended: string[][]) {
  const prepared = new Map<number, string>();
  let preparing: string | undefined;
  let open: string[] | undefined;
  let hasAutocommit = true;
  return {
    sent(data: Buffer): void {
      const command = data[HEADER_BYTES];
      const text = data.toString('utf8', ID_AT);
      if (command === COM_STMT_PREPARE) preparing = text;
      else if (command === COM_STMT_EXECUTE) open?.push(prepared.get(data.readUInt32LE(ID_AT)) ?? 'unknown');
      if (command !== COM_QUERY) return;
      if (text === WITHOUT_AUTOCOMMIT) hasAutocommit = false;
      if (text === 'START TRANSACTION' || !hasAutocommit) open ??= [];
      if (!text.startsWith('SET ')) open?.push(text);
      if (open && (text === 'COMMIT' || text === 'ROLLBACK')) {
        ended.push(open);
        open = undefined;
      }
    },
    answered(data: Buffer): void {
      if (preparing !== undefined) prepared.set(data.readUInt32LE(ID_AT), preparing);
      preparing = undefined;
    },
  };
}

/** @param databaseUrl without TLS: the proxy reads the statements */
export async function startMysqlProxy(databaseUrl: string): Promise<MysqlProxy> {
  const upstream = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let losing: { text: string; done: () => void } | undefined;
  let delayMs = 0;
  let roundTrips = 0;
  let keepsAutocommit = false;
  const transactions: string[][] = [];

  const listener = createServer((client) => {
    const server = connect(Number(upstream.port), upstream.hostname);
    let sent = '';
    let isEnded = false;
    let lost: (() => void) | undefined;
    /** The delayed answers of this connection, in their order. */
    let last: Promise<unknown> = Promise.resolve();
    let delayed = 0;
    const watched = transactionsInto(transactions);
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
      watched.sent(data);
      const statement = data[HEADER_BYTES] === COM_QUERY ? data.toString('latin1', HEADER_BYTES + 1) : undefined;
      if (statement === 'START TRANSACTION' || isEnded) sent = '';
      isEnded = statement === 'COMMIT' || statement === 'ROLLBACK';
      sent += data.toString('latin1');
      if (statement === 'COMMIT' && losing && sent.includes(losing.text)) {
        lost = losing.done;
        losing = undefined;
      }
      if (keepsAutocommit && statement === WITHOUT_AUTOCOMMIT) data.write('1', data.length - 1);
      server.write(data);
    });
    server.on('data', (data) => {
      watched.answered(data);
      if (lost) {
        lost();
        end();
      } else if (delayMs === 0 && delayed === 0) client.write(data);
      else {
        delayed += 1;
        last = Promise.all([last, wait(delayMs)]).then(() => {
          delayed -= 1;
          return client.write(data);
        });
      }
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: url.href,
    loseCommitOf: (text) => new Promise((done) => (losing = { text, done })),
    keepAutocommit() {
      keepsAutocommit = true;
    },
    roundTrips: () => roundTrips,
    transactions: () => transactions,
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => listener.close(closed));
    },
  };
}
