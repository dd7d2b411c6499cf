import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { type LiveEvent, liveEventSchema, livePongSchema } from '#backend/contract/live-event.ts';

/** Whose cookies a connection is opened with, and to which server. */
interface LiveMember {
  url: string;
  cookies: ReadonlyMap<string, string>;
  cookieHeader: string;
}

/** What a live client received so far, and how its connection ended. */
export interface LiveClient {
  socket: WebSocket;
  /** Frames as they came, parsed. */
  frames: unknown[];
  /** Every event, whatever frame it came in; each fits the contract. */
  events: LiveEvent[];
  /** Close code, once closed. */
  closed: Promise<number>;
}

const messageSchema = z.union([liveEventSchema, livePongSchema]);

/** Connects as a signed-in member and resolves with the greeting. */
export async function listenLive(member: LiveMember, path = '/ws?batch=1'): Promise<LiveClient> {
  const socket = connect(member, path);
  const frames: unknown[] = [];
  const events: LiveEvent[] = [];
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.on('message', (data: Buffer) => {
      const frame: unknown = JSON.parse(data.toString());
      frames.push(frame);
      const messages = z.union([z.array(messageSchema), messageSchema.transform((message) => [message])]).parse(frame);
      events.push(...messages.filter((message) => message.type !== 'pong'));
      resolve();
    });
  });
  return { socket, frames, events, closed };
}

/** The answer with which an upgrade is refused. */
export async function refusedAnswer(
  member: LiveMember,
  headers: Record<string, string>,
  path = '/ws',
): Promise<Pick<IncomingMessage, 'headers'> & { status: number }> {
  const socket = connect(member, path, headers);
  return new Promise((resolve, reject) => {
    socket.once('open', () => reject(new Error('the upgrade was not refused')));
    socket.once('unexpected-response', (_request, response) =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers }),
    );
    socket.on('error', () => undefined);
  });
}

/** Its status alone. */
export const refusedStatus = async (...request: Parameters<typeof refusedAnswer>): Promise<number> =>
  (await refusedAnswer(...request)).status;

const connect = (member: LiveMember, path: string, headers: Record<string, string> = {}): WebSocket =>
  new WebSocket(member.url.replace('http', 'ws') + path, {
    headers: { ...(member.cookies.size > 0 && { Cookie: member.cookieHeader }), ...headers },
  });
