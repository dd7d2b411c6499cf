import type { Server } from 'node:http';
import type websockify from 'koa-websocket';
import type { Config } from '#backend/config.ts';
import { errorCode } from '#backend/database/dialect.ts';
import { StartError } from '#backend/start-error.ts';

/** A client has so long to send its headers, and its whole request (quality.md, HTTP limits). */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** Requests that run when the server stops have so long to be answered. */
const DRAIN_TIMEOUT_MS = 8_000;

const REASONS: Record<string, string> = {
  EADDRINUSE: 'the port is occupied by another program',
  EACCES: 'this user may not listen on that port',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host name',
};

/**
 * Listens where the configuration says.
 *
 * @throws {StartError} naming HOST and PORT when that is not possible.
 */
export async function listen(app: websockify.App, { host, port }: Pick<Config, 'host' | 'port'>): Promise<Server> {
  const server = app.listen(port, host) as Server;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
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

/** Takes no new connections, lets running requests be answered, then closes what is left. */
export async function stopListening(app: websockify.App, server: Server): Promise<void> {
  app.ws.server?.close();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  await closed;
  clearTimeout(cut);
}
