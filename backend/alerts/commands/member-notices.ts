import type { FeedConsumers } from '#backend/platform/feed/feed-consumers.ts';
import type { Notified } from '#backend/alerts/notices/notice.ts';
import type { EventBus, GivenNotice } from '#backend/platform/live/event-bus.ts';

/** Notifies members of what colleagues did, once for all that comes within a moment. */
export interface MemberNotices {
  /** Takes in what was committed. Resolves when the members are notified, or are not to be any more. */
  add(notices: readonly GivenNotice[]): Promise<void>;
  /** These alerts are back in the inbox: who was not notified of them yet is not. */
  withdraw(alertIds: readonly string[]): void;
  /** Notifies at once of what is gathered. */
  flush(): Promise<void>;
}

/** How long a notice waits for further ones, and at most, in milliseconds. */
const GATHER_MS = 1_000;
const MAX_GATHER_MS = 10_000;

interface Gathered {
  notice: GivenNotice;
  alertIds: Set<string>;
  since: number;
  timer: NodeJS.Timeout;
  /** Of those who added to it. */
  done: (() => void)[];
}

const isLater = ({ kind }: GivenNotice): number => Number(kind !== 'reassigned');

/**
 * A hand-over comes in batches, and people assign several alerts one after the other: the other person is notified once.
 * What is taken back before that concerns nobody.
 *
 * @param send notifies a member, once the database takes it
 */
export function createMemberNotices(send: (notified: Notified) => Promise<void>): MemberNotices {
  const gathered = new Map<string, Gathered>();

  const notify = async (key: string): Promise<void> => {
    const entry = gathered.get(key);
    if (!entry) return;
    gathered.delete(key);
    clearTimeout(entry.timer);
    const { notice, alertIds, done } = entry;
    const [alertId] = alertIds;
    const { id, kind, userId, alertTitle, byName, text, toName } = notice;
    if (alertId !== undefined) {
      await send({
        userId,
        notice: {
          id,
          kind,
          alertId,
          ...(alertIds.size > 1 && { alerts: alertIds.size }),
          alertTitle: alertIds.size > 1 ? null : alertTitle,
          byName,
          ...(toName !== undefined && { toName }),
          text,
        },
      });
    }
    for (const one of done) one();
  };

  const notifyIn = (key: string, ms: number): NodeJS.Timeout => setTimeout(() => void notify(key), ms).unref();

  /** Forgets a notice of these alerts; returns those of which `userId` was to be notified as their owner. */
  const forget = (alertIds: readonly string[], userId?: string): Set<string> => {
    const unsent = new Set<string>();
    for (const { notice, alertIds: pending } of gathered.values()) {
      for (const id of alertIds) {
        if (pending.delete(id) && notice.kind !== 'reassigned' && notice.userId === userId) unsent.add(id);
      }
    }
    return unsent;
  };

  const addOne = (notice: GivenNotice, done: () => void) => {
    const unsent = notice.kind === 'reassigned' ? forget(notice.alertIds, notice.userId) : new Set<string>();
    const alertIds = notice.alertIds.filter((id) => !unsent.has(id));
    if (alertIds.length === 0) return done();
    const { userId, kind, byId, toName = '', text } = notice;
    const key = JSON.stringify([userId, kind, byId, toName, text]);
    const before = gathered.get(key);
    clearTimeout(before?.timer);
    const since = before?.since ?? performance.now();
    const wait = Math.min(GATHER_MS, Math.max(0, since + MAX_GATHER_MS - performance.now()));
    return void gathered.set(key, {
      notice: before?.notice ?? notice,
      alertIds: new Set([...(before?.alertIds ?? []), ...alertIds]),
      since,
      timer: notifyIn(key, wait),
      done: [...(before?.done ?? []), done],
    });
  };

  return {
    async add(notices) {
      // Who has alerts no more first: what they were to be notified of is another owner's now.
      const inOrder = notices.toSorted((one, other) => isLater(one) - isLater(other));
      await Promise.all(inOrder.map((notice) => new Promise<void>((resolve) => addOne(notice, resolve))));
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
