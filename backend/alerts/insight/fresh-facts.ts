import { marksOf } from '#backend/platform/database/conditions.ts';
import { type Chunk, bareId, placesOf } from './chunk.ts';
import { QUIET_BY } from './fact.ts';
import type { ReadRows } from './reader.ts';
import { readProgress } from './roll-up.ts';

/** Alerts of whom what changes without an entry of their histories is read again for an answer. */
const MAX_FRESH = 20_000;

/** Alerts that one statement reads. */
const ALERTS_AT_ONCE = 500;

/** What an alert says by now, in the order of its id. */
interface Fresh {
  id: string;
  repeats: number;
  window: string | null;
}

/** What chunks do not say yet: repeats of the last hour, and what maintenance windows keep quiet now. */
export interface FreshFacts {
  /** The chunk with what its alerts say by now; the chunk itself where that is the same. */
  patch(chunk: Chunk): Chunk;
  /** False where there is more of it than was read. */
  isComplete: boolean;
}

/** Reads what changed without an entry that insight goes by. */
export async function readFreshFacts(read: ReadRows): Promise<FreshFacts> {
  const { repeatId } = await readProgress(read);
  const repeated = await read<{ id: string }>(
    "SELECT DISTINCT alert_id AS id FROM alert_history WHERE id > ? AND action = 'repeated' " +
      `ORDER BY alert_id LIMIT ${MAX_FRESH}`,
    [repeatId],
  );
  const quiet = await read<{ id: string }>(
    `SELECT DISTINCT alert_id AS id FROM quiet_alerts ORDER BY alert_id LIMIT ${MAX_FRESH}`,
  );
  const ids = [...new Set([...repeated, ...quiet].map(({ id }) => id))].toSorted();
  const fresh: Fresh[] = [];
  for (let at = 0; at < ids.length; at += ALERTS_AT_ONCE) {
    const some = ids.slice(at, at + ALERTS_AT_ONCE);
    const rows = await read<{ id: string; occurrences: unknown; quietByName: string | null }>(
      `SELECT id, occurrences, ${QUIET_BY} AS quietByName FROM alerts WHERE id IN (${marksOf(some)}) ORDER BY id`,
      some,
    );
    for (const { id, occurrences, quietByName } of rows)
      fresh.push({ id: bareId(id), repeats: Math.max(0, Number(occurrences) - 1), window: quietByName });
  }
  return { patch: (chunk) => patched(chunk, fresh), isComplete: Math.max(repeated.length, quiet.length) < MAX_FRESH };
}

/** A copy: chunks are kept for the next answer, whose fresh facts are others. */
function patched(chunk: Chunk, fresh: readonly Fresh[]): Chunk {
  const { ids, size } = chunk;
  const own = fresh.slice(
    lowerBound(fresh, ids.toString('hex', 0, 16)),
    lowerBound(fresh, `${ids.toString('hex', (size - 1) * 16)}~`),
  );
  if (own.length === 0) return chunk;
  const places = placesOf(chunk);
  const repeats = chunk.repeats.slice();
  const window = chunk.window.slice();
  const windows = [...chunk.windows];
  for (const one of own) {
    const at = places.get(one.id);
    if (at === undefined) continue;
    repeats[at] = one.repeats;
    // What none keeps quiet now, another may have before.
    if (one.window === null) continue;
    const known = windows.indexOf(one.window);
    window[at] = known === -1 ? windows.push(one.window) - 1 : known;
  }
  return { ...chunk, repeats, window, windows };
}

/** Where the first fact stands whose id is not below another, among facts in order. */
function lowerBound(sorted: readonly { id: string }[], id: string): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if ((sorted[middle]?.id ?? '') < id) from = middle + 1;
    else to = middle;
  }
  return from;
}
