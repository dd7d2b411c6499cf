import { marksOf } from '#backend/platform/database/conditions.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startOfCharacter } from '#backend/contract/cut-text.ts';
import type { Database } from '#backend/platform/database/database.ts';

/** Characters of a note that an answer shows, and how many of them stand before what was looked for. */
const SHOWN = 160;
const BEFORE = 40;

/** Alerts whose notes are looked at by one statement. */
const ALERTS_AT_ONCE = 128;

/**
 * For alerts that a search found: the part of a note that contains one of the texts, of several notes the newest. Alerts
 * without such a note are left out.
 */
export async function findNoteHits(
  { reads, dialect }: Pick<Database, 'reads' | 'dialect'>,
  ids: readonly string[],
  texts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const hits = new Map<string, string>();
  if (texts.length === 0) return hits;
  const { sql, values } = dialect.contains(['text'], [...texts]);
  for (let at = 0; at < ids.length; at += ALERTS_AT_ONCE) {
    // An answer may be thousands of alerts, and SQLite looks at their notes without waiting for anything.
    if (at > 0) await nextTurn();
    const some = ids.slice(at, at + ALERTS_AT_ONCE);
    const notes: { id: string; text: string }[] = await reads.query(
      `SELECT alert_id AS id, text FROM (SELECT MAX(id) AS newest FROM alert_notes ` +
        `WHERE alert_id IN (${marksOf(some)}) AND ${sql} GROUP BY alert_id) AS fitting ` +
        'JOIN alert_notes ON alert_notes.id = fitting.newest',
      [...some, ...values],
    );
    for (const { id, text } of notes) hits.set(id, excerptOf(text, texts));
  }
  return hits;
}

/** The part of a text around the first of what was looked for, on one line. */
export function excerptOf(text: string, texts: readonly string[]): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const lower = line.toLowerCase();
  const found = texts.map((one) => lower.indexOf(one.toLowerCase().replaceAll(/\s+/g, ' '))).filter((at) => at !== -1);
  const first = found.length === 0 ? 0 : Math.min(...found);
  const begin = first <= BEFORE ? 0 : startOfCharacter(line, first - BEFORE);
  const end = startOfCharacter(line, begin + SHOWN);
  return `${begin > 0 ? '…' : ''}${line.slice(begin, end)}${end < line.length ? '…' : ''}`.toWellFormed();
}
