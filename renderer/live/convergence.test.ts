import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { asAccepted, asPending, asTouched, awake, inStatus } from '#renderer/alerts/data/alert-changes.ts';
import { hideAlerts, runChange } from '#renderer/alerts/actions/change-alert.ts';
import { alertListOptions, learnPage } from '#renderer/alerts/data/alert-queries.ts';
import { alertStoreOf, listedAlerts, needRows, refetchAlertLists } from '#renderer/alerts/data/list-cache.ts';
import { type AlertPages, totalOf } from '#renderer/alerts/data/list-pages.ts';
import type { AlertListPath } from '#renderer/alerts/data/list-view.ts';
import { ApiError } from '#renderer/lib/api-client.ts';
import { keepOutdated, wasAskedSince } from '#renderer/lib/query-freshness.ts';
import { sessionQuery } from '#renderer/session/session.ts';
import { AlertModel, LISTS, ME, readCursor } from '#tests/support/alert-model.ts';
import { createRequests } from '#tests/support/late-requests.ts';
import { randomOf } from '#tests/support/random-of.ts';
import { applyEvents } from './apply-event.ts';
import { watchResync } from './resync.ts';

/** How many random runs; 10,000 take some minutes. */
const RUNS = Number(process.env['STORE_RUNS'] ?? 500);

/** To repeat a run that failed, and to search for a shorter one: docs/testing.md. */
const { STORE_SEED, STORE_PATH, STORE_SHRINK } = process.env;
const PARAMETERS = {
  numRuns: RUNS,
  endOnFailure: STORE_SHRINK === undefined,
  ...(STORE_SEED !== undefined && { seed: Number(STORE_SEED) }),
  ...(STORE_PATH !== undefined && { path: STORE_PATH }),
};

const PATHS = Object.keys(LISTS) as AlertListPath[];
const INBOXES = PATHS.filter((path) => path.startsWith('/api/alerts/inbox'));

/** Lets everything happen that waits for nothing but its turn. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) await Promise.resolve();
}

/** The page of a member, whose requests and answers go when the test lets them. */
function createPage(server: AlertModel) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  client.setQueryData(sessionQuery.queryKey, { id: ME } as never);
  keepOutdated(client);
  const store = alertStoreOf(client);
  const resync = watchResync(
    client,
    () => undefined,
    () => 0.5,
  );
  const { requests, send } = createRequests();
  /** Alerts that the member has accepted, from the click until it fails or somebody gives them back: whether the server knows. */
  const accepted = new Map<string, boolean>();
  const seen = new Map<string, number>();
  const deletions = new Set<{ alert: Alert; show: () => void }>();

  const ask =
    (path: AlertListPath) =>
    async ({ pageParam, signal }: { pageParam?: unknown; signal: AbortSignal }) => {
      const askedAt = store.moment();
      // A list's answer is made at once, and may be old when it arrives.
      const answer = server.page(path, pageParam as string | undefined);
      return learnPage(client, await send(() => answer, signal), askedAt);
    };
  vi.stubGlobal('fetch', (path: string) => {
    const total = server.listed(path.replace(/[?&]limit=1$/, '')).length;
    return send(() => new Response('[]', { headers: { 'X-Total-Count': String(total) } }));
  });
  const screens = PATHS.map((path) => ({
    observer: new InfiniteQueryObserver(client, { ...alertListOptions, queryKey: [path], queryFn: ask(path) }),
    leave: undefined as (() => void) | undefined,
  }));
  /** When the greeting of the connection was received. */
  let greetedAt = Number.NEGATIVE_INFINITY;

  const command = (alert: Alert, change: (one: Alert) => Alert, work: () => Alert | undefined): void => {
    const answer = (): Alert => {
      const changed = work();
      if (!changed) throw new ApiError(server.alerts.has(alert.id) ? 409 : 404, 'It is elsewhere.', '');
      return changed;
    };
    void runChange(client, alert, { apply: change, send: () => send(answer) }).catch(() => accepted.delete(alert.id));
  };
  return {
    client,
    resync,
    requests,
    screens,
    deletions,
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
    /** The member looks at the upper end of a list: what is far below may be dropped, and pages that grew are divided. */
    lookAt(path: AlertListPath | undefined, row: number): void {
      if (path) needRows(client, path, row, { page: 2, below: 3 });
    },
    /** The member does something with an alert of a list on screen. */
    click(random: (below: number) => number): void {
      const path = PATHS[random(PATHS.length)] ?? '/api/alerts/inbox';
      const alerts = listedAlerts(client, path) ?? [];
      const alert = alerts[random(alerts.length || 1)];
      if (!alert) return;
      if (random(6) === 0) deletions.add({ alert, show: hideAlerts(client, [alert]).show });
      else if (alert.status === 'pending') {
        accepted.set(alert.id, false);
        command(
          alert,
          (one) => (one.status === 'pending' ? asAccepted(one, ME, ME) : one),
          () => {
            const changed = server.accept(alert.id, ME);
            if (changed && accepted.has(alert.id)) accepted.set(alert.id, true);
            return changed;
          },
        );
      } else if (alert.ownerId === ME && random(3) === 0) {
        accepted.delete(alert.id);
        command(alert, asPending, () => server.work(alert.id, asPending));
      } else if (alert.ownerId === ME) {
        const status = (['accepted', 'in-progress', 'completed'] as const)[random(3)] ?? 'accepted';
        // The clock here is another one than the server's.
        const made = (at: string | undefined) => (one: Alert) => inStatus(asTouched(awake(one)), status, at);
        command(alert, made('2026-12-01T00:00:00.000Z'), () => server.work(alert.id, made(server.completion(random))));
      }
    },
    /** The time of a deletion is over, or it is undone. */
    endDeletion(isUndone: boolean): void {
      const [deletion] = deletions;
      if (!deletion) return;
      deletions.delete(deletion);
      const { alert, show } = deletion;
      if (isUndone) {
        show();
        refetchAlertLists(client);
        return;
      }
      const finish = async (): Promise<void> => {
        try {
          await send(() => server.remove(alert.id));
          store.remove(alert.id);
          show();
        } catch {
          show();
          refetchAlertLists(client);
        }
      };
      void finish();
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
        depart: () => undefined,
      });
    },
    /** What must be so at every moment. */
    check(): void {
      for (const [id, isKnown] of accepted) if (isKnown && server.alerts.get(id)?.ownerId !== ME) accepted.delete(id);
      for (const path of INBOXES) {
        const shown = (listedAlerts(client, path) ?? []).filter(({ id }) => accepted.has(id));
        expect([path, shown.map(({ id }) => id)]).toEqual([path, []]);
      }
      for (const id of server.alerts.keys()) {
        const version = store.look(id)?.alert.version ?? 0;
        expect([id, version >= (seen.get(id) ?? 0)]).toEqual([id, true]);
        seen.set(id, version);
      }
    },
  };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }));

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** One thing that happens, and by which chance. */
const stepArbitrary = fc.record({ what: fc.nat(31), seed: fc.nat() });

it(
  'ends with what the server has on every screen, whatever is late, lost, failed, refused or in the background',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 20, maxLength: 120, size: 'max' }), async (steps) => {
        const server = new AlertModel();
        const page = createPage(server);
        try {
          await take(steps, server, page);
          await quiet(server, page);
          expectSame(server, page);
        } finally {
          page.resync.stop();
          for (const index of PATHS.keys()) page.close(index);
          page.client.clear();
          vi.clearAllTimers();
        }
      }),
      PARAMETERS,
    );
  },
  RUNS * 1_200,
);

type Page = ReturnType<typeof createPage>;

/** Everything that happens, one thing after the other, while every screen is open at first. */
async function take(steps: readonly { what: number; seed: number }[], server: AlertModel, page: Page): Promise<void> {
  for (const index of PATHS.keys()) page.open(index);
  for (const { what, seed } of steps) {
    const random = randomOf(seed);
    const request = page.requests[random(page.requests.length || 1)];
    if (what < 9) server.act(random);
    else if (what < 13) page.deliver(1 + random(4));
    else if (what < 17) page.requests.splice(random(page.requests.length), 1)[0]?.arrive();
    else if (what === 17) page.requests.splice(random(page.requests.length), 1)[0]?.fail();
    else if (what < 20) request?.reach();
    else if (what < 24) page.click(random);
    else if (what === 24) page.endDeletion(random(2) === 0);
    else if (what === 25) page.close(random(PATHS.length));
    else if (what === 26) page.open(random(PATHS.length));
    else if (what === 27) page.reconnect();
    else if (what === 28) server.catchUp();
    else if (what === 29) page.resync.retry();
    else if (what === 30) await vi.advanceTimersByTimeAsync(random(1500));
    else if (seed % 3 === 0) page.lookAt(PATHS[random(PATHS.length)], random(6));
    else page.scroll(random(PATHS.length));
    await settled();
    vi.advanceTimersByTime(1);
    page.check();
  }
}

/** The person looks at every screen again, the server answers, and everything that is planned is done. */
async function quiet(server: AlertModel, page: Page): Promise<void> {
  while (page.deletions.size > 0) page.endDeletion(false);
  for (const index of PATHS.keys()) page.open(index);
  for (let round = 0; round < 6; round += 1) {
    page.resync.retry();
    // A first load that failed says so and is repeated by hand.
    for (const { observer } of page.screens) if (observer.getCurrentResult().isLoadingError) void observer.refetch();
    while (page.requests.length > 0 || server.undelivered.length > 0) {
      page.requests.shift()?.arrive();
      page.deliver(3);
      await settled();
    }
    await vi.advanceTimersByTimeAsync(3000);
  }
}

/** Every list and every total is as the server has it. */
function expectSame(server: AlertModel, page: Page): void {
  for (const path of PATHS) {
    const list = page.client.getQueryData<AlertPages>([path]) ?? { pages: [], pageParams: [] };
    const next = list.pages.at(-1)?.next;
    const end = next === undefined ? undefined : readCursor(next);
    const order = LISTS[path]?.order;
    const all = server.listed(path);
    const expected = all.filter((alert) => !end || !order || order(alert, end) <= 0);
    expect([path, listedAlerts(page.client, path)]).toEqual([path, expected]);
    // Of a longer list the server counts the rest, and an event may be counted twice until it is asked again.
    const total = next === undefined ? totalOf(list) : all.length;
    expect([path, total]).toEqual([path, all.length]);
  }
}
