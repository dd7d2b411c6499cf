import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/**
 * Which packets are lost: none; all, also those of new connections; those of connections that are there already, as after a
 * firewall has forgotten them; every answer; or all of every second connection.
 */
export type Loss = 'none' | 'everything' | 'what is there' | 'answers' | 'every second connection';

/** A proxy that can lose packets. Neither end notices that a connection ended, as when a cable is cut. */
export interface TcpProxy {
  port: number;
  lose(loss: Loss): void;
  close(): Promise<void>;
}

/** Starts a proxy in front of a port of this machine. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  let loss: Loss = 'none';
  let count = 0;
  let forgotten = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const number = (count += 1);
    const upstream = connect(target, '127.0.0.1');
    const isCut = (isAnswer: boolean): boolean =>
      number <= forgotten ||
      loss === 'everything' ||
      (loss === 'answers' && isAnswer) ||
      (loss === 'every second connection' && number % 2 === 0);
    for (const [from, to, isAnswer] of [
      [client, upstream, false],
      [upstream, client, true],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => {
        if (!isCut(isAnswer)) to.write(data);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        if (!isCut(isAnswer)) to.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    lose(what) {
      loss = what;
      if (what === 'what is there') forgotten = count;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
