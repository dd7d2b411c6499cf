import type { DeliveryOutcome } from '#backend/contract/delivery.ts';
import { firstIdAt } from '#backend/database/ids.ts';
import type { Database } from '#backend/database/database.ts';
import { usualGapOf } from './source-health.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** How far back gaps between deliveries are looked at, and how many. */
const GAPS_WITHIN_MS = 7 * DAY_MS;
const MAX_GAPS = 2_000;

/** A usual gap is computed again after so long, in milliseconds. */
const GAP_MEMORY_MS = 60_000;

/** Last requests that health is decided on. */
const RECENT = 50;

/** What the delivery log knows of one source. */
export interface SourceStats {
  hours: { deliveries: number; refused: number }[];
  refusedToday: number;
  ways: Record<'key' | 'basic' | 'token', { deliveries: number; lastUsedAt: string | null }>;
  log: { deliveries: number; bytes: number };
  usualGapMs: number | null;
  /** The sender's last requests, newest first; what administrators tried and replayed is no sender's. */
  recent: { outcome: DeliveryOutcome; summary: string; receivedAt: number }[];
  lastDeliveryAt: number | null;
}

interface HourRow {
  source_id: string;
  hour: number | string;
  outcome: DeliveryOutcome;
  way: string;
  deliveries: number;
}

/** Reads what the delivery log knows; `''` stands for unknown keys. Usual gaps are remembered for a minute. */
export function createSourceStats(
  { reads }: Pick<Database, 'reads'>,
  clock: () => number = Date.now,
): (ids: readonly string[]) => Promise<Map<string, SourceStats>> {
  const gaps = new Map<string, { at: number; gap: number | null }>();

  const usualGap = async (id: string, now: number): Promise<number | null> => {
    const known = gaps.get(id);
    if (known && now - known.at < GAP_MEMORY_MS) return known.gap;
    const rows: { received_at: number | string }[] = await reads.query(
      'SELECT received_at FROM deliveries WHERE source_id = ? AND id > ? ORDER BY id DESC LIMIT ?',
      [id, firstIdAt(now - GAPS_WITHIN_MS), MAX_GAPS],
    );
    const gap = usualGapOf(rows.map((row) => Number(row.received_at)).toSorted((one, other) => other - one));
    gaps.set(id, { at: now, gap });
    return gap;
  };

  return async (ids) => {
    const now = clock();
    const stats = new Map<string, SourceStats>();
    if (ids.length === 0) return stats;
    const places = ids.map(() => '?').join(', ');
    const day: HourRow[] = await reads.query(
      'SELECT source_id, hour, outcome, way, deliveries FROM delivery_hours ' +
        `WHERE source_id IN (${places}) AND hour > ?`,
      [...ids, now - DAY_MS - HOUR_MS],
    );
    const uses: { source_id: string; way: string; last: number | string }[] = await reads.query(
      `SELECT source_id, way, MAX(hour) AS last FROM delivery_hours WHERE source_id IN (${places}) GROUP BY source_id, way`,
      [...ids],
    );
    const totals: { source_id: string; kind: string; amount: number | string }[] = await reads.query(
      `SELECT source_id, kind, amount FROM delivery_totals WHERE source_id IN (${places})`,
      [...ids],
    );
    for (const id of ids) {
      const recent = await recentOf({ reads }, id);
      const own = day.filter((row) => row.source_id === id);
      const total = (kind: string) =>
        Number(totals.find((row) => row.source_id === id && row.kind === kind)?.amount ?? 0);
      stats.set(id, {
        ...countHours(own, now),
        ways: usesOf(
          own,
          uses.filter((row) => row.source_id === id),
          now,
        ),
        log: { deliveries: total('rows'), bytes: total('bytes') },
        usualGapMs: await usualGap(id, now),
        recent,
        lastDeliveryAt: recent[0]?.receivedAt ?? null,
      });
    }
    return stats;
  };
}

async function recentOf({ reads }: Pick<Database, 'reads'>, id: string): Promise<SourceStats['recent']> {
  const rows: { outcome: DeliveryOutcome; summary: string; received_at: number | string; way: string }[] =
    await reads.query(
      `SELECT outcome, summary, received_at, way FROM deliveries WHERE source_id = ? ORDER BY id DESC LIMIT ${RECENT}`,
      [id],
    );
  return rows
    .filter(({ way }) => way !== 'test' && way !== 'replay')
    .map(({ outcome, summary, received_at: receivedAt }) => ({ outcome, summary, receivedAt: Number(receivedAt) }));
}

function countHours(rows: readonly HourRow[], now: number): Pick<SourceStats, 'hours' | 'refusedToday'> {
  const hours = Array.from({ length: 24 }, () => ({ deliveries: 0, refused: 0 }));
  const thisHour = now - (now % HOUR_MS);
  const midnight = now - (now % DAY_MS);
  let refusedToday = 0;
  for (const { hour, outcome, deliveries } of rows) {
    const counted = hours[23 - (thisHour - Number(hour)) / HOUR_MS];
    if (counted) counted.deliveries += deliveries;
    if (outcome !== 'refused') continue;
    if (counted) counted.refused += deliveries;
    if (Number(hour) >= midnight) refusedToday += deliveries;
  }
  return { hours, refusedToday };
}

function usesOf(
  day: readonly HourRow[],
  uses: readonly { way: string; last: number | string }[],
  now: number,
): SourceStats['ways'] {
  const oldest = now - (now % HOUR_MS) - 23 * HOUR_MS;
  const useOf = (way: string) => {
    const last = uses.find((use) => use.way === way)?.last;
    return {
      deliveries: day
        .filter((row) => row.way === way && Number(row.hour) >= oldest)
        .reduce((sum, row) => sum + row.deliveries, 0),
      lastUsedAt: last === undefined ? null : new Date(Number(last)).toISOString(),
    };
  };
  return { key: useOf('key'), basic: useOf('basic'), token: useOf('token') };
}
