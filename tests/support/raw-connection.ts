import { once } from 'node:events';
import { type Socket, connect } from 'node:net';

/** A TCP connection that says to a server exactly what a test writes, and keeps what comes back. */
export interface RawConnection {
  socket: Socket;
  /** Everything received so far. */
  received(): string;
  /** Resolves when `pattern` was received; rejects when the connection ends before. */
  receives(pattern: RegExp): Promise<string>;
  /** Resolves when the connection is over, to the milliseconds since it was begun: the server has known it for less. */
  closed(): Promise<number>;
}

/** Connects to the server at `url`. */
export async function openRawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const begunAt = performance.now();
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (data) => (text += data.toString('latin1')));
  // A server that cuts a connection may reset it.
  socket.on('error', () => undefined);
  const closed = new Promise<number>((resolve) => {
    socket.once('close', () => resolve(performance.now() - begunAt));
  });
  return {
    socket,
    received: () => text,
    closed: () => closed,
    async receives(pattern) {
      while (!pattern.test(text)) {
        if (socket.closed) throw new Error(`The connection ended without ${pattern}; received: ${text}`);
        await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed]);
      }
      return text;
    },
  };
}
