import type { WebSocket } from 'ws';
import { liveLookingSchema } from '#backend/contract/looking.ts';
import { parseJson } from './latency-reports.ts';
import type { Recipient } from './live-frames.ts';

/** A longer message says nothing of this. In UTF-16 units. */
const MAX_LENGTH = 200;

/** What a page says is taken so often, in milliseconds; of more within that time the last one counts. */
export const TAKEN_EVERY_MS = 200;

/** A connected page, and what its member looks at on it. */
export interface LookingPage {
  recipient: Recipient;
  /** The alert that is open on it, as far as it says so and answers. */
  lookingAt(): string | undefined;
  hasLooked(): boolean;
  /** Asks one that looks whether it is there; from the next time on it looks at nothing until it answers. */
  ask(): void;
  stop(): void;
}

/** @param onChange called when the page may look at something else than before */
export function createLookingPage(socket: WebSocket, recipient: Recipient, onChange: () => void): LookingPage {
  let alertId: string | undefined;
  let next: { alertId: string | undefined } | undefined;
  let takenAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let hasLooked = false;
  let isAsked = false;
  let isAway = false;

  const take = (): void => {
    timer = undefined;
    if (!next) return;
    takenAt = performance.now();
    const isSame = alertId === next.alertId;
    ({ alertId } = next);
    next = undefined;
    if (isSame) return;
    hasLooked ||= alertId !== undefined;
    onChange();
  };
  const answered = (): void => {
    isAsked = false;
    if (!isAway) return;
    isAway = false;
    onChange();
  };
  socket.on('pong', answered);
  socket.on('message', (data) => {
    answered();
    const text = String(data);
    if (text.length > MAX_LENGTH) return;
    const { data: said } = liveLookingSchema.safeParse(parseJson(text));
    if (!said) return;
    next = { alertId: said.alertId ?? undefined };
    timer ??= setTimeout(take, Math.max(0, takenAt + TAKEN_EVERY_MS - performance.now())).unref();
  });

  return {
    recipient,
    lookingAt: () => (isAway || socket.readyState !== socket.OPEN ? undefined : alertId),
    hasLooked: () => hasLooked,
    ask() {
      if (alertId === undefined || socket.readyState !== socket.OPEN) return;
      isAway = isAsked;
      isAsked = true;
      socket.ping();
    },
    stop: () => clearTimeout(timer),
  };
}
