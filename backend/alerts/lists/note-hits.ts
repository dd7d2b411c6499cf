import { startOfCharacter } from '#backend/contract/cut-text.ts';
import type { Database } from '#backend/platform/database/database.ts';

/** Characters of a note that an answer shows, and how many of them stand before what was looked for. */
const SHOWN = 160;
const BEFORE = 40;

/**
 * For alerts that a search found: the part of a note that contains one of the texts, of several notes the newest. Alerts
 * without such a note are left out.
 */
export async function findNoteHits(
  { reads, dialect }: Pick<Database, 'reads' | 'dialect'>,
  ids: readonly string[],
  texts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0 || texts.length === 0) return new Map();
  const { sql, values } = dialect.contains(['text'], [...texts]);
  const notes: { id: string; text: string }[] = await reads.query(
    `SELECT alert_id AS id, text FROM alert_notes WHERE alert_id IN (${ids.map(() => '?').join(', ')}) AND ${sql} ORDER BY id`,
    [...ids, ...values],
  );
  return new Map(notes.map(({ id, text }) => [id, excerptOf(text, texts)]));
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
