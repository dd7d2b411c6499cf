import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  createServer,
} from 'node:http';
import type { Socket } from 'node:net';

/** How long clients may take, in milliseconds. */
export interface HttpLimits {
  /** From a request's beginning (or the connection's) to the end of its headers. */
  headersMs: number;
  /** From a request's beginning to the end of its body. */
  requestMs: number;
  /** Without any byte of an answer taken by the client. */
  unreadMs: number;
  /** How often these limits are checked: how late one may take effect. */
  checkMs: number;
}

/** What production uses. */
export const HTTP_LIMITS: HttpLimits = { headersMs: 10_000, requestMs: 30_000, unreadMs: 30_000, checkMs: 1_000 };

/**
 * How long a connection is kept open for the next request, in milliseconds: longer than proxies do (nginx and load balancers of
 * cloud providers 60 s). Who closes first may close while the other sends, and a POST that meets that is not sent again.
 */
const IDLE_MS = 65_000;

/**
 * An HTTP server that upgrades `socketPath` to WebSocket and nothing else (an offer may be ignored, RFC 9110 section
 * 7.8; Java's HttpClient makes one with each first request), that cuts clients which exceed the limits, and that sends
 * `100 Continue` when a body begins to be read, so that whatever is refused without its body is refused before it.
 */
export function createHttpServer(listener: RequestListener, socketPath: string, limits: HttpLimits): Server {
  const options: ServerOptions = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    keepAliveTimeout: IDLE_MS,
    shouldUpgradeCallback: ({ url = '', headers }: IncomingMessage) =>
      headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === socketPath,
  };
  const server = createServer(options, listener);
  server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    listener(request, response);
  });
  cutUnreadAnswers(server, limits);
  return server;
}

/** Asks for the body when somebody reads it. Until then the answer ends the connection: a body may follow it or not. */
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close');
  let isInvited = false;
  const invite = (): void => {
    // What is left of a request is also read, and thrown away, after its answer.
    if (isInvited || response.headersSent) return;
    isInvited = true;
    response.removeHeader('Connection');
    response.writeContinue();
  };
  request.once('resume', invite);
  // Whoever reads piece by piece, as by iterating, listens to this and resumes nothing.
  request.on('newListener', (event) => {
    if (event === 'readable') invite();
  });
}

/**
 * Closes connections whose client takes nothing of what waits to be sent. Progress is seen in steps of what one write
 * hands over, which bodies keep small.
 */
function cutUnreadAnswers(server: Server, { unreadMs, checkMs }: HttpLimits): void {
  const stalls = new Map<Socket, { taken: number; since: number }>();
  server.on('connection', (socket: Socket) => {
    stalls.set(socket, { taken: 0, since: 0 });
    socket.once('close', () => stalls.delete(socket));
  });
  // Live clients have limits of their own.
  server.on('upgrade', (_request, socket) => stalls.delete(socket as Socket));
  const check = setInterval(() => {
    const now = performance.now();
    for (const [socket, stall] of stalls) {
      const taken = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || taken !== stall.taken) {
        stall.taken = taken;
        stall.since = now;
      } else if (now - stall.since >= unreadMs) {
        socket.destroy();
      }
    }
  }, checkMs / 2);
  check.unref();
  server.once('close', () => clearInterval(check));
}
