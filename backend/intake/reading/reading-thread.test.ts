import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEFAULT_SOURCE_SETTINGS } from '#backend/contract/source.ts';
import { dryRun } from '#backend/intake/webhooks/dry-run.ts';
import { type MappingThread, createMappingThread } from './mapping-thread.ts';
import { LARGE_BODY, type ReadingThread, createReadingThread } from './reading-thread.ts';

const SLOW = "list[?match(@, '(a|a)*(a|a)*(a|a)*c')]";
const BODY = JSON.stringify({
  title: 'of the body',
  list: Array.from({ length: 300 }, () => `${'a'.repeat(32)}!`),
  filler: 'x'.repeat(LARGE_BODY),
});
const REQUEST = { headers: {}, body: BODY, contentType: 'application/json', receivedAt: 0 };

let mappings: MappingThread;
let readings: ReadingThread;
afterEach(async () => {
  await mappings.stop();
  await readings.stop();
});

test('paths of large deliveries use the time of their source, and what has none left goes without', async () => {
  mappings = createMappingThread({ burstMs: 1, share: 0, waitMs: 10_000, silentMs: 10_000 });
  readings = createReadingThread();
  const reasons = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const settings = { adapter: 'generic' as const, mapping: { title: SLOW } };
      const read = await readings.read(REQUEST, settings, mappings.budgetOf('slow'));
      if ('error' in read) throw read.error;
      expect(read.events[0]!.title).toBe('of the body');
      return read.mappingErrors[0]?.message.split(/[.:]/)[0];
    }),
  );
  // They are read one after the other: none begins before the one in front of it is charged.
  expect(reasons).toEqual(['Stopped after 50 ms', 'Not evaluated', 'Not evaluated', 'Not evaluated']);
  expect(mappings.budgetOf('slow').whyNot()).toMatch(/^Not evaluated/);
  expect(mappings.budgetOf('other').whyNot()).toBeUndefined();

  const other = { adapter: 'generic' as const, mapping: { title: "list[?@ != '']" } };
  // A busy machine may stop a path that is quick.
  await expect
    .poll(() => readings.read(REQUEST, other, mappings.budgetOf(crypto.randomUUID())))
    .toMatchObject({ mappingErrors: [], events: [{ title: `${'a'.repeat(32)}!` }] });
});

test('what an administrator tries is read beside as well, with where its fields come from', async () => {
  mappings = createMappingThread();
  readings = createReadingThread();
  const body = JSON.stringify({ checks: [{ name: 'shop' }, { name: 'mail' }], filler: 'x'.repeat(LARGE_BODY) });
  const source = { id: 'a', settings: DEFAULT_SOURCE_SETTINGS };
  const tried = () =>
    dryRun(
      { mappings, readings },
      source,
      body,
      {},
      { adapter: 'generic', mapping: { split: 'checks', title: 'name' } },
    );
  const { events, problem, splitInto } = await tried();
  expect({ problem, splitInto }).toEqual({ problem: null, splitInto: 2 });
  expect(events.map(({ title, element }) => [title, element])).toEqual([
    ['shop', 'checks[0]'],
    ['mail', 'checks[1]'],
  ]);
  expect(events[1]?.origins).toContainEqual({ field: 'title', value: 'mail', path: 'checks[1].name', note: 'mapping' });

  await readings.stop();
  expect(await tried()).toMatchObject({ events: [], problem: expect.stringContaining('so large a delivery') });
});

/** A budget whose delivery is at the thread for so long before its path is evaluated. */
const after = (ms: number) => ({ whyNot: () => void vi.advanceTimersByTime(ms), spend: () => undefined });
const statusOf = (read: Awaited<ReturnType<ReadingThread['read']>>) => ('error' in read ? read.error.status : 200);

describe('many large deliveries at once', () => {
  const BY_PATH = { adapter: 'generic' as const, mapping: { title: "list[?@ != '']" } };
  const readAll = async (...budgets: ReturnType<typeof after>[]) =>
    (await Promise.all(budgets.map((budget) => readings.read(REQUEST, BY_PATH, budget)))).map(statusOf);

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('wait for their turn: only a thread that is silent with one is replaced', async () => {
    readings = createReadingThread({ silentMs: 20_000, waitMs: 60_000 });
    expect(await readAll(after(15_000), after(15_000), after(15_000))).toEqual([200, 200, 200]);
  });

  test('are read all but the one that the thread does not come back from', async () => {
    readings = createReadingThread({ silentMs: 20_000, waitMs: 60_000 });
    expect(await readAll(after(0), after(20_000), after(0))).toEqual([200, 503, 200]);
  });

  test('are answered 503 where their turn does not come in time, and make room', async () => {
    readings = createReadingThread({ silentMs: 20_000, waitMs: 20_000, maxWaiting: 3.5 * BODY.length });
    expect(await readAll(after(15_000), after(15_000), after(0))).toEqual([200, 200, 503]);
    expect(await readAll(after(0), after(0), after(0))).toEqual([200, 200, 200]);
  });

  test('are answered 503 beyond what may wait', async () => {
    readings = createReadingThread({ maxWaiting: 2.5 * BODY.length });
    expect(await readAll(after(0), after(0), after(0))).toEqual([200, 200, 503]);
    expect(await readAll(after(0))).toEqual([200]);
  });
});
