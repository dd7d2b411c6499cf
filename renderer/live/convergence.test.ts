import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { refetchAlertList } from '#renderer/alerts/data/list-cache.ts';
import { type AlertPages, alertsOf, totalOf } from '#renderer/alerts/data/list-model.ts';
import { awake, snoozed } from '#renderer/alerts/data/snooze.ts';
import { alertListOptions, withEnd } from '#renderer/alerts/data/alert-queries.ts';
import { keepOutdated, wasAskedSince } from '#renderer/lib/query-freshness.ts';
import { changeMany } from '#tests/support/change-many.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { randomOf } from '#tests/support/random-of.ts';
import { applyEvents } from './apply-event.ts';
import { watchResync } from './resync.ts';

const PAGE = 4;
const ME = 'member-0';
const CUSTOMERS = ['Nordwind', 'Atlas'];

/** What is on screen, or was: the lists with which alerts they have and in which order, as the server answers them. */
const LISTS: Record<string, { has: (alert: Alert) => boolean; order: (one: Alert, other: Alert) => number }> = {
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

const idsOf = (event: LiveEvent): readonly string[] => {
  if ('alert' in event) return [event.alert.id];
  if ('alertIds' in event) return event.alertIds;
  return 'alertId' in event ? [event.alertId] : [];
};

/** What the server knows, and what it has sent but not yet delivered. */
function createServer(random: (below: number) => number) {
  const alerts = new Map<string, Alert>();
  const undelivered: LiveEvent[] = [];
  /** What went with a connection, until the greeting of the next one is delivered. */
  const lost: LiveEvent[] = [];
  let made = 0;
  const send = (event: LiveEvent): void => void undelivered.push(event);
  const listed = (path: string): Alert[] => {
    const { has, order } = LISTS[path] ?? { has: () => false, order: newest };
    return [...alerts.values()].filter(has).sort(order);
  };

  return {
    undelivered,
    lost,
    listed,
    page(path: string, before: string | undefined) {
      const { order } = LISTS[path] ?? { order: newest };
      const all = listed(path);
      // The cursor has all that decides on a place, as the server's has.
      const last = before === undefined ? undefined : (JSON.parse(before) as Alert);
      const rest = all.filter((alert) => !last || (alert.id !== last.id && order(alert, last) > 0));
      const rows = rest.slice(0, PAGE);
      const end = rest.length > PAGE ? rows.at(-1) : undefined;
      return withEnd({ rows, total: all.length, ...(end && { next: JSON.stringify(end) }) });
    },
    /** What was not delivered, as who comes back gets it: each alert as it is now. */
    catchUp(): void {
      const ids = new Set([...lost.splice(0), ...undelivered.splice(0)].flatMap(idsOf));
      for (const id of ids) {
        const alert = alerts.get(id);
        send(alert ? { type: 'alert_updated', alert } : { type: 'alert_deleted', alertId: id });
      }
    },
    act(): void {
      const chosen = [...alerts.keys()][random(alerts.size || 1)];
      const alert = chosen === undefined ? undefined : alerts.get(chosen);
      const ofMany = random(6) === 0 ? changeMany(alerts, random) : undefined;
      if (ofMany) return send(ofMany);
      if (alert && alert.status !== 'completed' && random(6) === 0) {
        const changed = alert.snoozedUntil === undefined ? snoozed(alert, 'next-firing') : awake(alert);
        alerts.set(alert.id, changed);
        return send({ type: 'alert_updated', alert: changed });
      }
      const what = random(7);
      if (what < 2 || !alert) {
        made += 1;
        const id = `id-${String(made).padStart(5, '0')}`;
        const arrived = makeAlert(id, {
          customer: CUSTOMERS[random(2)] ?? null,
          severity: SEVERITIES[random(6)] ?? 'none',
        });
        alerts.set(arrived.id, arrived);
        send({ type: 'new_alert', alert: arrived });
      } else if (alert.status === 'pending' && what < 5) {
        const ownerId = `member-${random(2)}`;
        alerts.set(alert.id, { ...awake(alert), status: 'accepted', ownerId, ownerName: ownerId });
        send({ type: 'alert_accepted', alertId: alert.id, ownerId, ownerName: ownerId });
      } else if (alert.status !== 'pending' && what === 2) {
        const { ownerId: _owner, ownerName: _name, folderId: _folder, ...returned } = awake(alert);
        alerts.set(alert.id, { ...returned, status: 'pending' });
        send({ type: 'alert_unaccepted', alert: { ...returned, status: 'pending' } });
      } else if (alert.status !== 'pending' && what < 5) {
        const { folderId: _folder, ...outside } = alert;
        const status = (['accepted', 'in-progress', 'completed'] as const)[random(3)] ?? 'accepted';
        const updated: Alert =
          random(3) === 0 ? { ...outside, folderId: 'fg'[random(2)] ?? 'f' } : { ...awake(alert), status };
        alerts.set(alert.id, updated);
        send({ type: 'alert_updated', alert: updated });
      } else if (what === 6) {
        const updated: Alert = {
          ...alert,
          severity: SEVERITIES[random(6)] ?? 'none',
          state: random(2) === 0 ? 'firing' : 'acknowledged',
        };
        alerts.set(alert.id, updated);
        send({ type: 'alert_updated', alert: updated });
      } else {
        alerts.delete(alert.id);
        send({ type: 'alert_deleted', alertId: alert.id });
      }
    },
  };
}

/** Lets everything happen that waits for nothing but its turn. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
}

/** The query cache of a page, whose answers come when the test lets them. */
function createPage(server: ReturnType<typeof createServer>) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  keepOutdated(client);
  const resync = watchResync(client, () => undefined);
  const answers: { arrive: () => void; fail: () => void }[] = [];
  /** An answer is made at once and arrives at some later moment, or never. */
  const ask =
    (path: string) =>
    ({ pageParam, signal }: { pageParam?: unknown; signal: AbortSignal }) => {
      const answer = server.page(path, pageParam as string | undefined);
      return new Promise<typeof answer>((resolve, reject) => {
        // As fetch does: a list that is left gives its answer up.
        signal.addEventListener('abort', () => reject(new DOMException('left', 'AbortError')));
        answers.push({ arrive: () => resolve(answer), fail: () => reject(new Error('Bad gateway')) });
      });
    };
  const screens = PATHS.map((path) => ({
    observer: new InfiniteQueryObserver(client, { ...alertListOptions, queryKey: [path], queryFn: ask(path) }),
    leave: undefined as (() => void) | undefined,
  }));
  /** When the greeting of the connection was received. */
  let greetedAt = Number.NEGATIVE_INFINITY;
  return {
    client,
    resync,
    answers,
    screens,
    open(index: number): void {
      const screen = screens[index];
      if (screen) screen.leave ??= screen.observer.subscribe(() => undefined);
    },
    close(index: number): void {
      const screen = screens[index];
      screen?.leave?.();
      if (screen) screen.leave = undefined;
    },
    /** Nobody scrolls a list that is not on screen. */
    scroll(index: number): void {
      const screen = screens[index];
      if (screen?.leave) void screen.observer.fetchNextPage({ cancelRefetch: false });
    },
    /** What was not delivered is lost; the greeting of the next connection comes before anything else. */
    reconnect(): void {
      server.lost.push(...server.undelivered.splice(0));
      server.undelivered.push({ type: 'hello', version: '', inboxCount: 0 });
      greetedAt = performance.now();
    },
    deliver(count: number): void {
      const delivered = server.undelivered.splice(0, count);
      if (delivered.some(({ type }) => type === 'hello')) server.lost.splice(0);
      applyEvents(delivered, {
        client,
        me: ME,
        isCurrent: (path) => {
          const query = client.getQueryCache().find({ queryKey: [path], exact: true });
          return query !== undefined && wasAskedSince(query, greetedAt);
        },
        refetch: (path) => void refetchAlertList(client, path),
        refetchSoon: (path) => void refetchAlertList(client, path),
        recount: () => undefined,
        depart: () => undefined,
        changed: () => undefined,
      });
    },
  };
}

const PATHS = Object.keys(LISTS);

it.each(Array.from({ length: 100 }, (_, seed) => seed))(
  'ends with what the server has on every screen, whatever is late, lost, failed or in the background (seed %i)',
  async (seed) => {
    const random = randomOf(seed);
    const server = createServer(random);
    const page = createPage(server);
    for (const index of PATHS.keys()) page.open(index);

    for (let step = 0; step < 300; step += 1) {
      const what = random(25);
      if (what < 10) server.act();
      else if (what < 14) page.deliver(1 + random(4));
      else if (what < 18) page.answers.splice(random(page.answers.length), 1)[0]?.arrive();
      else if (what === 18) page.answers.splice(random(page.answers.length), 1)[0]?.fail();
      else if (what === 19) page.close(random(PATHS.length));
      else if (what === 20) page.open(random(PATHS.length));
      else if (what === 21) page.reconnect();
      else if (what === 22) server.catchUp();
      else if (what === 23) page.resync.retry();
      else page.scroll(random(PATHS.length));
      await settled();
    }
    // The person looks at every screen again, and the server answers.
    for (const index of PATHS.keys()) page.open(index);
    for (let round = 0; round < 3; round += 1) {
      page.resync.retry();
      // A first load that failed says so and is repeated by hand.
      for (const { observer } of page.screens) if (observer.getCurrentResult().isLoadingError) void observer.refetch();
      while (page.answers.length > 0 || server.undelivered.length > 0) {
        page.answers.shift()?.arrive();
        page.deliver(3);
        await settled();
      }
    }

    for (const path of PATHS) {
      const list = page.client.getQueryData<AlertPages>([path]) ?? { pages: [], pageParams: [] };
      const next = list.pages.at(-1)?.next;
      const end = next === undefined ? undefined : (JSON.parse(next) as Alert);
      const order = LISTS[path]?.order ?? newest;
      const expected = server.listed(path).filter((alert) => !end || order(alert, end) <= 0);
      expect([path, alertsOf(list)]).toEqual([path, expected]);
      // A list that is loaded to its end counts itself; of a longer one the server counts the rest.
      expect(totalOf({ ...list, pages: next === undefined ? list.pages : [] })).toBe(
        next === undefined ? expected.length : 0,
      );
    }
    page.resync.stop();
    for (const index of PATHS.keys()) page.close(index);
  },
);
