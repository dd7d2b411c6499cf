import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import type { NoticeLevel } from '#backend/contract/notification-settings.ts';
import { DEFAULT_QUIET_HOURS } from '#backend/contract/notification-settings.ts';
import { keepOutdated } from '#renderer/lib/query-freshness.ts';
import { readSettings, renewSettings } from './read-settings.ts';

afterEach(() => vi.unstubAllGlobals());

/** A client whose settings are answered when the test says so; no customer, type or source has a level of its own. */
function setUp() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  keepOutdated(client);
  const asked: ((level: NoticeLevel) => void)[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    if (!path.startsWith('/api/notification-settings')) return Promise.resolve(Response.json([]));
    const { promise, resolve } = Promise.withResolvers<Response>();
    asked.push((level) => resolve(Response.json({ ...SETTINGS, level })));
    return promise;
  });
  return { client, asked };
}

const SETTINGS = {
  quietHours: DEFAULT_QUIET_HOURS,
  pausedUntil: null,
  mail: { mentions: false, digestAt: null, timeZone: null },
  sounds: [],
};

test('an answer that was asked for before a change decides nothing that comes after it', async () => {
  const { client, asked } = setUp();
  const before = readSettings(client);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  renewSettings(client);
  const during = readSettings(client);
  asked[0]?.('mine');
  expect(await before).toMatchObject({ level: 'mine' });
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.('never');
  expect(await during).toMatchObject({ level: 'never' });
  expect(await readSettings(client)).toMatchObject({ level: 'never' });
  expect(asked).toHaveLength(2);
});

test('an answer that was asked for before a change is asked for again by the next alert', async () => {
  const { client, asked } = setUp();
  const before = readSettings(client);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  renewSettings(client);
  asked[0]?.('mine');
  await before;
  const after = readSettings(client);
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.('never');
  expect(await after).toMatchObject({ level: 'never' });
});
