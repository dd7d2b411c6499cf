import { momentOf } from '#backend/contract/id-moment.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';
import { createSettledIds } from '#backend/platform/database/settled-ids.ts';
import { CHUNK_FACTS, decodeChunk, encodeChunk, factsOf } from './chunk.ts';
import { type Fact, type Facts, readFacts } from './fact.ts';
import type { ReadRows } from './reader.ts';

/** Alerts, and entries of histories, that one step looks at. Each entry may change another chunk. */
const STEP_ALERTS = 1_024;
const STEP_ENTRIES = 256;

/** Facts that are read in one statement. */
const FACTS_AT_ONCE = 256;

/** Ids do not come in the order of commits: what was stored in this time may still be joined by others below it. */
const SETTLED_AFTER_MS = 30_000;

/**
 * An entry of a history that counts repeats grows for an hour (`problem-rows.ts`): after this, in milliseconds, its alert is
 * counted once more. Until then the alerts themselves are read (`fresh-facts.ts`). What began to flap is counted once more then,
 * too: in an upgrade a server of an earlier release, which counts no such entries, may have been the first.
 */
const REPEATS_DONE_MS = 75 * 60_000;

/** How far everything is counted: all alerts, and all entries of histories, up to these ids. */
export interface Progress {
  version: number;
  alertId: string;
  historyId: string;
  /** Alerts were counted again up to this entry of repeats or flapping, once nothing was added to it any more. */
  repeatId: string;
}

/** A chunk as it is stored: alerts from `firstId` on, up to the next chunk. */
export interface StoredChunk {
  firstId: string;
  receivedFrom: number;
  receivedTo: number;
  data: Uint8Array;
}

/** What is to be stored next, if nobody else has stored something since `version`. */
export interface Step {
  progress: Progress;
  chunks: StoredChunk[];
}

/** Counts what was committed. It only reads; what it finds is stored elsewhere, and it is notified of that. */
export interface RollUp {
  /**
   * What is to be stored next: new alerts, and known ones that were changed. Undefined when there is nothing.
   */
  next(): Promise<Step | undefined>;
  /** The step was stored. */
  stored(step: Step): void;
  /** The step was not stored, because another server was first: the next one begins with what is stored. */
  lost(): void;
  /** Whether everything that was there at the last look is counted. */
  isComplete(): boolean;
  /** How old the newest alert was at the last look, in milliseconds. */
  newestAgeMs(): number;
}

export function createRollUp(read: ReadRows): RollUp {
  /** What is counted already of what is above the stored progress. */
  const seen = { alerts: new Set<string>(), entries: new Set<string>() };
  let found: { alerts: string[]; entries: string[] } = { alerts: [], entries: [] };
  /** Where the present pass goes on; a new pass begins at the stored progress. */
  let pass = FROM_THE_START;
  /** Last entry of repeats or flapping that is read; above the stored progress where there was none. */
  let repeatsTo = '';
  let isComplete = false;
  let newestAge = Infinity;
  const settled = { alerts: createSettledIds(SETTLED_AFTER_MS), entries: createSettledIds(SETTLED_AFTER_MS) };

  return {
    async next() {
      const before = await readProgress(read);
      const newest = await readNewest(read);
      newestAge = newest.alertId === '' ? Infinity : Date.now() - momentOf(newest.alertId);
      // Entries first: what is read of their alerts afterwards is at least as new.
      const entries = await nextOf(greater(before.historyId, pass.entries), STEP_ENTRIES, seen.entries, (after) =>
        read<Entry>(
          `SELECT id, alert_id AS alertId FROM alert_history WHERE id > ? ORDER BY id LIMIT ${STEP_ENTRIES}`,
          [after],
        ),
      );
      const alerts = await nextOf(greater(before.alertId, pass.alerts), STEP_ALERTS, seen.alerts, (after) =>
        read<{ id: string }>(`SELECT id FROM alerts WHERE id > ? ORDER BY id LIMIT ${STEP_ALERTS}`, [after]),
      );
      const doneTo = firstIdAt(Date.now() - REPEATS_DONE_MS);
      const repeats = await read<Entry>(
        "SELECT id, alert_id AS alertId FROM alert_history WHERE id > ? AND id <= ? AND action IN ('repeated', 'flapping') " +
          `ORDER BY id LIMIT ${STEP_ENTRIES}`,
        [greater(before.repeatId, repeatsTo), doneTo],
      );
      const hasMoreRepeats = repeats.length === STEP_ENTRIES;
      repeatsTo = hasMoreRepeats ? (repeats.at(-1)?.id ?? doneTo) : greater(repeatsTo, doneTo);
      isComplete = !entries.hasMore && !alerts.hasMore && !hasMoreRepeats;
      pass = isComplete ? FROM_THE_START : { alerts: alerts.last, entries: entries.last };
      found = { alerts: alerts.rows.map(({ id }) => id), entries: entries.rows.map(({ id }) => id) };
      const progress = {
        version: before.version,
        alertId: settledUpTo(before.alertId, alerts, settled.alerts(newest.alertId)),
        historyId: settledUpTo(before.historyId, entries, settled.entries(newest.historyId)),
        repeatId: greater(before.repeatId, repeatsTo),
      };
      if (
        found.alerts.length + found.entries.length + repeats.length === 0 &&
        progress.alertId === before.alertId &&
        progress.historyId === before.historyId
      ) {
        return undefined;
      }
      // What is above is counted, as it then is, when it comes to that.
      const reach = alerts.hasMore ? alerts.last : undefined;
      const changed = [...entries.rows, ...repeats]
        .map(({ alertId }) => alertId)
        .filter((id) => reach === undefined || id <= reach);
      const ids = [...new Set([...found.alerts, ...changed])].toSorted();
      return { progress, chunks: await chunksWith(read, ids) };
    },
    stored({ progress }) {
      for (const id of found.alerts) seen.alerts.add(id);
      for (const id of found.entries) seen.entries.add(id);
      if (!isComplete) return;
      forgetUpTo(seen.alerts, progress.alertId);
      forgetUpTo(seen.entries, progress.historyId);
    },
    lost() {
      isComplete = false;
      pass = FROM_THE_START;
      repeatsTo = '';
    },
    isComplete: () => isComplete,
    newestAgeMs: () => newestAge,
  };
}

const FROM_THE_START = { alerts: '', entries: '' };

const greater = (one: string, other: string): string => (one > other ? one : other);

/** Nobody looks at what is up to the stored progress again. */
function forgetUpTo(ids: Set<string>, last: string): void {
  for (const id of ids) if (id <= last) ids.delete(id);
}

interface Entry {
  id: string;
  alertId: string;
}

export async function readProgress(read: ReadRows): Promise<Progress> {
  const [row] = await read<Progress>(
    'SELECT version, alert_id AS alertId, history_id AS historyId, repeat_id AS repeatId FROM insight_progress WHERE id = 1',
  );
  if (!row) throw new Error('The progress of insight is missing from the database.');
  return { ...row, version: Number(row.version) };
}

async function readNewest(read: ReadRows): Promise<{ alertId: string; historyId: string }> {
  const [row] = await read<{ alertId: string | null; historyId: string | null }>(
    'SELECT (SELECT MAX(id) FROM alerts) AS alertId, (SELECT MAX(id) FROM alert_history) AS historyId',
  );
  return { alertId: row?.alertId ?? '', historyId: row?.historyId ?? '' };
}

interface Page<Row> {
  rows: Row[];
  /** Up to where all was looked at. */
  last: string;
  hasMore: boolean;
}

/** The next rows that were not counted yet, at most so many. */
async function nextOf<Row extends { id: string }>(
  after: string,
  limit: number,
  seen: ReadonlySet<string>,
  readPage: (after: string) => Promise<Row[]>,
): Promise<Page<Row>> {
  const rows: Row[] = [];
  let last = after;
  for (;;) {
    const page = await readPage(last);
    for (const row of page) {
      if (!seen.has(row.id)) rows.push(row);
      last = row.id;
      if (rows.length === limit) return { rows, last, hasMore: true };
    }
    if (page.length < limit) return { rows, last, hasMore: false };
  }
}

/** The id up to which nothing is missing and nothing will be added. Never before the one that was. */
function settledUpTo(before: string, { last, hasMore }: Page<unknown>, settled: string): string {
  const reached = hasMore && last < settled ? last : settled;
  return reached > before ? reached : before;
}

/** The chunks that change when these alerts, in order, are counted as they are. */
async function chunksWith(read: ReadRows, ids: readonly string[]): Promise<StoredChunk[]> {
  const changed: StoredChunk[] = [];
  const rest = [...ids];
  while (rest.length > 0) {
    const first = rest[0] ?? '';
    const [chunk] = await read<{ firstId: string; data: Uint8Array }>(
      'SELECT first_id AS firstId, data FROM insight_chunks WHERE first_id <= ? ORDER BY first_id DESC LIMIT 1',
      [first],
    );
    const [next] = await read<{ firstId: string }>(
      'SELECT first_id AS firstId FROM insight_chunks WHERE first_id > ? ORDER BY first_id LIMIT 1',
      [first],
    );
    const end = next ? rest.findIndex((id) => id >= next.firstId) : -1;
    const own = rest.splice(0, end === -1 ? rest.length : end);
    const facts: Facts = { present: [], deleted: [] };
    for (let at = 0; at < own.length; at += FACTS_AT_ONCE) {
      const some = await readFacts(read, own.slice(at, at + FACTS_AT_ONCE));
      facts.present.push(...some.present);
      facts.deleted.push(...some.deleted);
    }
    changed.push(...withFacts(chunk, facts));
  }
  return changed;
}

/** A chunk with facts added and replaced, as several where they are too many. */
function withFacts(chunk: { firstId: string; data: Uint8Array } | undefined, facts: Facts): StoredChunk[] {
  const stored = chunk ? factsOf(decodeChunk(chunk.data)) : [];
  const all = new Map(stored.map((fact) => [fact.id, fact]));
  // A deleted alert counts as it was when it was last looked at.
  for (const fact of facts.deleted) if (!all.has(fact.id)) all.set(fact.id, fact);
  for (const fact of facts.present) all.set(fact.id, fact);
  const sorted = [...all.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const pieces: StoredChunk[] = [];
  for (let at = 0; at < sorted.length; at += CHUNK_FACTS) {
    const piece = sorted.slice(at, at + CHUNK_FACTS);
    pieces.push(storedChunk(at === 0 && chunk ? chunk.firstId : (piece[0]?.id ?? ''), piece));
  }
  return pieces;
}

function storedChunk(firstId: string, facts: readonly Fact[]): StoredChunk {
  const moments = facts.map(({ receivedAt }) => receivedAt);
  return {
    firstId,
    receivedFrom: Math.min(...moments),
    receivedTo: Math.max(...moments),
    data: encodeChunk(facts),
  };
}
