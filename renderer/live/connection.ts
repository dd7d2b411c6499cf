import {
  CLOSE_SESSION_ENDED,
  type LiveEvent,
  RECONNECT_DELAY_MS,
  liveFrameSchema,
} from '#backend/contract/live-event.ts';
import { parseJson } from '#renderer/lib/parse-json.ts';

/** Whom a connection tells what. */
export interface ConnectionListener {
  onChange: (state: 'connected' | 'disconnected') => void;
  /** The events of one frame, in order. */
  onEvents: (events: LiveEvent[]) => void;
  /** A frame that this version cannot read: something happened, but not what. */
  onUnreadable: () => void;
  /** The server ended the session (close code 4401). There will be no reconnect. */
  onSessionEnded: () => void;
  /** An attempt failed before it was open: the server is away, or it knows no session of ours. */
  onRefused: () => void;
}

/**
 * Keeps one WebSocket open to `url` (contract.md section 5): a closed one is opened again `reconnectMs` after the close
 * (spec.md section 9), until the session ends or the returned function is called.
 */
export function connect(url: string, listener: ConnectionListener, reconnectMs = RECONNECT_DELAY_MS): () => void {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shuttingDown = false;

  const open = (): void => {
    let wasOpen = false;
    socket = new WebSocket(url);
    socket.addEventListener('open', () => {
      wasOpen = true;
      listener.onChange('connected');
    });
    socket.addEventListener('message', ({ data }) => {
      const events = readFrame(data);
      if (shuttingDown) return;
      if (events) listener.onEvents(events);
      else listener.onUnreadable();
    });
    socket.addEventListener('close', ({ code }) => {
      if (shuttingDown) return;
      listener.onChange('disconnected');
      if (code === CLOSE_SESSION_ENDED) {
        listener.onSessionEnded();
        return;
      }
      if (!wasOpen) listener.onRefused();
      timer = setTimeout(open, reconnectMs);
    });
  };

  open();
  return () => {
    shuttingDown = true;
    clearTimeout(timer);
    socket?.close();
  };
}

/** The events of a frame, or undefined when it is not one of ours. */
function readFrame(data: unknown): LiveEvent[] | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    return liveFrameSchema.parse(parseJson(data));
  } catch {
    return undefined;
  }
}
