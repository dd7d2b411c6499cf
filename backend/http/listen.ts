import cluster from 'node:cluster';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, type ListenOptions, type Server as NetServer, createServer } from 'node:net';
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import type websockify from 'koa-websocket';
import type { HttpConfig } from './http-config.ts';
import { errorCode } from '#backend/platform/database/driver-errors.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';
import { type HttpLimits, createHttpServer } from './http-server.ts';

/**
 * For so long at least requests are answered before the listener closes, in milliseconds. Each answer says that it is the
 * connection's last: a client that sends one request after the other would find its connection closed under the next.
 */
export const LEAST_DRAIN_MS = 50;

/** A stop takes so long at most, until only what was taken is left to be stored. */
const STOP_TIMEOUT_MS = 8_000;

/** So long before connections are closed, what is read in a thread, or waits for that, is answered that it was not, in milliseconds. */
const LAST_ANSWERS_MS = 1_000;

/** Options of the WebSocket server beside the app. */
type SocketOptions = NonNullable<Parameters<typeof websockify>[1]> & { path: string };

/**
 * Connections that wait to be accepted, as far as the system lets so many wait. With Node's 511, many senders that connect
 * in one busy moment are left to their own timeouts.
 */
const BACKLOG = 4_096;

/**
 * Sockets that listen on the port. A turn of the event loop accepts one connection of each
 * (https://github.com/libuv/libuv/pull/3696): with one socket, while the server is busy, 1,500 senders that connect at once
 * wait for 1,500 turns, and the last of them longer than they have patience. Linux shares connections out among sockets
 * with `SO_REUSEPORT` (socket(7)); elsewhere, and in workers, whose connections another process accepts, there is one.
 */
const LISTENERS = process.platform === 'linux' && !cluster.isWorker ? 64 : 1;

const REASONS: Record<string, string> = {
  EADDRINUSE: 'the port is occupied by another program',
  EACCES: 'this user may not listen on that port',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host name',
};

/** A server that listens. */
export interface Listening {
  server: Server;
  /** Sockets beside its own on the same port, whose connections it serves. */
  others: NetServer[];
}

/**
 * Listens where the configuration says, for HTTP (answered by `listener`) and, by `sockets`, for WebSocket.
 *
 * @throws {StartError} naming HOST and PORT when that is not possible.
 */
export async function listen(
  app: websockify.App,
  listener: RequestListener,
  { host, port }: Pick<HttpConfig, 'host' | 'port'>,
  sockets: SocketOptions,
  limits: HttpLimits,
): Promise<Listening> {
  const server = createHttpServer(listener, sockets.path, limits);
  // Not by koa-websocket's own `listen`, which makes an HTTP server without options.
  app.ws.listen({ ...sockets, server });
  // ws hands the server's errors on; without a listener of its own that would end the process.
  app.ws.server?.on('error', () => undefined);
  try {
    if (LISTENERS > 1) return { server, others: await shareOut(server, await reserve({ port, host })) };
    await opened(server, { port, host, backlog: BACKLOG });
    return { server, others: [] };
  } catch (error) {
    const code = errorCode(error);
    throw new StartError(`Alertdesk cannot listen on ${host}:${port}: ${REASONS[code] ?? code}. Set HOST or PORT.`, {
      cause: error,
    });
  }
}

/** @throws what the system says, with its code */
async function opened(server: NetServer, options: ListenOptions): Promise<void> {
  server.listen(options);
  await once(server, 'listening');
}

/**
 * The address to listen on, when nobody does: a socket that shares its port would be let in beside another server of the
 * same user, and each would get some of the connections.
 */
async function reserve(wanted: ListenOptions): Promise<{ port: number; host: string }> {
  const only = createServer();
  await opened(only, wanted);
  const { port, address } = only.address() as AddressInfo;
  only.close();
  await once(only, 'close');
  return { port, host: address };
}

/** As Node makes those of an HTTP server. */
const CONNECTION = { allowHalfOpen: true, noDelay: true };

/** Has `server` listen, and others beside it that hand their connections to it. Returns these. */
async function shareOut(server: Server, address: { port: number; host: string }): Promise<NetServer[]> {
  const options = { ...address, backlog: BACKLOG, reusePort: true };
  const others = Array.from({ length: LISTENERS - 1 }, () =>
    createServer(CONNECTION, (socket) => void server.emit('connection', socket)),
  );
  await Promise.all([server, ...others].map((one) => opened(one, options)));
  return others;
}

/** Holds requests back while the listener closes. */
export interface RequestGate {
  /** Has a request answered now, or once the listener is closed. */
  listener: RequestListener;
  hold(): void;
  release(): void;
}

/**
 * Clients that are asked to connect again do so at once, and the system accepts them as long as somebody listens; those are
 * reset with the listener. While nobody is answered, nobody comes again.
 */
export function createRequestGate(answer: RequestListener): RequestGate {
  let held: (() => void)[] | undefined;
  return {
    listener(request, response) {
      if (held) held.push(() => answer(request, response));
      else answer(request, response);
    },
    hold() {
      held ??= [];
    },
    release() {
      const all = held ?? [];
      held = undefined;
      for (const handle of all) handle();
    },
  };
}

/**
 * Takes no new connections, lets running requests be answered, then closes what is left.
 *
 * @param drainedMs how much of the stop has passed already
 * @param endWaiting has requests answered that a thread reads or is to read; called where some are left shortly before the end
 */
export async function stopListening(
  app: websockify.App,
  { server, others }: Listening,
  gate: RequestGate,
  drainedMs: number,
  endWaiting?: () => unknown,
): Promise<void> {
  app.ws.server?.close();
  gate.hold();
  await acceptWaiting(server);
  // Each waits for the connections that it accepted. What came to it since the last turn is reset, so that the others have
  // a turn between: all at once would reset what comes in a millisecond.
  const closing: Promise<unknown>[] = [];
  const endsAt = performance.now() + LONGEST_WAIT_MS;
  for (const one of [...others, server]) {
    closing.push(new Promise((resolve) => one.close(resolve)));
    if (performance.now() < endsAt) await setImmediate();
  }
  const closed = Promise.all(closing);
  gate.release();
  server.closeIdleConnections();
  const leftMs = STOP_TIMEOUT_MS - drainedMs;
  const last = setTimeout(() => endWaiting?.(), leftMs - LAST_ANSWERS_MS);
  const cut = setTimeout(() => server.closeAllConnections(), leftMs);
  await closed;
  clearTimeout(last);
  clearTimeout(cut);
}

/** More than any system lets wait: its `somaxconn` is 4,096 at most by default. */
const MOST_WAITING = 5_000;

/**
 * A turn of the event loop that is this short, in milliseconds, has answered nobody: what came meanwhile came in that time.
 * Under load there may be no such turn, so it is waited for so long at most, and for any turn that accepts nobody as long
 * again: where clients come again as fast as they are answered there is none.
 */
const SHORT_TURN_MS = 0.3;
const LONGEST_WAIT_MS = 500;

/**
 * Accepts the connections that wait after a busy moment. The system would reset them with the listener, and a proxy that has
 * sent a request on one may not send it again. A turn of the event loop accepts one of each socket. A connection may still come between
 * the last look and the closing; the look is the later, the shorter its turn.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => (accepted += 1);
  server.on('connection', count);
  // The first turn may be the rest of the present one, which accepts nothing any more.
  const deadline = performance.now() + LONGEST_WAIT_MS;
  const latest = deadline + LONGEST_WAIT_MS;
  for (let turns = 0, idle = 0; idle < 2 && turns < MOST_WAITING && performance.now() < latest; turns += 1) {
    const [before, beganAt] = [accepted, performance.now()];
    await setImmediate();
    const now = performance.now();
    const isShort = now - beganAt < SHORT_TURN_MS || now > deadline;
    idle = accepted === before && isShort ? idle + 1 : 0;
  }
  server.off('connection', count);
}
