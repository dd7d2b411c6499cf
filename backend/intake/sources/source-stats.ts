import { marksOf } from '#backend/platform/database/conditions.ts';
import { setImmediate } from 'node:timers/promises';
import { type DeliveryOutcome, LOOKED_AT } from '#backend/contract/delivery.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { idsBetween, inRange } from '#backend/platform/database/id-times.ts';
import { type LoggedUse, isTried, newestFirst } from '#backend/intake/delivery-log/delivery-entity.ts';
import { newestOfChunks, timesOfChunks } from '#backend/intake/delivery-log/stored-deliveries.ts';
import { usualGapOf } from './source-health.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** How far back gaps between deliveries are looked at, and how many. */
const GAPS_WITHIN_MS = 7 * DAY_MS;
const MAX_GAPS = 2_000;

/** A usual gap is computed again after so long, in milliseconds. */
const GAP_MEMORY_MS = 5 * 60_000;

/** Last requests that health is decided on. */
const RECENT = 50;

/** How many of a source's requests are looked through for these: whatever opens its address may do so every few seconds. */
const LOOKED_THROUGH = 1_000;

/** Statuses from here on say that the server failed, not the request. */
const OWN_FAULT = 500;

/** What the delivery log knows of one source. */
export interface SourceStats {
  hours: { deliveries: number; refused: number }[];
  refusedToday: number;
  ways: Record<'key' | 'basic' | 'token', { deliveries: number; lastUsedAt: string | null }>;
  log: { deliveries: number; bytes: number };
  usualGapMs: number | null;
  /**
   * The sender's last requests, newest first, the newest with its summary; what administrators tried is no sender's, and
   * neither is a look at the address.
   */
  recent: { outcome: DeliveryOutcome; summary: string; receivedAt: number }[];
  lastDeliveryAt: number | null;
  /**
   * When a request of the sender was refused last for what it was, of so many as are looked through; null when none was. What
   * this server could not take, with a status from 500 on, comes again.
   */
  lastRefusedAt: number | null;
}

/** What the delivery log knows of sources, kept in memory once it was asked for: nothing is summed up for a request. */
export interface SourceStatsKeeper {
  /** What the log knows of these sources. Those that are not kept are read, one after the other, with other work between. */
  read(ids: readonly string[]): Promise<Map<string, SourceStats>>;
  /** Takes note of what was just committed here. */
  add(uses: readonly LoggedUse[]): void;
  /** Forgets a source that changed, or whose log another server wrote; without an id all: they are read again when asked for. */
  forget(id?: string): void;
}

/** One source as it is kept. */
interface Kept {
  /** Deliveries of an hour, by outcome and way, as `hour outcome way`. */
  hours: Map<string, { hour: number; outcome: string; way: string; deliveries: number }>;
  /** The last hour in which each way was used. */
  lastHours: Map<string, number>;
  recent: SourceStats['recent'];
  lastRefusedAt: number | null;
  gap: { at: number; ms: number | null };
}

/** Opens what is kept of the log of each source. */
export function createSourceStats(
  { reads }: Pick<Database, 'reads'>,
  clock: () => number = Date.now,
): SourceStatsKeeper {
  const kept = new Map<string, Kept>();
  const loading = new Map<string, Promise<Kept>>();

  /** Reads a source. Whatever is committed or forgotten meanwhile may be missing, so that it is not kept then. */
  const load = (id: string): Promise<Kept> => {
    const running = loading.get(id);
    if (running) return running;
    const work: Promise<Kept> = readKept({ reads }, id, clock()).then(
      (found) => {
        if (loading.get(id) === work) {
          loading.delete(id);
          kept.set(id, found);
        }
        return found;
      },
      (error: unknown) => {
        if (loading.get(id) === work) loading.delete(id);
        throw error;
      },
    );
    loading.set(id, work);
    return work;
  };

  return {
    async read(ids) {
      const now = clock();
      const stats = new Map<string, SourceStats>();
      if (ids.length === 0) return stats;
      const totals = await readTotals({ reads }, ids);
      for (const id of ids) {
        const known = kept.get(id);
        const source = known ?? (await load(id));
        if (now - source.gap.at >= GAP_MEMORY_MS) source.gap = await readGap({ reads }, id, now);
        // On SQLite reads are done at once: without this a first look at many sources would be one long piece of work.
        if (!known) await setImmediate();
        stats.set(id, {
          ...countHours(source, now),
          ways: usesOf(source, now),
          log: { deliveries: totals.get(`${id} rows`) ?? 0, bytes: totals.get(`${id} bytes`) ?? 0 },
          usualGapMs: source.gap.ms,
          recent: [...source.recent],
          lastDeliveryAt: source.recent[0]?.receivedAt ?? null,
          lastRefusedAt: source.lastRefusedAt,
        });
      }
      return stats;
    },
    add(uses) {
      const oldest = hourOf(clock()) - DAY_MS;
      for (const use of uses) {
        const id = use.sourceId ?? '';
        loading.delete(id);
        const source = kept.get(id);
        if (source) addUse(source, use, oldest);
      }
    },
    forget(id) {
      if (id === undefined) {
        kept.clear();
        loading.clear();
      } else {
        kept.delete(id);
        loading.delete(id);
      }
    },
  };
}

const hourOf = (time: number): number => time - (time % HOUR_MS);

/** A source as the database has it: the only place where what is older than a day is looked through. */
async function readKept({ reads }: Pick<Database, 'reads'>, id: string, now: number): Promise<Kept> {
  const hours: { hour: number | string; outcome: string; way: string; deliveries: number | string }[] =
    await reads.query('SELECT hour, outcome, way, deliveries FROM delivery_hours WHERE source_id = ? AND hour > ?', [
      id,
      now - DAY_MS - HOUR_MS,
    ]);
  const last: { way: string; last: number | string }[] = await reads.query(
    'SELECT way, MAX(hour) AS last FROM delivery_hours WHERE source_id = ? GROUP BY way',
    [id],
  );
  const rows: (SourceStats['recent'][number] & { id: string })[] = await reads.query(
    'SELECT id, outcome, summary, received_at AS receivedAt FROM (SELECT id, outcome, way, summary, received_at ' +
      `FROM deliveries WHERE source_id = ? ORDER BY id DESC LIMIT ${LOOKED_THROUGH}) newest ` +
      "WHERE way NOT IN ('test', 'replay') AND NOT (outcome = 'handshake' AND summary = ?) " +
      `ORDER BY id DESC LIMIT ${RECENT}`,
    [id, LOOKED_AT],
  );
  const recent = newestFirst([...rows, ...(await newestOfChunks(reads, id, {}, RECENT))]).slice(0, RECENT);
  const [refused]: { at: unknown }[] = await reads.query(
    'SELECT MAX(d.received_at) AS at FROM (SELECT id FROM deliveries WHERE source_id = ? ' +
      `ORDER BY id DESC LIMIT ${LOOKED_THROUGH}) newest JOIN deliveries d ON d.id = newest.id ` +
      "LEFT JOIN delivery_requests r ON r.id = d.request_id WHERE d.outcome = 'refused' " +
      "AND d.way NOT IN ('test', 'replay') AND COALESCE(r.facts, d.facts) NOT LIKE '%\"status\":5%'",
    [id],
  );
  return {
    hours: new Map(
      hours.map(({ hour, outcome, way, deliveries }) => [
        `${Number(hour)} ${outcome} ${way}`,
        { hour: Number(hour), outcome, way, deliveries: Number(deliveries) },
      ]),
    ),
    lastHours: new Map(last.map((row) => [row.way, Number(row.last)])),
    // The newest one's summary is shown; those of the others would be half a megabyte for twenty sources.
    recent: recent.map(({ outcome, summary, receivedAt }, index) => ({
      outcome,
      summary: index === 0 ? summary : '',
      receivedAt: Number(receivedAt),
    })),
    lastRefusedAt: refused?.at == null ? null : Number(refused.at),
    gap: await readGap({ reads }, id, now),
  };
}

/** Read from the indexes alone, which have no summaries: no handshake counts, also a sender's, which is seldom. */
async function readGap({ reads }: Pick<Database, 'reads'>, id: string, now: number): Promise<Kept['gap']> {
  const range = await idsBetween(reads, { from: now - GAPS_WITHIN_MS });
  const isRecent = inRange(range, 'id', 'received_at');
  const rows: { receivedAt: unknown }[] = await reads.query(
    `SELECT received_at AS receivedAt FROM deliveries WHERE source_id = ? AND outcome <> 'handshake' AND ${isRecent.sql} ` +
      'ORDER BY id DESC LIMIT ?',
    [id, ...isRecent.values, MAX_GAPS],
  );
  const times = [
    ...rows.map(({ receivedAt }) => Number(receivedAt)),
    ...(await timesOfChunks(reads, id, range, MAX_GAPS)),
  ];
  return { at: now, ms: usualGapOf(times.toSorted((one, other) => other - one).slice(0, MAX_GAPS)) };
}

async function readTotals({ reads }: Pick<Database, 'reads'>, ids: readonly string[]): Promise<Map<string, number>> {
  const rows: { source_id: string; kind: string; amount: number | string }[] = await reads.query(
    `SELECT source_id, kind, amount FROM delivery_totals WHERE source_id IN (${marksOf(ids)})`,
    [...ids],
  );
  return new Map(rows.map((row) => [`${row.source_id} ${row.kind}`, Number(row.amount)]));
}

const isSenders = ({ way, outcome, summary }: Pick<LoggedUse, 'way' | 'outcome' | 'summary'>): boolean =>
  !isTried(way) && !(outcome === 'handshake' && summary === LOOKED_AT);

function addUse(source: Kept, { receivedAt, outcome, way, summary, status }: LoggedUse, oldest: number): void {
  const hour = hourOf(receivedAt);
  const key = `${hour} ${outcome} ${way}`;
  const counted = source.hours.get(key);
  if (counted) counted.deliveries += 1;
  else {
    source.hours.set(key, { hour, outcome, way, deliveries: 1 });
    for (const [old, row] of source.hours) if (row.hour < oldest) source.hours.delete(old);
  }
  source.lastHours.set(way, Math.max(hour, source.lastHours.get(way) ?? 0));
  if (!isSenders({ way, outcome, summary })) return;
  if (outcome === 'refused' && status < OWN_FAULT)
    source.lastRefusedAt = Math.max(receivedAt, source.lastRefusedAt ?? 0);
  const { recent } = source;
  // Nearly always at the front: requests are logged when they are answered.
  const at = recent.findIndex((other) => other.receivedAt <= receivedAt);
  const isNewest = at === 0 || recent.length === 0;
  if (isNewest && recent[0]) recent[0].summary = '';
  recent.splice(at === -1 ? recent.length : at, 0, { outcome, summary: isNewest ? summary : '', receivedAt });
  if (recent.length > RECENT) recent.pop();
}

function countHours(source: Kept, now: number): Pick<SourceStats, 'hours' | 'refusedToday'> {
  const hours = Array.from({ length: 24 }, () => ({ deliveries: 0, refused: 0 }));
  const thisHour = hourOf(now);
  const midnight = now - (now % DAY_MS);
  let refusedToday = 0;
  for (const { hour, outcome, deliveries } of source.hours.values()) {
    const counted = hours[23 - (thisHour - hour) / HOUR_MS];
    if (counted) counted.deliveries += deliveries;
    if (outcome !== 'refused') continue;
    if (counted) counted.refused += deliveries;
    if (hour >= midnight) refusedToday += deliveries;
  }
  return { hours, refusedToday };
}

function usesOf(source: Kept, now: number): SourceStats['ways'] {
  const oldest = hourOf(now) - 23 * HOUR_MS;
  const useOf = (way: string) => {
    const last = source.lastHours.get(way);
    return {
      deliveries: [...source.hours.values()]
        .filter((row) => row.way === way && row.hour >= oldest)
        .reduce((sum, row) => sum + row.deliveries, 0),
      lastUsedAt: last === undefined ? null : new Date(last).toISOString(),
    };
  };
  return { key: useOf('key'), basic: useOf('basic'), token: useOf('token') };
}
