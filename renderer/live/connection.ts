import {
  ANSWER_TIMEOUT_MS,
  CLOSE_SESSION_ENDED,
  CLOSE_SESSION_RENEWED,
  CLOSE_TOO_SLOW,
  ENDED_BY_ADMINISTRATOR,
  LIVE_PING,
  type LiveEvent,
  PING_AFTER_MS,
  RECONNECT_DELAY_MS,
  RECONNECT_JITTER_MS,
  liveFrameSchema,
} from '#backend/contract/live-event.ts';
import { takeEarlySocket } from '#renderer/lib/early-start.ts';
import { parseJson } from '#renderer/lib/parse-json.ts';

/** What a connection reports. */
interface ConnectionListener {
  /** `checking`: nothing has come for so long that it may be lost; an answer makes it `connected` again. */
  onChange: (state: 'connected' | 'checking' | 'disconnected') => void;
  /** The events of one frame, in order. */
  onEvents: (events: LiveEvent[]) => void;
  /** A frame that this version cannot read: something happened, but not what. */
  onUnreadable: () => void;
  /** The server ended the session (close code 4401), for an administrator or not. There is no reconnect before `resume`. */
  onSessionEnded: (isByAdministrator: boolean) => void;
  /** An attempt failed before it was open: the server is away, or it knows no session of ours. */
  onRefused: () => void;
}

/** A live connection that opens itself again until it is closed. */
export interface Connection {
  /**
   * Finds out at once whether the connection still stands, because the network or the machine was away. One that nothing
   * came over for too long is in doubt until the answer; one that is known to be lost is opened now instead of later. An
   * attempt goes on, unless the network changed (`isOtherNetwork`): it may be open in a moment.
   */
  check(isOtherNetwork?: boolean): void;
  /**
   * Measures a round trip over the open connection, in milliseconds, and sends over it what `report` makes of that. Does
   * neither when the connection is lost before.
   */
  measure(report: (roundTripMs: number) => string | undefined): void;
  /** Sends a text, where the connection stands. Returns whether it did. */
  send(text: string): boolean;
  /** Connects again after the session ended: the browser has another one. */
  resume(): void;
  close(): void;
}

/** Longest time without a frame on a connection that stands, in milliseconds: it is asked before, and answers. */
const MAX_SILENCE_MS = PING_AFTER_MS + ANSWER_TIMEOUT_MS;

/** Close codes that concern one client alone; all others may have hit everybody at the same moment. */
const MINE_ALONE: ReadonlySet<number> = new Set([1000, CLOSE_TOO_SLOW, CLOSE_SESSION_RENEWED]);

/**
 * Keeps one WebSocket open to `url`: a closed one is opened again 3 s after the close, a little later where many come back
 * at once, until the session ends. One that answers no more counts as
 * closed, whatever the browser believes.
 *
 * @param random from 0 up to 1.
 */
export function connect(url: string, listener: ConnectionListener, random = Math.random): Connection {
  let current: { socket: WebSocket; heartbeat: Heartbeat; ping: (answered: () => void) => void } | undefined;
  /** When something came last, by the wall clock: other clocks may stand still while the machine sleeps. */
  let receivedAt = 0;
  let isInDoubt = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;
  let isShutDown = false;

  const open = (): void => {
    clearTimeout(timer);
    const early = takeEarlySocket();
    const socket = early?.socket ?? new WebSocket(url);
    // Answers come in the order of the pings.
    const pings: (() => void)[] = [];
    const ping = (answered: () => void): void => {
      pings.push(answered);
      socket.send(LIVE_PING);
    };
    const heartbeat = createHeartbeat(
      () => ping(() => undefined),
      () => lose(undefined),
    );
    current = { socket, heartbeat, ping };
    const isCurrent = (): boolean => current?.socket === socket;
    let wasOpen = false;

    /** With the close code and its reason; undefined when the other end does not answer. */
    const lose = (code: number | undefined, reason = ''): void => {
      if (!isCurrent()) return;
      leave();
      listener.onChange('disconnected');
      if (code === CLOSE_SESSION_ENDED) {
        isEnded = true;
        listener.onSessionEnded(reason === ENDED_BY_ADMINISTRATOR);
        return;
      }
      if (!wasOpen) listener.onRefused();
      const jitterMs = code !== undefined && MINE_ALONE.has(code) ? 0 : random() * RECONNECT_JITTER_MS;
      timer = setTimeout(open, RECONNECT_DELAY_MS + jitterMs);
    };
    // An attempt that is not answered at all would be given up by the browser after minutes.
    timer = setTimeout(() => lose(undefined), ANSWER_TIMEOUT_MS);
    const received = (): void => {
      receivedAt = Date.now();
      heartbeat.received();
    };
    const onOpen = (): void => {
      if (!isCurrent()) return;
      clearTimeout(timer);
      wasOpen = true;
      received();
      listener.onChange('connected');
    };
    const onMessage = ({ data }: Pick<MessageEvent<unknown>, 'data'>): void => {
      if (!isCurrent()) return;
      received();
      if (isInDoubt) listener.onChange('connected');
      isInDoubt = false;
      const messages = readFrame(data);
      if (!messages) return listener.onUnreadable();
      const events = messages.filter((message) => message.type !== 'pong');
      for (let answers = messages.length - events.length; answers > 0; answers -= 1) pings.shift()?.();
      if (events.length > 0) listener.onEvents(events);
    };
    socket.addEventListener('open', onOpen);
    socket.addEventListener('message', onMessage);
    socket.addEventListener('close', ({ code, reason }) => lose(code, reason));
    if (early?.socket.readyState === WebSocket.OPEN) onOpen();
    early?.frames.forEach(onMessage);
  };

  /** Lets go of the socket without waiting for its end, which a half-open one does not report. */
  const leave = (): void => {
    clearTimeout(timer);
    isInDoubt = false;
    current?.heartbeat.stop();
    const socket = current?.socket;
    current = undefined;
    socket?.close();
  };

  open();
  return {
    check(isOtherNetwork = false) {
      if (isEnded || isShutDown) return;
      if (current?.socket.readyState === WebSocket.CONNECTING && !isOtherNetwork) return;
      if (current?.socket.readyState === WebSocket.OPEN) {
        if (!isInDoubt && Date.now() - receivedAt > MAX_SILENCE_MS) {
          isInDoubt = true;
          listener.onChange('checking');
        }
        current.heartbeat.ask();
        return;
      }
      leave();
      open();
    },
    measure(report) {
      if (current?.socket.readyState !== WebSocket.OPEN) return;
      const { socket, ping } = current;
      const askedAt = performance.now();
      ping(() => {
        const text = report(performance.now() - askedAt);
        if (text !== undefined) socket.send(text);
      });
    },
    send(text) {
      if (current?.socket.readyState !== WebSocket.OPEN) return false;
      current.socket.send(text);
      return true;
    },
    resume() {
      isEnded = false;
      if (!isShutDown) open();
    },
    close() {
      isShutDown = true;
      leave();
    },
  };
}

/** The messages of a frame, or undefined when it is not one of ours. */
function readFrame(data: unknown) {
  if (typeof data !== 'string') return undefined;
  try {
    return liveFrameSchema.parse(parseJson(data));
  } catch {
    return undefined;
  }
}

/** Watches whether the other end of an open connection is still there. */
interface Heartbeat {
  /** Something came over the connection: it stands. */
  received(): void;
  /** Asks now. */
  ask(): void;
  stop(): void;
}

/** A timer that fires later than this was delayed, in milliseconds: the page slept, or the machine. */
const LATE_MS = 1_000;

/**
 * Asks with `ping` when nothing came for a while, and calls `onDead` when there is no answer in time. A page that slept
 * meanwhile asks once more, because the answer may lie behind the timer in the queue.
 */
function createHeartbeat(ping: () => void, onDead: () => void): Heartbeat {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsked = false;

  const ask = (isRepeated = false): void => {
    if (isAsked && !isRepeated) return;
    isAsked = true;
    ping();
    const dueAt = performance.now() + ANSWER_TIMEOUT_MS;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isRepeated && performance.now() - dueAt > LATE_MS) ask(true);
      else onDead();
    }, ANSWER_TIMEOUT_MS);
  };
  return {
    received() {
      clearTimeout(timer);
      isAsked = false;
      timer = setTimeout(ask, PING_AFTER_MS);
    },
    ask: () => ask(),
    stop: () => clearTimeout(timer),
  };
}
