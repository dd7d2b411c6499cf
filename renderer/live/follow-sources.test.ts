import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { DEFAULT_SOURCE_SETTINGS, type Source } from '#backend/contract/source.ts';
import { type SourceCounts } from '#backend/contract/source-standing.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { followAlertReads } from './follow-alerts.ts';
import { followSources } from './follow-sources.ts';

const AT = '2026-01-15T12:00:00.000Z';
const NO_USE = { deliveries: 0, lastUsedAt: null };

const source = (id: string): Source => ({
  id,
  name: id,
  createdAt: AT,
  version: 1,
  lastUsedAt: null,
  pausedAt: null,
  pausedBy: null,
  recognisedAs: null,
  settings: DEFAULT_SOURCE_SETTINGS,
  mailAddress: null,
  secrets: [],
  health: { state: 'never-used', reason: null, since: null },
  hours: [],
  lastDeliveryAt: null,
  refusedToday: 0,
  usualGapMs: null,
  ways: { key: NO_USE, basic: NO_USE, token: NO_USE },
  log: { deliveries: 0, bytes: 0 },
});

const counts: SourceCounts = {
  lastUsedAt: AT,
  recognisedAs: null,
  health: { state: 'ok', reason: null, since: null },
  lastDeliveryAt: AT,
  refusedToday: 1,
  usualGapMs: null,
  log: { deliveries: 7, bytes: 700 },
  hours: [[7, 1]],
};

const changed = (sourceId: string | null, withCounts = true): LiveEvent => ({
  type: 'source_changed',
  sourceId,
  ...(withCounts && { counts }),
});

const stands = (sourceId: string, state: SourceCounts['health']['state']): LiveEvent => ({
  type: 'source_changed',
  sourceId,
  counts: { ...counts, health: { ...counts.health, state } },
});

/** What is fetched again once a source was edited. */
const EDITED = ['sources', 'source-health', 'source-names', 'unknown-keys', 'api-keys'].map((one) => [`/api/${one}`]);

/** A page that shows sources, and what it has fetched again since. */
function page(...keys: unknown[][]) {
  const client = new QueryClient();
  const fetched: unknown[] = [];
  client.setQueryData(['/api/sources'], [source('one'), source('two')]);
  for (const queryKey of keys) client.setQueryData(queryKey, 'as it was');
  vi.spyOn(client, 'invalidateQueries').mockImplementation(async (filters) => void fetched.push(filters?.queryKey));
  return {
    client,
    fetched,
    shown: () => client.getQueryData<Source[]>(['/api/sources']) ?? [],
    apply: (...events: LiveEvent[]) => followSources(client, events),
  };
}

describe('followSources', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('puts the counts that come with an event in their place, and fetches nothing', () => {
    const { apply, shown, fetched } = page();
    for (let second = 0; second < 30; second += 1) {
      apply(changed('one'));
      vi.advanceTimersByTime(1_000);
    }
    expect(fetched).toEqual([]);
    const [one, two] = shown();
    expect(one).toMatchObject({ lastDeliveryAt: AT, log: { deliveries: 7 }, hours: [{ deliveries: 7, refused: 1 }] });
    expect(two).toEqual(source('two'));
  });

  it('knows which sources need attention by what comes with events, and fetches nothing', () => {
    const { apply, client, fetched } = page();
    client.setQueryData(['/api/source-health'], { refusing: ['one'], silent: ['three'] });
    apply(stands('one', 'ok'), stands('two', 'refusing'));
    expect(client.getQueryData(['/api/source-health'])).toEqual({ refusing: ['two'], silent: ['three'] });
    apply(stands('three', 'ok'), stands('two', 'refusing'));
    expect(client.getQueryData(['/api/source-health'])).toEqual({ refusing: ['two'], silent: [] });
    vi.advanceTimersByTime(500);
    expect(fetched).toEqual([]);
  });

  it('fetches the log of a source where it is shown, every two seconds at most', () => {
    const { apply, fetched } = page(['/api/sources', 'one', 'newest', {}]);
    for (let tenth = 0; tenth < 60; tenth += 1) {
      apply(changed('one'), changed('two'));
      vi.advanceTimersByTime(100);
    }
    expect(fetched).toEqual(Array.from({ length: 3 }, () => ['/api/sources', 'one', 'newest']));
  });

  it.each([
    ['a source that had no sender yet', null, 'grafana', true],
    ['one whose sender is known', 'grafana', 'grafana', false],
    ['one that nobody recognises', null, null, false],
  ] as const)('fetches names when counts recognise %s', (_, sender, recognisedAs, isFetched) => {
    const { apply, client, fetched } = page();
    client.setQueryData(['/api/source-names'], [{ id: 'one', name: 'one', sender }]);
    apply({ type: 'source_changed', sourceId: 'two', counts: { ...counts, recognisedAs: 'grafana' } });
    apply({ type: 'source_changed', sourceId: 'one', counts: { ...counts, recognisedAs } });
    vi.advanceTimersByTime(500);
    expect(fetched).toEqual(isFetched ? [['/api/source-names']] : []);
  });

  it('fetches sources that were edited, and unknown keys', () => {
    const { apply, fetched } = page();
    apply(changed('one', false), changed(null, false));
    vi.advanceTimersByTime(500);
    expect(fetched).toEqual(EDITED);
  });

  it('fetches nothing while the page is hidden, and once when it is shown', () => {
    const document = Object.assign(new EventTarget(), { visibilityState: 'hidden' });
    vi.stubGlobal('document', document);
    const { apply, fetched } = page();
    for (let second = 0; second < 10; second += 1) {
      apply(changed('one', false));
      vi.advanceTimersByTime(1_000);
    }
    expect(fetched).toEqual([]);
    document.visibilityState = 'visible';
    document.dispatchEvent(new Event('visibilitychange'));
    expect(fetched).toEqual(EDITED);
  });
});

describe('followAlertReads', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('counts new alerts itself, and compares with the server every ten seconds', () => {
    const client = new QueryClient();
    const key = ['/api/alerts/stats'];
    client.setQueryData(key, { total: 5, pending: 2, accepted: 1, 'in-progress': 1, completed: 1 });
    const fetched = vi.spyOn(client, 'invalidateQueries').mockResolvedValue();
    for (let tenth = 0; tenth < 180; tenth += 1) {
      followAlertReads(client, [{ type: 'new_alert', alert: makeAlert(`a${tenth}`) }]);
      vi.advanceTimersByTime(100);
    }
    expect(client.getQueryData(key)).toMatchObject({ total: 185, pending: 182, accepted: 1 });
    expect(fetched).toHaveBeenCalledTimes(2);
    followAlertReads(client, [changed('one'), { type: 'alert_deleted', alertId: 'a1' }]);
    vi.advanceTimersByTime(500);
    expect(fetched).toHaveBeenCalledTimes(3);
  });
});
