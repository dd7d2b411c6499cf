import { randomBytes } from 'node:crypto';
import { type Socket, connect } from 'node:net';
import { CLOSE_FRAME, PING_FRAME, TEXT_FRAME, createFrameReader } from './frame-reader.ts';

/** One live client. */
export interface Listener {
  /** False once the server or the network ended the connection. */
  isOpen(): boolean;
  /** Reads nothing more, as a page does whose machine sleeps. */
  pause(): void;
  /** Resolves when the connection is over. */
  closed: Promise<void>;
  close(): void;
}

/** Every socket of the process reads into the same memory: what is read is looked at before the next one reads. */
const SHARED_BUFFER = Buffer.alloc(256 * 1024);

/** An empty pong, masked (with zeros) as a client's frames must be. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

const END_OF_HEAD = '\r\n\r\n';

/**
 * Connects to `/ws?batch=1` as a browser does, at the least cost: neither parsed nor copied is what nobody asked for.
 *
 * @param onText receives every frame's text, when it is asked for; the buffer is its only until it returns
 * @throws {Error} when the server refuses
 */
export async function listen(url: URL, cookie: string, onText?: (text: Buffer) => void): Promise<Listener> {
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let head = '';
  let isOpen = false;
  const readFrames = createFrameReader(onText !== undefined, (opcode, payload) => {
    if (opcode === PING_FRAME) socket.write(PONG);
    else if (opcode === CLOSE_FRAME) socket.destroy();
    else if (opcode === TEXT_FRAME && payload) onText?.(payload);
  });
  const readHead = (piece: Buffer) => {
    head += piece.toString('latin1');
    const end = head.indexOf(END_OF_HEAD);
    if (end === -1) return;
    if (!head.startsWith('HTTP/1.1 101 ')) return opened.reject(new Error(`The server refused: ${head.slice(0, 200)}`));
    isOpen = true;
    opened.resolve();
    readFrames(Buffer.from(head.slice(end + END_OF_HEAD.length), 'latin1'));
  };
  const socket: Socket = connect({
    host: url.hostname,
    port: Number(url.port),
    onread: {
      buffer: SHARED_BUFFER,
      callback(bytes) {
        const piece = SHARED_BUFFER.subarray(0, bytes);
        if (isOpen) readFrames(piece);
        else readHead(piece);
        return true;
      },
    },
  });
  socket.on('error', opened.reject);
  socket.on('close', () => {
    isOpen = false;
    closed.resolve();
    opened.reject(new Error('The server closed the connection.'));
  });
  socket.write(
    `GET /ws?batch=1 HTTP/1.1\r\nHost: ${url.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nCookie: ${cookie}\r\n\r\n`,
  );
  await opened.promise;
  return {
    isOpen: () => isOpen,
    pause: () => void socket.pause(),
    closed: closed.promise,
    close: () => socket.destroy(),
  };
}
