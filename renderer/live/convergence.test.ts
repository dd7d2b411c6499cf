import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { alertListOptions } from '#renderer/lib/alerts/alert-list.ts';
import { type AlertPages, alertsOf, totalOf } from '#renderer/lib/alerts/alert-pages.ts';
import { refetchAlertList } from '#renderer/lib/alerts/refetch-alert-list.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { applyEvents } from './apply-event.ts';

const PAGE = 4;
const ME = 'member-0';

/** Repeatable chance (mulberry32), so that a failing seed fails again. */
function chance(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

/** What the server knows, and what it has told but not yet delivered. */
function createServer(random: (below: number) => number) {
  const alerts = new Map<string, Alert>();
  const undelivered: LiveEvent[] = [];
  let made = 0;
  const tell = (event: LiveEvent): void => void undelivered.push(event);
  const listed = (path: string): Alert[] =>
    [...alerts.values()]
      .filter((alert) =>
        path.endsWith('inbox') ? alert.status === 'pending' : alert.ownerId === ME && alert.folderId === undefined,
      )
      .sort((a, b) => (a.id < b.id ? 1 : -1));

  return {
    undelivered,
    listed,
    page(path: string, before: string | undefined) {
      const all = listed(path);
      const rest = all.filter((alert) => before === undefined || alert.id < before);
      const rows = rest.slice(0, PAGE);
      const next = rest.length > PAGE ? rows.at(-1)?.id : undefined;
      return next === undefined ? { rows, total: all.length } : { rows, total: all.length, next };
    },
    act(): void {
      const id = [...alerts.keys()][random(alerts.size || 1)];
      const alert = id === undefined ? undefined : alerts.get(id);
      const what = random(6);
      if (what < 2 || !alert) {
        made += 1;
        const arrived = makeAlert(`id-${String(made).padStart(5, '0')}`);
        alerts.set(arrived.id, arrived);
        tell({ type: 'new_alert', alert: arrived });
      } else if (alert.status === 'pending' && what < 5) {
        const ownerId = `member-${random(2)}`;
        alerts.set(alert.id, { ...alert, status: 'accepted', ownerId, ownerName: ownerId });
        tell({ type: 'alert_accepted', alertId: alert.id, ownerId, ownerName: ownerId });
      } else if (alert.status !== 'pending' && what === 2) {
        const { ownerId: _owner, ownerName: _name, folderId: _folder, ...returned } = alert;
        alerts.set(alert.id, { ...returned, status: 'pending' });
        tell({ type: 'alert_unaccepted', alert: { ...returned, status: 'pending' } });
      } else if (alert.status !== 'pending' && what < 5) {
        const { folderId: _folder, ...outside } = alert;
        const updated: Alert =
          random(3) === 0 ? { ...outside, folderId: 'folder' } : { ...outside, status: 'completed' };
        alerts.set(alert.id, updated);
        if (alert.ownerId === ME) tell({ type: 'alert_updated', alert: updated });
      } else {
        alerts.delete(alert.id);
        tell({ type: 'alert_deleted', alertId: alert.id });
      }
    },
  };
}

/** Lets everything happen that waits for nothing but its turn. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
}

it.each(Array.from({ length: 60 }, (_, seed) => seed))(
  'ends with what the server has, whatever is late (seed %i)',
  async (seed) => {
    const random = chance(seed);
    const server = createServer(random);
    const client = new QueryClient();
    const answers: (() => void)[] = [];
    /** An answer is made at once and arrives at some later moment. */
    const ask = (path: string) => (context: { pageParam?: unknown }) => {
      const answer = server.page(path, context.pageParam as string | undefined);
      return new Promise<typeof answer>((resolve) => answers.push(() => resolve(answer)));
    };
    const paths = ['/api/alerts/inbox', '/api/alerts/mine'] as const;
    const observers = paths.map(
      (path) => new InfiniteQueryObserver(client, { ...alertListOptions, queryKey: [path], queryFn: ask(path) }),
    );
    const deliver = (count: number): void =>
      applyEvents(server.undelivered.splice(0, count), {
        client,
        me: ME,
        refetch: (path) => void refetchAlertList(client, path),
        recount: () => undefined,
        depart: () => undefined,
      });
    const unsubscribe = observers.map((observer) => observer.subscribe(() => undefined));

    for (let step = 0; step < 300; step += 1) {
      const what = random(10);
      if (what < 5) server.act();
      else if (what < 7) deliver(1 + random(4));
      else if (what < 9) answers.splice(random(answers.length), 1)[0]?.();
      else if (random(2) === 0) void observers[random(2)]?.fetchNextPage({ cancelRefetch: false });
      else server.undelivered.push({ type: 'hello', version: '', inboxCount: 0 });
      await settled();
    }
    while (answers.length > 0 || server.undelivered.length > 0) {
      answers.shift()?.();
      deliver(3);
      await settled();
    }

    for (const path of paths) {
      const list = client.getQueryData<AlertPages>([path]) ?? { pages: [], pageParams: [] };
      const next = list.pages.at(-1)?.next;
      const expected = server.listed(path).filter((alert) => next === undefined || alert.id >= next);
      expect(alertsOf(list)).toEqual(expected);
      // A list that is loaded to its end counts itself; of a longer one the server tells the rest.
      expect(totalOf({ ...list, pages: next === undefined ? list.pages : [] })).toBe(
        next === undefined ? expected.length : 0,
      );
    }
    for (const stop of unsubscribe) stop();
  },
);
