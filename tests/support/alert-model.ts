import type { Alert } from '#backend/contract/alert.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import {
  asAccepted,
  asPending,
  asTouched,
  awake,
  inFolder,
  inStatus,
  snoozed,
} from '#renderer/alerts/data/alert-changes.ts';
import type { ApiPage } from '#renderer/lib/api-client.ts';
import { changeMany } from './change-many.ts';
import { makeAlert } from './make-alert.ts';

/** Rows of a page. */
const PAGE = 4;
/** The member whose page it is. */
export const ME = 'member-0';
const CUSTOMERS = ['Nordwind', 'Atlas'];

/** What is on screen, or was: the lists with which alerts they have and in which order, as the server answers them. */
/** An alert where the cursor of a page leads: as the server's, it has all that decides on a place, which may be the id alone. */
export const readCursor = (cursor: string): Alert =>
  cursor.startsWith('{') ? (JSON.parse(cursor) as Alert) : ({ id: cursor } as Alert);

export const LISTS: Record<string, { has: (alert: Alert) => boolean; order: (one: Alert, other: Alert) => number }> = {
  '/api/alerts/inbox': { has: isPending, order: newest },
  '/api/alerts/mine': { has: isLoose, order: newest },
  '/api/alerts/inbox?customer=Atlas': { has: (alert) => isPending(alert) && isForAtlas(alert), order: newest },
  '/api/alerts/mine?sort=oldest': { has: isLoose, order: (one, other) => -newest(one, other) },
  '/api/alerts/mine?sort=status': { has: isLoose, order: byStatus },
  '/api/alerts/folder/f': { has: isFiled, order: newest },
  '/api/alerts/folder/f?customer=Atlas&sort=status': {
    has: (alert) => isFiled(alert) && isForAtlas(alert),
    order: byStatus,
  },
  '/api/alerts/inbox?severity=critical&severity=high': {
    has: (alert) => isPending(alert) && isUrgent(alert),
    order: newest,
  },
  '/api/alerts/inbox?sort=severity': { has: isPending, order: bySeverity },
  '/api/alerts/mine?severity=critical&severity=high&sort=severity': {
    has: (alert) => isLoose(alert) && isUrgent(alert),
    order: bySeverity,
  },
  '/api/alerts/mine?completion=open': { has: (alert) => isLoose(alert) && isOpen(alert), order: newest },
  '/api/alerts/mine?completion=open&sort=status': { has: (alert) => isLoose(alert) && isOpen(alert), order: byStatus },
  '/api/alerts/mine?completion=completed&sort=completed': {
    has: (alert) => isLoose(alert) && !isOpen(alert),
    order: byCompletion,
  },
  '/api/alerts/folder/f?completion=open': { has: (alert) => isFiled(alert) && isOpen(alert), order: newest },
  '/api/alerts/folder/f?completion=completed&customer=Atlas&sort=completed': {
    has: (alert) => isFiled(alert) && !isOpen(alert) && isForAtlas(alert),
    order: byCompletion,
  },
  '/api/alerts/snoozed': { has: isMineToWake, order: newest },
  '/api/alerts/snoozed?customer=Atlas': { has: (alert) => isMineToWake(alert) && isForAtlas(alert), order: newest },
  '/api/alerts/all': { has: () => true, order: newest },
  '/api/alerts/all?status=completed': { has: ({ status }) => status === 'completed', order: newest },
};

function isPending({ status, snoozedUntil }: Alert): boolean {
  return status === 'pending' && snoozedUntil === undefined;
}
function isForAtlas({ customer }: Alert): boolean {
  return customer === 'Atlas';
}
function isUrgent({ severity }: Alert): boolean {
  return severity === 'critical' || severity === 'high';
}
function isLoose({ ownerId, folderId, snoozedUntil }: Alert): boolean {
  return snoozedUntil === undefined && ownerId === ME && folderId === undefined;
}
function isFiled({ ownerId, folderId, snoozedUntil }: Alert): boolean {
  return snoozedUntil === undefined && ownerId === ME && folderId === 'f';
}
function isMineToWake({ status, ownerId, snoozedUntil }: Alert): boolean {
  return snoozedUntil !== undefined && (status === 'pending' || ownerId === ME);
}
function isOpen({ status }: Alert): boolean {
  return status !== 'completed';
}
/** The last completion first; what has no time of it is last. */
function byCompletion(one: Alert, other: Alert): number {
  const [at, before] = [Date.parse(one.completedAt ?? '') || 0, Date.parse(other.completedAt ?? '') || 0];
  return before - at || newest(one, other);
}
function newest(one: Alert, other: Alert): number {
  return one.id === other.id ? 0 : one.id < other.id ? 1 : -1;
}
function byStatus(one: Alert, other: Alert): number {
  const rank = { accepted: 1, 'in-progress': 2, completed: 3, pending: 999 };
  return rank[one.status] - rank[other.status] || newest(one, other);
}

const SEVERITIES = ['critical', 'high', 'warning', 'low', 'info', 'none'] as const;
function rankOf({ severity, state }: Alert): number {
  return SEVERITIES.indexOf(severity) + (state === 'acknowledged' ? 0.5 : 0);
}
function bySeverity(one: Alert, other: Alert): number {
  return rankOf(one) - rankOf(other) || newest(one, other);
}

const idsIn = (event: LiveEvent): readonly string[] => {
  if ('alert' in event) return [event.alert.id];
  if ('alertIds' in event) return event.alertIds;
  return 'alertId' in event ? [event.alertId] : [];
};

/** What the server knows, and what it has sent but not yet delivered. */
export class AlertModel {
  readonly alerts = new Map<string, Alert>();
  readonly undelivered: LiveEvent[] = [];
  /** What went with a connection, until the greeting of the next one is delivered. */
  readonly lost: LiveEvent[] = [];
  private made = 0;
  private minutes = 0;

  /** The alerts of a list, in its order. */
  listed(path: string): Alert[] {
    const { has, order } = LISTS[path] ?? { has: () => false, order: newest };
    return [...this.alerts.values()].filter(has).sort(order);
  }

  /** One page of a list, after the cursor `before`. */
  page(path: string, before: string | undefined): ApiPage<Alert> {
    const { order } = LISTS[path] ?? { order: newest };
    const all = this.listed(path);
    const last = before === undefined ? undefined : readCursor(before);
    const rest = all.filter((alert) => !last || (alert.id !== last.id && order(alert, last) > 0));
    const rows = rest.slice(0, PAGE);
    const end = rest.length > PAGE ? rows.at(-1) : undefined;
    const isById = !/sort=[sc]/.test(path);
    return { rows, total: all.length, ...(end && { next: isById ? end.id : JSON.stringify(end) }) };
  }

  /** What was not delivered, as who comes back gets it: each alert as it is now. */
  catchUp(): void {
    const ids = new Set([...this.lost.splice(0), ...this.undelivered.splice(0)].flatMap(idsIn));
    for (const id of ids) {
      const alert = this.alerts.get(id);
      this.undelivered.push(alert ? { type: 'alert_updated', alert } : { type: 'alert_deleted', alertId: id });
    }
  }

  /** Changes an alert, whose version grows, and reports it. */
  change(id: string, made: (alert: Alert) => Alert, reported: (alert: Alert) => LiveEvent): Alert | undefined {
    const before = this.alerts.get(id);
    if (!before) return undefined;
    const alert = { ...made(before), version: before.version + 1 };
    this.alerts.set(id, alert);
    this.undelivered.push(reported(alert));
    return alert;
  }

  /** Accepts a pending alert; undefined when it is none any more. */
  accept(id: string, ownerId: string): Alert | undefined {
    if (this.alerts.get(id)?.status !== 'pending') return undefined;
    return this.change(
      id,
      (alert) => asAccepted(alert, ownerId, ownerId),
      ({ version }) => ({ type: 'alert_accepted', alertId: id, ownerId, ownerName: ownerId, version }),
    );
  }

  /** Changes an alert of the member `me`; undefined when it is not theirs any more. */
  work(id: string, made: (alert: Alert) => Alert): Alert | undefined {
    if (this.alerts.get(id)?.ownerId !== ME) return undefined;
    return this.change(id, made, reportOf);
  }

  /** Deletes an alert. */
  remove(id: string): void {
    if (this.alerts.delete(id)) this.undelivered.push({ type: 'alert_deleted', alertId: id });
  }

  /** Somebody, or a sender, does something. */
  act(random: (below: number) => number): void {
    const chosen = [...this.alerts.keys()][random(this.alerts.size || 1)];
    const alert = chosen === undefined ? undefined : this.alerts.get(chosen);
    const ofMany = random(6) === 0 ? changeMany(this.alerts, random, this.completion(random)) : undefined;
    if (ofMany) return void this.undelivered.push(ofMany);
    if (alert && alert.status !== 'completed' && random(6) === 0) {
      const made = alert.snoozedUntil === undefined ? snoozed(alert, 'next-firing') : awake(alert);
      return void this.change(alert.id, () => made, reportOf);
    }
    const what = random(7);
    if (what < 2 || !alert) return this.arrive(random);
    if (alert.status === 'pending' && what < 5) return void this.accept(alert.id, `member-${random(2)}`);
    if (alert.status !== 'pending' && what === 2) {
      return void this.change(alert.id, asPending, (returned) => ({ type: 'alert_unaccepted', alert: returned }));
    }
    if (alert.status !== 'pending' && what < 5) {
      const status = (['accepted', 'in-progress', 'completed'] as const)[random(3)] ?? 'accepted';
      const folderId = 'fg'[random(2)] ?? 'f';
      const made =
        random(3) === 0
          ? inFolder(alert, folderId)
          : inStatus(awake(inFolder(alert, null)), status, this.completion(random));
      return void this.change(alert.id, () => asTouched(made), reportOf);
    }
    if (what !== 6) return this.remove(alert.id);
    const severity = SEVERITIES[random(6)] ?? 'none';
    const state = random(2) === 0 ? 'firing' : 'acknowledged';
    this.change(alert.id, (before) => ({ ...before, severity, state }), reportOf);
  }

  /** When something is completed by the server's clock: some things in the same moment, or by an older version, which kept no time. */
  completion(random: (below: number) => number): string | undefined {
    this.minutes += random(2);
    return random(8) === 0 ? undefined : new Date(Date.UTC(2026, 10, 1, 0, this.minutes)).toISOString();
  }

  private arrive(random: (below: number) => number): void {
    this.made += 1;
    const arrived = makeAlert(`id-${String(this.made).padStart(5, '0')}`, {
      customer: CUSTOMERS[random(2)] ?? null,
      severity: SEVERITIES[random(6)] ?? 'none',
    });
    this.alerts.set(arrived.id, arrived);
    this.undelivered.push({ type: 'new_alert', alert: arrived });
  }
}

const reportOf = (alert: Alert): LiveEvent => ({ type: 'alert_updated', alert });
