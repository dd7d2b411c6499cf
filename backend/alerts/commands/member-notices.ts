import { createHash } from 'node:crypto';
import { waitAtMost } from '#backend/platform/database/repeat.ts';
import type { FeedConsumers } from '#backend/platform/feed/feed-consumers.ts';
import type { Notified } from '#backend/alerts/notices/notice.ts';
import type { EventBus, GivenNotice } from '#backend/platform/live/event-bus.ts';

/** Notifies members of what colleagues did, once for all that comes within a moment. */
export interface MemberNotices {
  /**
   * Takes in what was committed. Resolves when the members are notified, or are not to be any more.
   *
   * @throws what `send` does, when it gave up: whoever goes on from the place in the feed notifies of it again
   */
  add(notices: readonly GivenNotice[]): Promise<void>;
  /** These alerts are back in the inbox: who was not notified of them yet is not. */
  withdraw(alertIds: readonly string[]): void;
  /** Notifies at once of what is gathered. Resolves when that is done, or was given up. */
  flush(): Promise<void>;
}

/** How long a notice waits for further ones, and at most, in milliseconds. */
const GATHER_MS = 1_000;
const MAX_GATHER_MS = 10_000;

/** How long a server that stops waits for notices before it closes its sockets, and how long beside that, in milliseconds. */
const BEFORE_SOCKETS_MS = 1_000;
const BESIDE_SOCKETS_MS = 4_000;

interface Gathered {
  /** The latest. */
  notice: GivenNotice;
  /** Of all that were gathered. */
  ids: ReadonlySet<string>;
  /** What the member is to be notified of by id, each with its headline where its notice has one. */
  alerts: Map<string, string | null>;
  since: number;
  timer: NodeJS.Timeout;
  /** Of those who added to it. */
  waits: PromiseWithResolvers<void>[];
}

/**
 * The id of a notice of several: the same for the same ones alone. A repetition that gathers otherwise may so notify of some
 * twice, and loses none. By its first part, a moment (RFC 9562, version 7), it is where the latest of them would be.
 */
function idOf(ids: ReadonlySet<string>): string {
  const [latest = '', ...others] = [...ids].toSorted().toReversed();
  if (others.length === 0) return latest;
  const digest = createHash('sha256')
    .update([latest, ...others].join())
    .digest('hex');
  return `${latest.slice(0, 15)}${digest.slice(0, 3)}-${latest.charAt(19)}${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}

/** What the member is sent; undefined when nothing is left to notify of. */
function notifiedOf({ notice, ids, alerts }: Gathered): Notified | undefined {
  const [first] = alerts;
  if (!first) return undefined;
  const [alertId, alertTitle] = first;
  const { kind, userId, byName, text, toName } = notice;
  return {
    userId,
    notice: {
      id: idOf(ids),
      kind,
      alertId,
      ...(alerts.size > 1 && { alerts: alerts.size }),
      alertTitle: alerts.size > 1 ? null : alertTitle,
      byName,
      ...(toName !== undefined && { toName }),
      text,
    },
  };
}

const isLater = ({ kind }: GivenNotice): number => Number(kind !== 'reassigned');

/**
 * A hand-over comes in batches, and people assign several alerts one after the other: the other person is notified once.
 * What is taken back before that concerns nobody.
 *
 * @param send notifies a member, once the database takes it
 * @param gatherMs how long a notice waits for further ones, in milliseconds
 */
export function createMemberNotices(
  send: (notified: Notified) => Promise<void>,
  gatherMs: number = GATHER_MS,
): MemberNotices {
  const gathered = new Map<string, Gathered>();

  const notify = async (key: string): Promise<void> => {
    const entry = gathered.get(key);
    if (!entry) return;
    gathered.delete(key);
    clearTimeout(entry.timer);
    try {
      const notified = notifiedOf(entry);
      if (notified) await send(notified);
      for (const { resolve } of entry.waits) resolve();
    } catch (error) {
      for (const { reject } of entry.waits) reject(error);
    }
  };

  const notifyIn = (key: string, ms: number): NodeJS.Timeout => setTimeout(() => void notify(key), ms).unref();

  /** Forgets a notice of these alerts; returns those of which `userId` was to be notified as their owner. */
  const forget = (alertIds: readonly string[], userId?: string): Set<string> => {
    const unsent = new Set<string>();
    for (const { notice, alerts: pending } of gathered.values()) {
      for (const id of alertIds) {
        if (pending.delete(id) && notice.kind !== 'reassigned' && notice.userId === userId) unsent.add(id);
      }
    }
    return unsent;
  };

  const addOne = async (notice: GivenNotice): Promise<void> => {
    const unsent = notice.kind === 'reassigned' ? forget(notice.alertIds, notice.userId) : new Set<string>();
    const alertIds = notice.alertIds.filter((id) => !unsent.has(id));
    if (alertIds.length === 0) return;
    const { userId, kind, byId, toName = '', text } = notice;
    const key = JSON.stringify([userId, kind, byId, toName, text]);
    const before = gathered.get(key);
    clearTimeout(before?.timer);
    const since = before?.since ?? performance.now();
    const wait = Math.min(gatherMs, Math.max(0, since + MAX_GATHER_MS - performance.now()));
    const done = Promise.withResolvers<void>();
    gathered.set(key, {
      notice,
      ids: new Set([...(before?.ids ?? []), notice.id]),
      alerts: new Map([...(before?.alerts ?? []), ...alertIds.map((id) => [id, notice.alertTitle] as const)]),
      since,
      timer: notifyIn(key, wait),
      waits: [...(before?.waits ?? []), done],
    });
    await done.promise;
  };

  return {
    async add(notices) {
      // Who has alerts no more first: what they were to be notified of is another owner's now.
      const inOrder = notices.toSorted((one, other) => isLater(one) - isLater(other));
      await Promise.all(inOrder.map(addOne));
    },
    withdraw: (alertIds) => void forget(alertIds),
    flush: async () => {
      await Promise.all([...gathered.keys()].map(notify));
    },
  };
}

/** Notifies of what the feed says was given, once for all that comes within a moment. */
export function followNotices(notices: MemberNotices, consumers: FeedConsumers, events: EventBus): void {
  consumers.add('notices', (happened) => {
    const given = happened.flatMap((event) => (event.type === 'alerts_given' ? [event.notice] : []));
    return given.length > 0 ? notices.add(given) : undefined;
  });
  events.subscribe((event) => {
    if (event.type === 'alert_unaccepted') notices.withdraw([event.alert.id]);
    if (event.type === 'alerts_changed' && event.change === 'unaccepted') notices.withdraw(event.alertIds);
  });
}

/**
 * Notifies of what is gathered when a server stops. Resolves when open pages have got it, or after a second: while the
 * database is away, requests are to be answered. `last` resolves when no more is waited for; what is not stored by then is
 * for whoever goes on from the server's place in the feed.
 */
export async function notifyBeforeStop(notices: Pick<MemberNotices, 'flush'>): Promise<{ last: Promise<void> }> {
  const notified = notices.flush();
  await waitAtMost(BEFORE_SOCKETS_MS, notified);
  return { last: waitAtMost(BESIDE_SOCKETS_MS, notified) };
}
