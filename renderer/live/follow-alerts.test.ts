import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { alertKey } from '#renderer/alerts/data/alert-details.ts';
import { keepOutdated } from '#renderer/lib/query-freshness.ts';
import { followAlerts } from './follow-alerts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('an open alert is read, however fast events come of it, and once more after the last', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  keepOutdated(client);
  const queryKey = [...alertKey('a'), 'details'];
  let givenUp = 0;
  // Each answer takes a second, and says when it was asked for.
  const read = ({ signal }: { signal: AbortSignal }): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const askedAt = Date.now();
    setTimeout(() => resolve(askedAt), 1_000);
    signal.addEventListener('abort', () => (givenUp += 1));
    return promise;
  };
  const leave = new QueryObserver(client, { queryKey, queryFn: read }).subscribe(() => undefined);
  for (let event = 0; event < 40; event += 1) {
    followAlerts(client, [{ type: 'notes_changed', alertId: 'a' }]);
    await vi.advanceTimersByTimeAsync(300);
    if (event >= 4) expect(Date.now() - (client.getQueryData<number>(queryKey) ?? 0)).toBeLessThanOrEqual(4_000);
  }
  const lastAt = Date.now() - 300;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(client.getQueryData(queryKey)).toBeGreaterThanOrEqual(lastAt);
  expect(givenUp).toBe(0);
  leave();
});
