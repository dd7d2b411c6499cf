import { PRODUCT_VERSION } from '#backend/contract/product.ts';
import type { Dialect, SqlValue } from '#backend/platform/database/dialect.ts';
import type { Query } from '#backend/platform/database/snapshot.ts';
import { EXPORT_FORMAT, EXPORT_VERSION, type ExportKind, type ExportRow, writeLine } from './export-kind.ts';
import { EXPORT_KINDS } from './export-kinds.ts';
import { readKind, readOf, readOwn } from './read-kind.ts';

/** Some lines of an export, each with its line break, and how many of what. */
export interface ExportPart {
  kind: string;
  lines: number;
  text: string;
}

/** Alerts whose history is read at once. */
const HISTORIES_AT_ONCE = 100;

/**
 * An installation as JSON lines: a head that says what this is, one line for each row, and an end that counts them. An export
 * without its end is not whole.
 *
 * @param query reads a snapshot: what is named in one line is in the others
 * @param now milliseconds since the epoch
 */
export async function* exportInstallation(query: Query, now: number): AsyncGenerator<ExportPart> {
  yield* withEnds({ scope: 'installation' }, now, async function* () {
    for (const kind of EXPORT_KINDS) {
      for await (const rows of readKind(query, kind)) yield partOf(kind, rows);
    }
  });
}

/**
 * What is stored of one member, as JSON lines of the same format: what they are the owner or author of, the history of alerts
 * that are theirs now, and what the audit trail says that they did. Names of others' folders are left out.
 */
export async function* exportMember(
  query: Query,
  dialect: Pick<Dialect, 'byIndex'>,
  userId: string,
  now: number,
): AsyncGenerator<ExportPart> {
  const history = EXPORT_KINDS.find(({ kind }) => kind === 'history');
  yield* withEnds({ scope: 'member', userId }, now, async function* () {
    for (const kind of EXPORT_KINDS.filter(({ own }) => own)) {
      for await (const rows of readOwn(query, dialect, kind, userId)) {
        yield partOf(kind, rows);
        if (kind.kind !== 'alert' || !history) continue;
        for (let at = 0; at < rows.length; at += HISTORIES_AT_ONCE) {
          const ids = rows.slice(at, at + HISTORIES_AT_ONCE).map(({ id }) => id as SqlValue);
          const entries = await readOf(query, history, ids);
          if (entries.length > 0)
            yield partOf(
              history,
              entries.map((entry) => withoutOthersFolders(entry, userId)),
            );
        }
      }
    }
  });
}

/** Folders are private: what an alert was filed under before it had this owner is not theirs to see. */
const withoutOthersFolders = (entry: ExportRow, userId: string): ExportRow =>
  entry['folder_owner_id'] === userId
    ? entry
    : { ...entry, previous_folder_name: null, new_folder_name: null, folder_owner_id: null };

async function* withEnds(
  about: Record<string, string>,
  now: number,
  read: () => AsyncGenerator<ExportPart>,
): AsyncGenerator<ExportPart> {
  const head = {
    type: 'export',
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    product: PRODUCT_VERSION,
    exportedAt: new Date(now).toISOString(),
    ...about,
  };
  yield { kind: 'export', lines: 0, text: `${JSON.stringify(head)}\n` };
  const counts: Record<string, number> = {};
  for await (const part of read()) {
    counts[part.kind] = (counts[part.kind] ?? 0) + part.lines;
    yield part;
  }
  const lines = Object.values(counts).reduce((sum, count) => sum + count, 0);
  yield { kind: 'end', lines: 0, text: `${JSON.stringify({ type: 'end', lines, counts })}\n` };
}

const partOf = (kind: ExportKind, rows: readonly ExportRow[]): ExportPart => ({
  kind: kind.kind,
  lines: rows.length,
  text: rows.map((row) => `${writeLine(kind, row)}\n`).join(''),
});
