import type { AlertBacklog } from './alert-backlog.ts';
import type { LoadRecipients, Recipient } from './push-recipients.ts';

/** Who is to be told, as it was read a moment ago. */
export interface PushAudience {
  /** The devices by their subscription's id. */
  readonly recipients: ReadonlyMap<string, Recipient>;
  /** What their members have decided is known for the alerts up to this one. */
  readonly head: number;
  /** False once it must be read anew before anybody is told. */
  isFresh(): boolean;
  /** The moment from which it may be read anew. */
  readonly loadFrom: number;
  /** Reads it anew, for the alerts after `cursor`. */
  load(cursor: number): Promise<void>;
  /** A device that is no more. */
  remove(id: string): void;
  /** The devices of a session that ended; returns their ids. Holds for a reading that is under way, too. */
  removeSession(sessionId: string): string[];
}

/** When the database is away it is asked again after this. */
const AFTER_TROUBLE_MS = 2_000;

/** @param freshMs how long a reading holds. */
export function createPushAudience(
  loadRecipients: LoadRecipients,
  backlog: AlertBacklog,
  freshMs: number,
  now: () => number,
): PushAudience {
  let recipients = new Map<string, Recipient>();
  let head = 0;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let loadFrom = Number.NEGATIVE_INFINITY;
  const endedSessions = new Set<string>();

  return {
    get recipients() {
      return recipients;
    },
    get head() {
      return head;
    },
    get loadFrom() {
      return loadFrom;
    },
    isFresh: () => now() < freshUntil,
    async load(cursor) {
      const end = backlog.head;
      const { alerts } = backlog.between(cursor, end);
      endedSessions.clear();
      loadFrom = now() + AFTER_TROUBLE_MS;
      const loaded = await loadRecipients({
        customers: distinct(alerts.map(({ customer }) => customer)),
        alertTypes: distinct(alerts.map(({ alertType }) => alertType)),
      });
      for (const [id, { sessionId }] of loaded) if (endedSessions.has(sessionId)) loaded.delete(id);
      recipients = loaded;
      head = end;
      freshUntil = now() + freshMs;
      loadFrom = freshUntil;
    },
    remove(id) {
      recipients.delete(id);
    },
    removeSession(sessionId) {
      endedSessions.add(sessionId);
      const ids = [...recipients.values()].filter((one) => one.sessionId === sessionId).map(({ id }) => id);
      for (const id of ids) recipients.delete(id);
      return ids;
    },
  };
}

const distinct = (names: (string | null)[]): string[] => [...new Set(names.filter((name) => name !== null))];
