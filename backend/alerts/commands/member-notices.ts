import type { MemberNotice } from '#backend/contract/live-event.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';

/** What a colleague did with alerts that a member is to know of. */
export interface NewNotice extends Pick<MemberNotice, 'alertTitle' | 'byName' | 'text'> {
  kind: Exclude<MemberNotice['kind'], 'mentioned'>;
  userId: string;
  byId: string;
  /** The newest first. */
  alertIds: string[];
  toName?: string;
}

/** Notifies members of what colleagues did, once for all that comes within a moment. */
export interface MemberNotices {
  /** Takes in what was committed. */
  add(notices: readonly NewNotice[]): void;
  /** These alerts are back in the inbox: who was not notified of them yet is not. */
  withdraw(alertIds: readonly string[]): void;
  /** Notifies at once of what is gathered. */
  flush(): void;
}

/** How long a notice waits for further ones, and at most, in milliseconds. */
const GATHER_MS = 1_000;
const MAX_GATHER_MS = 10_000;

interface Gathered {
  notice: NewNotice;
  alertIds: Set<string>;
  since: number;
  timer: NodeJS.Timeout;
}

/**
 * A hand-over comes in batches, and people assign several alerts one after the other: the other person is notified once.
 * What is taken back before that concerns nobody.
 */
export function createMemberNotices(events: EventBus): MemberNotices {
  const gathered = new Map<string, Gathered>();

  const send = (key: string) => {
    const entry = gathered.get(key);
    if (!entry) return;
    gathered.delete(key);
    clearTimeout(entry.timer);
    const { notice, alertIds } = entry;
    const [alertId] = alertIds;
    if (alertId === undefined) return;
    const { kind, userId, alertTitle, byName, text, toName } = notice;
    events.publish({
      type: 'member_notified',
      userId,
      notice: {
        id: newId(),
        kind,
        alertId,
        ...(alertIds.size > 1 && { alerts: alertIds.size }),
        alertTitle: alertIds.size > 1 ? null : alertTitle,
        byName,
        ...(toName !== undefined && { toName }),
        text,
      },
    });
  };

  const sendIn = (key: string, ms: number): NodeJS.Timeout => setTimeout(() => send(key), ms).unref();

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

  const addOne = (notice: NewNotice) => {
    const unsent = notice.kind === 'reassigned' ? forget(notice.alertIds, notice.userId) : new Set<string>();
    const alertIds = notice.alertIds.filter((id) => !unsent.has(id));
    if (alertIds.length === 0) return;
    const { userId, kind, byId, toName = '', text } = notice;
    const key = JSON.stringify([userId, kind, byId, toName, text]);
    const before = gathered.get(key);
    clearTimeout(before?.timer);
    const since = before?.since ?? performance.now();
    const wait = Math.min(GATHER_MS, Math.max(0, since + MAX_GATHER_MS - performance.now()));
    gathered.set(key, {
      notice,
      alertIds: new Set([...(before?.alertIds ?? []), ...alertIds]),
      since,
      timer: sendIn(key, wait),
    });
  };

  return {
    // Who has alerts no more first: what they were to be notified of is another owner's now.
    add(notices) {
      for (const one of notices) if (one.kind === 'reassigned') addOne(one);
      for (const one of notices) if (one.kind !== 'reassigned') addOne(one);
    },
    withdraw: (alertIds) => void forget(alertIds),
    flush: () => {
      for (const key of gathered.keys()) send(key);
    },
  };
}
