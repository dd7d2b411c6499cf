import type { RequestListener, Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type websockify from 'koa-websocket';
import type { Config } from '#backend/config.ts';
import { errorCode } from '#backend/database/driver-errors.ts';
import { withPatience } from '#backend/database/patience.ts';
import { StartError } from '#backend/start-error.ts';
import { type HttpLimits, createHttpServer } from './http-server.ts';

/**
 * For so long at least requests are answered before the listener closes, in milliseconds. Each answer says that it is the
 * connection's last: a client that sends one request after the other would find its connection closed under the next.
 */
export const LEAST_DRAIN_MS = 50;

/** A stop takes so long at most, until only what was taken is left to be stored. */
const STOP_TIMEOUT_MS = 8_000;

/** Options of the WebSocket server beside the app. */
type SocketOptions = NonNullable<Parameters<typeof websockify>[1]> & { path: string };

/**
 * Connections that wait to be accepted, as far as the system lets so many wait. With Node's 511, many senders that connect
 * in one busy moment are left to their own timeouts.
 */
const BACKLOG = 4_096;

const REASONS: Record<string, string> = {
  EADDRINUSE: 'the port is occupied by another program',
  EACCES: 'this user may not listen on that port',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host name',
};

/**
 * Listens where the configuration says, for HTTP (answered by `listener`) and, by `sockets`, for WebSocket.
 *
 * @throws {StartError} naming HOST and PORT when that is not possible.
 */
export async function listen(
  app: websockify.App,
  listener: RequestListener,
  { host, port }: Pick<Config, 'host' | 'port'>,
  sockets: SocketOptions,
  limits: HttpLimits,
): Promise<Server> {
  const server = createHttpServer(listener, sockets.path, limits);
  // Not by koa-websocket's own `listen`, which makes an HTTP server without options.
  app.ws.listen({ ...sockets, server });
  server.listen({ port, host, backlog: BACKLOG });
  // ws hands the server's errors on; without a listener of its own that would end the process.
  app.ws.server?.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (error) => {
      const code = errorCode(error);
      reject(
        new StartError(`Alertdesk cannot listen on ${host}:${port}: ${REASONS[code] ?? code}. Set HOST or PORT.`, {
          cause: error,
        }),
      );
    });
  });
  return server;
}

/** Holds requests back while the listener closes. */
export interface RequestGate {
  /** Has a request answered now, or once the listener is closed; until its answer begins, somebody waits for it. */
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
      const handle = () =>
        withPatience(
          () => answer(request, response),
          () => response.headersSent,
        );
      if (held) held.push(handle);
      else handle();
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
 */
export async function stopListening(
  app: websockify.App,
  server: Server,
  gate: RequestGate,
  drainedMs: number,
): Promise<void> {
  app.ws.server?.close();
  gate.hold();
  await acceptWaiting(server);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  gate.release();
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT_MS - drainedMs);
  await closed;
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
 * sent a request on one may not send it again. A turn of the event loop accepts one. A connection may still come between
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
