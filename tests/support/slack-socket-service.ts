import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { SLACK_APP_TOKEN } from './slack-service.ts';

/**
 * A double of Slack's Socket Mode (https://docs.slack.dev/apis/events-api/using-socket-mode): an address for each connection that is
 * good once, `hello`, envelopes that wait for their acknowledgement, and `disconnect`.
 */
export interface SlackSocketService {
  /** Where `apps.connections.open` says to connect. */
  open(authorization: string | undefined): { status: number; body: string };
  /** Sends a press over one of the connections. @returns when it was acknowledged, in milliseconds; rejects without within 3 s */
  press(payload: object): Promise<number>;
  /** Asks the clients to connect again, as Slack does now and then. */
  refresh(): void;
  /** Connections that stand. */
  connections(): number;
  stop(): Promise<void>;
}

export async function startSlackSocket(): Promise<SlackSocketService> {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const clients = new Set<WebSocket>();
  const acknowledged = new Map<string, () => void>();
  server.on('upgrade', (request, socket, head) => {
    const ticket = new URL(request.url ?? '', 'http://x').searchParams.get('ticket') ?? '';
    if (!tickets.delete(ticket)) {
      socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      clients.add(client);
      client.on('close', () => clients.delete(client));
      client.on('message', (data) => {
        const { envelope_id: id } = JSON.parse(String(data as Buffer)) as { envelope_id: string };
        acknowledged.get(id)?.();
      });
      client.send(JSON.stringify({ type: 'hello', num_connections: clients.size }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    open(authorization) {
      if (authorization !== `Bearer ${SLACK_APP_TOKEN}`)
        return { status: 200, body: '{"ok":false,"error":"invalid_auth"}' };
      const ticket = crypto.randomUUID();
      tickets.add(ticket);
      return { status: 200, body: JSON.stringify({ ok: true, url: `ws://127.0.0.1:${port}/link/?ticket=${ticket}` }) };
    },
    press(payload) {
      const [client] = clients;
      if (!client) throw new Error('nobody is connected');
      const id = crypto.randomUUID();
      const began = performance.now();
      return new Promise((done, failed) => {
        const timer = setTimeout(() => failed(new Error('not acknowledged within 3 s')), 3_000);
        acknowledged.set(id, () => {
          clearTimeout(timer);
          acknowledged.delete(id);
          done(performance.now() - began);
        });
        client.send(JSON.stringify({ envelope_id: id, type: 'interactive', accepts_response_payload: true, payload }));
      });
    },
    refresh() {
      for (const client of clients) client.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }));
    },
    connections: () => clients.size,
    async stop() {
      for (const client of clients) client.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
