import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import type { DomainEvent } from '#backend/platform/live/event-bus.ts';
import type { Recipient } from '#backend/platform/live/live-frames.ts';
import type { SocketHub } from '#backend/platform/live/socket-hub.ts';

/** What the hub asks of a socket, and what it did with it. Real sockets are in live.server.test.ts. */
export class Socket extends EventEmitter {
  readonly OPEN = 1;
  readyState: number = this.OPEN;
  bufferedAmount = 0;
  readonly sent: string[] = [];
  readonly frames: Buffer[] = [];
  isPaused = false;
  readonly closes: number[] = [];
  pings = 0;
  isTerminated = false;
  write(frame: Buffer): boolean {
    this.sent.push(textOf(frame));
    this.frames.push(frame);
    return true;
  }
  close(code: number): void {
    this.closes.push(code);
  }
  pause(): void {
    this.isPaused = true;
  }
  ping(): void {
    this.pings += 1;
  }
  terminate(): void {
    this.isTerminated = true;
  }
}

/** The text of a frame that no client masked. Its second byte is the length, or says in how many bytes that follows. */
const textOf = (frame: Buffer): string => frame.subarray({ 126: 4, 127: 10 }[frame[1] ?? 0] ?? 2).toString();

/** A member with a session. */
export const member = (id: string, role: Actor['role'] = 'user'): Actor => ({
  id,
  email: '',
  displayName: id,
  role,
  sessionId: `session of ${id}`,
  provedAt: 0,
});

/** Joins the hub as the web app does, but without places. */
export function joinHub(
  hub: SocketHub,
  socket: Socket,
  recipient: Partial<Recipient> & Pick<Recipient, 'actor'>,
): void {
  hub.add(
    socket as unknown as WebSocket,
    socket,
    { isBatched: true, isPlaced: false, ...recipient },
    jsonText('{"type":"hello"}'),
  );
}

/** A change of a member's alert. @param size how much JSON it is, in characters */
export const updated = (ownerId: string, size = 10): DomainEvent => ({
  type: 'alert_updated',
  alert: {
    id: 'x',
    customer: null,
    alertType: null,
    sourceId: null,
    ownerId,
    status: 'accepted',
    isSnoozed: false,
    isQuiet: false,
    content: {
      folderId: null,
      isTest: false,
      label: null,
      isFlapping: false,
      severity: 'none',
      title: null,
      url: '',
      payload: '{}',
    },
    json: jsonText(JSON.stringify('x'.repeat(size))),
  },
});
